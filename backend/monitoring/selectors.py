"""What the API returns of nodes, clusters and links; outdated facts are reported as unknown."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from enum import Enum
from typing import Any, Final

from django.db.models import TextField, prefetch_related_objects
from django.db.models.functions import Cast
from django.utils import timezone

from backend.clusters.models import Cluster, Link, Node
from backend.clusters.selectors import NODES_OF_SIDES, acceptances, account_views
from backend.core.link_facts import Divergence
from backend.core.link_state.sentences import duration
from backend.core.plans.node_eligibility import CLOCKS_DIFFER, MAX_AHEAD_S
from backend.core.plans.rebuild_guide import copy_progress
from backend.core.topology import Direction, NodeFacts
from backend.monitoring.link_gateway import open_divergences
from backend.monitoring.models import LinkStatus, NodeState
from backend.monitoring.node_view import node_view_of
from backend.monitoring.recording.link_json import KNOWN_GROUPS
from backend.monitoring.stored_facts import assemble_diverged, node_facts
from backend.monitoring.times import from_unix

STALE_AFTER_S = 15.0
"""After this age a state is reported as unknown. Nodes are polled each second."""
_INTERNAL: Final = frozenset({"observed_at_s", "gap_read_at_s", KNOWN_GROUPS})
"""Of a stored channel: times are shown as such, and what was read of a lost side is for runs to count in."""
_NOT_DIVERGED: Final[dict[str, Any]] = {"invalidated_cluster": None, "divergence": None}


class Findings(Enum):
    """What is read of the findings of links; their text is JSON as it is stored."""

    SHOWN = "shown"
    AS_TEXT = "as text"
    LEFT_OUT = "left out"


def node_view(node: Node) -> dict[str, Any]:
    """One node with its facts."""
    return _node_views([node])[0]


def cluster_view(cluster: Cluster) -> dict[str, Any]:
    """A cluster with all its nodes."""
    return cluster_views([cluster])[0]


def cluster_views(clusters: Iterable[Cluster]) -> list[dict[str, Any]]:
    """Several clusters, their nodes and accounts read at once."""
    wanted = [(cluster, list(cluster.nodes.all())) for cluster in clusters]
    accounts = account_views([cluster.pk for cluster, _ in wanted])
    shown = iter(_node_views(node for _, nodes in wanted for node in nodes))
    return [
        {
            "id": cluster.id,
            "name": cluster.name,
            "site": cluster.site,
            "environment": cluster.environment,
            "state_uuid": cluster.state_uuid,
            "tls": {
                "mode": cluster.tls_mode,
                "has_ca": bool(cluster.tls_ca),
                "has_client_certificate": bool(cluster.tls_cert),
                "key_reference": cluster.tls_key_reference,
            },
            "nodes": [next(shown) for _ in nodes],
            "accounts": accounts.get(cluster.pk, []),
            "version": cluster.version,
            "created_at": cluster.created_at,
            "retired_at": cluster.retired_at,
        }
        for cluster, nodes in wanted
    ]


def _node_views(nodes: Iterable[Node]) -> list[dict[str, Any]]:
    wanted = list(nodes)
    states = NodeState.objects.in_bulk([node.pk for node in wanted])
    addresses = {(node.host, node.port): node.id for node in Node.objects.all()}
    now, accepted = timezone.now(), acceptances({node.cluster_id for node in wanted})
    return [
        node_view_of(
            node,
            states.get(node.pk),
            addresses,
            now=now,
            stale_after_s=STALE_AFTER_S,
            accepted=accepted[node.cluster_id].accepted if node.cluster_id in accepted else None,
        )
        for node in wanted
    ]


def link_states(links: Collection[Link], *, findings: Findings = Findings.SHOWN) -> dict[str, dict[str, Any]]:
    """The current state of each link by its id; the nodes of those never seen are fetched at once.

    Findings are most of what is stored of a link, so a list of many does without them, or takes their text.
    """
    rows, now = LinkStatus.objects.defer("last_ok"), timezone.now()
    if findings is not Findings.SHOWN:
        rows = rows.defer("last_ok", "findings")
    if findings is Findings.AS_TEXT:
        rows = rows.annotate(findings_text=Cast("findings", TextField()))
    statuses = rows.in_bulk([link.pk for link in links])
    prefetch_related_objects([link for link in links if link.id not in statuses], *NODES_OF_SIDES)
    return {link.id: _state(link, statuses.get(link.id), now) for link in links}


def _state(link: Link, status: LinkStatus | None, now: datetime) -> dict[str, Any]:
    if link.retired_at is not None:
        return _retired(link)
    return _never_seen(link) if status is None else _seen(link, status, now)


def link_view(link: Link, *, active_run: dict[str, Any] | None = None, detailed: bool = False) -> dict[str, Any]:
    """A link as in lists, with both clusters in full where `detailed`."""
    shown = link_views([link], {} if active_run is None else {link.id: active_run})[0]
    if detailed:
        active, standby = cluster_views([link.active_cluster, link.standby_cluster])
        shown["clusters"] = {"active": active, "standby": standby}
    return shown


def link_views(
    links: Collection[Link], active_runs: Mapping[str, dict[str, Any]], *, findings: Findings = Findings.SHOWN
) -> list[dict[str, Any]]:
    """Links as in lists, in a number of queries that does not grow with them."""
    states, diverged = link_states(links, findings=findings), _divergences(links)
    return [
        _fixed(link) | diverged.get(link.id, _NOT_DIVERGED) | {"active_run": active_runs.get(link.id)} | states[link.id]
        for link in links
    ]


def _fixed(link: Link) -> dict[str, Any]:
    return {
        "id": link.id,
        "name": link.name,
        "environment": link.environment,
        "channel_name": link.channel_name,
        "requires_approval": link.requires_approval,
        "writes_on_both_sides": link.writes_on_both_sides,
        "home_cluster": _side(_home_of(link)),
        "pause": pause_view(link),
        "version": link.version,
        "retired_at": link.retired_at,
    }


def _home_of(link: Link) -> Cluster:
    """The side that is active when all is well, without a query where it is one of the two."""
    known = {side.id: side for side in _sides(link)}
    return known.get(link.home_cluster_id or link.active_cluster_id) or link.home_cluster or link.active_cluster


def pause_view(link: Link) -> dict[str, Any] | None:
    """The maintenance of a link; None while there is none."""
    if not link.is_paused(timezone.now()):
        return None
    return {"until": link.paused_until, "by": link.paused_by, "reason": link.pause_reason}


def _side(cluster: Cluster) -> dict[str, str]:
    return {"id": cluster.id, "name": cluster.name}


def _divergences(links: Collection[Link]) -> dict[str, dict[str, Any]]:
    """The divergence of each link that has one, until the lost side is attached again."""
    found = open_divergences([link.id for link in links if link.retired_at is None])
    diverged = [link for link in links if link.id in found]
    prefetch_related_objects(diverged, *NODES_OF_SIDES)
    facts = node_facts(node for link in diverged for side in _sides(link) for node in side.nodes.all())
    names = dict(Node.objects.filter(pk__in=_sources(found.values())).values_list("pk", "name"))
    return {link.id: _divergence(link, found[link.id], facts, names) for link in diverged}


def _sides(link: Link) -> tuple[Cluster, Cluster]:
    return link.active_cluster, link.standby_cluster


def _sources(divergences: Iterable[Divergence]) -> set[str]:
    return {one.source_node_id for one in divergences if one.source_node_id}


def _divergence(
    link: Link, divergence: Divergence, facts: dict[str, NodeFacts], names: Mapping[str, str]
) -> dict[str, Any]:
    sides = {c.id: c for c in _sides(link)}
    source = divergence.source_node_id
    seen_at = divergence.last_seen_at_s
    shown = {
        "lost_cluster": _side(sides[divergence.lost_cluster_id]),
        "survivor_cluster": _side(sides[divergence.survivor_cluster_id]),
        "at": from_unix(divergence.at_s),
        "run_id": divergence.run_id,
        "applied": {
            "node": names.get(source) if source else None,
            "file": divergence.applied_file,
            "position": divergence.applied_offset,
            "seqno": divergence.applied_seqno,
            "gtid": divergence.applied_gtid,
        },
        "last_seen": None if seen_at is None else {"seqno": divergence.last_seen_seqno, "at": from_unix(seen_at)},
        "loss": {
            "transactions": divergence.lost_transactions,
            "planned_transactions": divergence.planned_lost_transactions,
            "seconds": divergence.lost_s,
            "detail": divergence.detail,
            **_loss_known(divergence),
        },
        "fences_on_return": divergence.fences_on_return,
        "returned": None,
        "copied_nodes": copy_progress(assemble_diverged(link, facts, divergence)),
    }
    invalidated = None if divergence.is_reconciled else divergence.lost_cluster_id
    return {"invalidated_cluster": invalidated, "divergence": shown}


def _loss_known(divergence: Divergence) -> dict[str, Any]:
    """A lower bound from what was read of the lost side; exact once the orphans of the returned one are counted."""
    is_exact = divergence.orphaned is not None
    read_at_s = divergence.orphans_read_at_s if is_exact else divergence.last_seen_at_s
    at_least = divergence.orphaned if is_exact else divergence.lost_transactions
    counted_by = "orphans" if is_exact else ("logs_read" if at_least is not None else None)
    return {
        "at_least": at_least,
        "read_at": None if read_at_s is None else from_unix(read_at_s),
        "is_exact": is_exact,
        "counted_by": counted_by,
        "orphaned": divergence.orphaned,
    }


def _retired(link: Link) -> dict[str, Any]:
    sentence = f"Retired on {link.retired_at:%Y-%m-%d}. It is not observed any more; its history can be read."
    return _never_seen(link) | {"state": "retired", "sentence": sentence}


def _never_seen(link: Link) -> dict[str, Any]:
    return {
        "state": "unknown",
        "sentence": "No data yet.",
        "detail": "",
        "observed_at": None,
        "age_s": None,
        "active_cluster": _unseen_brief(link.active_cluster),
        "standby_cluster": _unseen_brief(link.standby_cluster),
        "channels": [],
        "findings": [],
        "readiness": {},
        "primary_action": None,
    }


def _unseen_brief(cluster: Cluster) -> dict[str, Any]:
    return {
        "id": cluster.id,
        "name": cluster.name,
        "site": cluster.site,
        "status": "unknown",
        "nodes_up": 0,
        "nodes": cluster.nodes.count(),
        "last_committed": None,
    }


def _seen(link: Link, status: LinkStatus, now: datetime) -> dict[str, Any]:
    age = (now - status.observed_at).total_seconds()
    shown: dict[str, Any] = {
        "state": status.state,
        "sentence": status.sentence,
        "detail": status.detail,
        "observed_at": status.observed_at,
        "age_s": round(max(0.0, age), 1),
        "active_cluster": status.clusters["active"],
        "standby_cluster": status.clusters["standby"],
        "channels": [_channel(channel, now) for channel in status.channels],
        "readiness": status.readiness,
        "primary_action": status.primary_action,
    }
    if "findings" not in status.get_deferred_fields():
        shown["findings"] = status.findings
    elif hasattr(status, "findings_text"):
        shown["findings"] = status.findings_text
    if status.clusters["active"]["id"] != link.active_cluster_id:
        shown |= _turned(shown)
    if age < -MAX_AHEAD_S:
        return shown | _unknown(shown, f"Observed {duration(-age)} in the future: {CLOCKS_DIFFER}.") | {"age_s": None}
    return shown if age <= STALE_AFTER_S else shown | _stale(shown, age)


def _turned(shown: dict[str, Any]) -> dict[str, Any]:
    """A status from before the roles were swapped, under the current roles: the channels' directions change."""
    return {
        "active_cluster": shown["standby_cluster"],
        "standby_cluster": shown["active_cluster"],
        "channels": [c | {"direction": Direction(c["direction"]).other.value} for c in shown["channels"]],
        "readiness": {},
        "primary_action": None,
    }


def _stale(shown: dict[str, Any], age: float) -> dict[str, Any]:
    """The status as unknown, with the last known one and its age."""
    return _unknown(shown, f"No data for {duration(age)}: no monitor is running.")


def _unknown(shown: dict[str, Any], why: str) -> dict[str, Any]:
    unknown = {
        "state": "unknown",
        "sentence": why,
        "estimate_s": None,
        "loss_transactions": None,
        "loss_at_least": None,
    }
    return {
        "state": "unknown",
        "sentence": why,
        "detail": f"Last known state: {shown['sentence']}",
        "active_cluster": shown["active_cluster"] | {"status": "unknown"},
        "standby_cluster": shown["standby_cluster"] | {"status": "unknown"},
        "channels": [channel | {"state": "unknown"} for channel in shown["channels"]],
        "readiness": dict.fromkeys(shown["readiness"], unknown),
        "primary_action": None,
    }


def _channel(stored: dict[str, Any], now: datetime) -> dict[str, Any]:
    observed = from_unix(stored["observed_at_s"])
    shown = {key: value for key, value in stored.items() if key not in _INTERNAL}
    read_at_s = stored.get("gap_read_at_s")
    return shown | {
        "gap_at_least": stored.get("gap_at_least"),
        "gap_read_at": None if read_at_s is None else from_unix(read_at_s),
        "observed_at": observed,
        "age_s": round(max(0.0, (now - observed).total_seconds()), 1),
    }
