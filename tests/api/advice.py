"""Configurations as the monitor stored them, and the dismissal of advice on one."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

from django.utils import timezone

from backend.adviser.advice.models import StoredConfiguration
from backend.clusters.models import Cluster, Link
from backend.core.adviser.advice.facts import ClusterConfiguration
from backend.core.adviser.advice.serialization import configuration_to_json


def store(cluster: Cluster, found: ClusterConfiguration, *, age_s: float = 5) -> None:
    """As if the nodes had been read so long ago."""
    at = timezone.now() - timedelta(seconds=age_s)
    for node, read in zip(cluster.nodes.all(), found.nodes, strict=False):
        own = replace(read, node_id=node.pk, name=node.name, read_at_s=at.timestamp())
        StoredConfiguration.objects.update_or_create(
            node=node, defaults={"read_at": at, "body": configuration_to_json(own)}
        )


def dismissal(link: Link, one: dict[str, Any], **more: Any) -> dict[str, Any]:
    """The body that dismisses it for a month."""
    return {
        "subject_id": one["subject_id"],
        "code": one["code"],
        "fingerprint": one["fingerprint"],
        "reason": "Replaced next month",
        "expires_at": (timezone.now() + timedelta(days=30)).isoformat(),
    } | more
