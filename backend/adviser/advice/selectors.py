"""Reads advice and configurations as the API returns them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

from django.db.models import Q

from backend.adviser.advice import outputs
from backend.adviser.advice.configurations import cluster_configuration, link_configuration
from backend.adviser.advice.models import AdviceDismissal
from backend.adviser.advice.outputs import (
    AdviceList,
    Configuration,
    ConfigurationFragment,
    ConfigurationNode,
    OpenAdvice,
)
from backend.clusters.models import Cluster, Link
from backend.common.rest.outputs import filled
from backend.core.adviser.advice.configuration.fragment import fragment
from backend.core.adviser.advice.configuration.restart_order import restart_order
from backend.core.adviser.advice.configuration.table import configuration_rows
from backend.core.adviser.advice.dismissals import Dismissal, JudgedAdvice, judged
from backend.core.adviser.advice.facts import ClusterConfiguration, NodeConfiguration
from backend.core.adviser.advice.host_settings.known import COMMAND
from backend.core.adviser.advice.layout import Layout, layout_of
from backend.core.adviser.advice.model import Advice, Risk
from backend.core.adviser.advice.registry import cluster_advice, link_advice

_REPORTED = ("code", "title", "risk", "subject", "fact", "remedy")


def advice_on_cluster(cluster: Cluster, now: datetime) -> AdviceList:
    """Advice on a cluster, open advice first, by risk."""
    found = cluster_configuration(cluster, now)
    return _listed(_judged(cluster_advice(found), Q(cluster=cluster), now), [found])


def advice_on_link(link: Link, now: datetime) -> AdviceList:
    """Advice on a link and both of its clusters."""
    found = link_configuration(link, now)
    return _listed(_judged(link_advice(found), _subjects(link), now), [found.active, found.standby])


def configuration_of(cluster: Cluster, chosen: Layout | None, now: datetime) -> Configuration:
    """All settings by node, with what is recommended for the chosen profile or the one that fits."""
    found = cluster_configuration(cluster, now)
    layout = layout_of(found)
    rows = configuration_rows(found, chosen or layout)
    changes = [change for row in rows if row.recommendation for change in row.recommendation.changes]
    fragments = [ConfigurationFragment(node.name, text) for node in found.read if (text := fragment(node, changes))]
    return Configuration(
        layout,
        chosen or layout,
        tuple(map(_node, found.nodes)),
        tuple(rows),
        tuple(fragments),
        tuple(restart_order(found, changes)),
        COMMAND,
    )


def open_advice_facts(link: Link, now: datetime) -> dict[str, Any]:
    """What the readiness report says of advice: as stored, nothing is read for it."""
    found = link_configuration(link, now)
    items = [(_advice(one), one.dismissal) for one in _judged(link_advice(found), _subjects(link), now)]
    reported = [({name: getattr(one, name) for name in _REPORTED}, dismissal) for one, dismissal in items]
    return {
        "read_at": now,
        "unread": [node.name for side in (found.active, found.standby) for node in side.nodes if not node.is_read],
        "open": [one for one, dismissal in reported if dismissal is None],
        "dismissed": [{**one, **asdict(dismissal)} for one, dismissal in reported if dismissal is not None],
    }


def _subjects(link: Link) -> Q:
    return Q(link=link) | Q(cluster__in=[link.active_cluster_id, link.standby_cluster_id])


def _judged(advice: list[Advice], subjects: Q, now: datetime) -> list[JudgedAdvice]:
    return judged(advice, running_dismissals(subjects, now), now)


def _listed(items: Sequence[JudgedAdvice], clusters: Sequence[ClusterConfiguration]) -> AdviceList:
    risks = Counter(one.advice.entry.risk for one in items if one.dismissal is None)
    return AdviceList(
        tuple(map(_advice, items)),
        OpenAdvice(**{risk.value: risks[risk] for risk in Risk}),
        tuple(_node(node) for cluster in clusters for node in cluster.nodes),
    )


def running_dismissals(subjects: Q, now: datetime) -> list[Dismissal]:
    """Those that count now, of these clusters and links."""
    rows = AdviceDismissal.objects.filter(subjects, withdrawn_at=None, expires_at__gt=now).order_by("at")
    return [
        Dismissal(row.id, row.code, row.subject_id, row.fingerprint, row.reason, row.by, row.at, row.expires_at)
        for row in rows
    ]


def _node(node: NodeConfiguration) -> ConfigurationNode:
    return filled(
        ConfigurationNode,
        node,
        node=node.name,
        provider_version=node.status.get("wsrep_provider_version"),
        read_at=None if node.read_at_s is None else datetime.fromtimestamp(node.read_at_s, UTC),
    )


def _advice(one: JudgedAdvice) -> outputs.Advice:
    dismissal = None if one.dismissal is None else filled(outputs.Dismissal, one.dismissal)
    return filled(outputs.Advice, one.advice, one.advice.entry, dismissal=dismissal)
