"""Advice on a link or cluster by its name or id, for commands."""

from __future__ import annotations

from django.utils import timezone

from backend.adviser.advice import selectors
from backend.adviser.advice.configurations import read_now
from backend.adviser.advice.outputs import AdviceList
from backend.clusters.models import Cluster, Link
from backend.clusters.selectors import clusters, links


def link_named(name: str) -> Link | None:
    """A registered link by its name, or else by its id."""
    return links().filter(name=name).first() or links().filter(pk=name).first()


def cluster_named(name: str) -> Cluster | None:
    """A registered cluster by its name, or else by its id."""
    return clusters().filter(name=name).first() or clusters().filter(pk=name).first()


def advice_named(name: str) -> AdviceList | None:
    """As `GET /links/ID/advice` or `GET /clusters/ID/advice`; a link if both have the name."""
    link = link_named(name)
    if link is not None:
        read_now([link.active_cluster, link.standby_cluster])
        return selectors.advice_on_link(link, timezone.now())
    cluster = cluster_named(name)
    if cluster is None:
        return None
    read_now([cluster])
    return selectors.advice_on_cluster(cluster, timezone.now())
