"""Reads advice and configurations as the API returns them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

from django.db.models import Q

from backend.adviser.advice.configurations import cluster_configuration, link_configuration
from backend.adviser.advice.models import AdviceDismissal
from backend.clusters.models import Cluster, Link
from backend.core.adviser.advice.changes import Change
from backend.core.adviser.advice.configuration.fragment import fragment
from backend.core.adviser.advice.configuration.restart_order import restart_order
from backend.core.adviser.advice.configuration.table import ConfigurationRow, configuration_rows
from backend.core.adviser.advice.dismissals import Dismissal, JudgedAdvice, judged
from backend.core.adviser.advice.facts import ClusterConfiguration, NodeConfiguration
from backend.core.adviser.advice.host_settings.known import COMMAND
from backend.core.adviser.advice.layout import Layout, layout_of
from backend.core.adviser.advice.model import Advice, Risk
from backend.core.adviser.advice.registry import cluster_advice, link_advice

Shown = dict[str, Any]


def advice_on_cluster(cluster: Cluster, now: datetime) -> Shown:
    """Advice on a cluster, open advice first, by risk."""
    found = cluster_configuration(cluster, now)
    return _shown(cluster_advice(found), [found], Q(cluster=cluster), now)


def advice_on_link(link: Link, now: datetime) -> Shown:
    """Advice on a link and both of its clusters."""
    found = link_configuration(link, now)
    subjects = Q(link=link) | Q(cluster__in=[link.active_cluster_id, link.standby_cluster_id])
    return _shown(link_advice(found), [found.active, found.standby], subjects, now)


def configuration_of(cluster: Cluster, chosen: Layout | None, now: datetime) -> Shown:
    """All settings by node, with what is recommended for the chosen profile or the one that fits."""
    found = cluster_configuration(cluster, now)
    layout = layout_of(found)
    rows = configuration_rows(found, chosen or layout)
    changes = [change for row in rows if row.recommendation for change in row.recommendation.changes]
    return {
        "layout": layout.value,
        "profile": (chosen or layout).value,
        "nodes": [_node(node) for node in found.nodes],
        "rows": [_row(row) for row in rows],
        "fragments": [{"node": node.name, "text": text} for node in found.read if (text := fragment(node, changes))],
        "restarts": [asdict(step) for step in restart_order(found, changes)],
        "host_settings_command": COMMAND,
    }


def open_advice_facts(link: Link, now: datetime) -> Shown:
    """What the readiness report says of advice: as stored, nothing is read for it."""
    shown = advice_on_link(link, now)
    names = ("code", "title", "risk", "subject", "fact", "remedy")
    return {
        "read_at": now,
        "unread": [node["node"] for node in shown["nodes"] if node["read_at"] is None],
        "open": [{name: one[name] for name in names} for one in shown["items"] if one["dismissal"] is None],
        "dismissed": [
            {**{name: one[name] for name in names}, **one["dismissal"]}
            for one in shown["items"]
            if one["dismissal"] is not None
        ],
    }


def _shown(advice: list[Advice], clusters: Sequence[ClusterConfiguration], subjects: Q, now: datetime) -> Shown:
    items = judged(advice, running_dismissals(subjects, now), now)
    risks = Counter(one.advice.entry.risk for one in items if one.dismissal is None)
    return {
        "items": [_advice(one) for one in items],
        "open": {risk.value: risks[risk] for risk in Risk},
        "nodes": [_node(node) for cluster in clusters for node in cluster.nodes],
    }


def running_dismissals(subjects: Q, now: datetime) -> list[Dismissal]:
    """Those that count now, of these clusters and links."""
    rows = AdviceDismissal.objects.filter(subjects, withdrawn_at=None, expires_at__gt=now).order_by("at")
    return [
        Dismissal(row.id, row.code, row.subject_id, row.fingerprint, row.reason, row.by, row.at, row.expires_at)
        for row in rows
    ]


def _node(node: NodeConfiguration) -> Shown:
    read_at = None if node.read_at_s is None else datetime.fromtimestamp(node.read_at_s, UTC)
    return {
        "node_id": node.node_id,
        "node": node.name,
        "version": node.version,
        "provider_version": node.status.get("wsrep_provider_version"),
        "read_at": read_at,
        "error": node.error,
    }


def _advice(one: JudgedAdvice) -> Shown:
    advice, entry = one.advice, one.advice.entry
    return {
        "code": entry.code,
        "risk": entry.risk.value,
        "title": entry.title,
        "subject_id": advice.subject_id,
        "subject": advice.subject,
        "nodes": list(advice.nodes),
        "fact": advice.fact,
        "consequence": advice.consequence,
        "remedy": advice.remedy,
        "evidence": entry.evidence,
        "is_measured": entry.is_measured,
        "changes": [_change(change) for change in advice.changes],
        "fingerprint": advice.fingerprint,
        "dismissal": None if one.dismissal is None else asdict(one.dismissal),
    }


def _change(change: Change) -> Shown:
    return asdict(change)


def _row(row: ConfigurationRow) -> Shown:
    wanted = row.recommendation
    return {
        "name": row.name,
        "is_option": row.is_option,
        "values": [{"node": node, "value": value} for node, value in row.values],
        "default": row.default,
        "meaning": row.meaning,
        "must_be_equal": row.must_be_equal,
        "differs": row.differs,
        "takes_effect": row.takes_effect.value,
        "can_be_planned": row.can_be_planned,
        "note_kind": row.note.kind.value,
        "note": row.note.text,
        "recommendation": None
        if wanted is None
        else {
            "value": wanted.value,
            "why": wanted.why,
            "effect": wanted.effect,
            "based_on": wanted.source,
            "changes": [_change(change) for change in wanted.changes],
        },
    }
