"""All links as rows, each with what a list of many shows, in a number of queries that does not grow with them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils import timezone

from backend.adviser.advice.open_advice import OpenAdvice, open_advice, open_on_link
from backend.api.link_views import permissions_on_link
from backend.clusters import selectors as clusters
from backend.clusters.models import Link
from backend.common.privileges import Privileges
from backend.common.roles import Permission
from backend.core.link_state.attention import LinkSummary, attention, urgency_of
from backend.core.plans.kinds import REHEARSED
from backend.core.reports.recovery_summary import Recovery, Source, recovery_point, recovery_time
from backend.history.recovery import KIND, achieved_by_link
from backend.monitoring.link_gateway import diverged_links
from backend.monitoring.selectors import STALE_AFTER_S, Findings, link_states, pause_view
from backend.operations.rehearsals.models import Rehearsal
from backend.operations.rehearsals.selectors import LastResults, last_results, newest_passed, overdue_rehearsals
from backend.operations.runs.selectors import unfinished_runs

_STATE = ("state", "sentence")
_SIDE = ("id", "name", "site", "status", "nodes_up", "nodes")
_ACTION = ("kind", "label", "replaced_node", "url_options")
_CHANNEL = ("source_name", "replica_name", "state", "lag_s", "gap_transactions", "gap_at_least", "error")


@dataclass(frozen=True, slots=True)
class _Known:
    """What is read of all links at once; the mappings go by link."""

    now: datetime
    states: Mapping[str, dict[str, Any]]
    runs: Mapping[str, dict[str, Any]]
    diverged: set[str]
    results: Mapping[str, Mapping[str, LastResults]]
    overdue: Mapping[str, list[str]]
    achieved: Mapping[str, Recovery]
    rehearsed: Mapping[str, Rehearsal]
    advice: Mapping[str, OpenAdvice]
    privileges: Privileges


def fleet(privileges: Privileges) -> dict[str, Any]:
    """The registered links that the caller may read by name, as rows in the exact form of `FleetSerializer`."""
    links = list(clusters.among(clusters.links_without_nodes(), privileges.links_with(Permission.READ)))
    now, results = timezone.now(), last_results()
    known = _Known(
        now=now,
        states=link_states(links, findings=Findings.LEFT_OUT),
        runs=unfinished_runs(),
        diverged=diverged_links(),
        results=results,
        overdue=overdue_rehearsals(results, now),
        achieved=achieved_by_link(),
        rehearsed=newest_passed(KIND),
        advice=open_advice(now),
        privileges=privileges,
    )
    return {"results": [_row(link, known) for link in links], "read_at": now}


def _row(link: Link, known: _Known) -> dict[str, Any]:
    shown = known.states[link.id]
    run, pause = known.runs.get(link.id), pause_view(link)
    reasons = attention(_summary(link, known, shown, is_in_maintenance=pause is not None))
    sources = [one for one in _sources(link, known, shown) if one is not None]
    return {
        "id": link.id,
        "name": link.name,
        **_named(shown, _STATE),
        "stale_since": shown["observed_at"] if _is_stale(shown) else None,
        "active_cluster": _named(shown["active_cluster"], _SIDE),
        "standby_cluster": _named(shown["standby_cluster"], _SIDE),
        "forward": _channel(shown, "forward"),
        "reverse": _channel(shown, "reverse"),
        "readiness": _readiness(shown, known.results.get(link.id, {})),
        "recovery_time": recovery_time(sources),
        "recovery_point": recovery_point(sources),
        "advice": _advice(open_on_link(link, known.advice)),
        "attention": [{"code": reason.code.value, "sentence": reason.sentence} for reason in reasons],
        "urgency": urgency_of(reasons),
        "primary_action": _named(shown["primary_action"], _ACTION) if shown["primary_action"] else None,
        "active_run": run,
        "pause": pause,
        "environment": link.environment,
        "permissions": permissions_on_link(known.privileges, link.id),
        "version": link.version,
    }


def _advice(found: OpenAdvice | None) -> dict[str, int] | None:
    if found is None:
        return None
    return {risk.value: number for risk, number in found.by_risk.items()} | {"unread_nodes": found.unread}


def _is_stale(shown: Mapping[str, Any]) -> bool:
    return shown["age_s"] is not None and shown["age_s"] > STALE_AFTER_S


def _named(values: Mapping[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    return {name: values[name] for name in names}


def _channel(shown: Mapping[str, Any], direction: str) -> dict[str, Any] | None:
    """The current channel of a direction; None where there is none. Stray channels are told by the sentence."""
    current = (one for one in shown["channels"] if one["direction"] == direction and not one["stray"])
    channel = next(current, None)
    return None if channel is None else _named(channel, _CHANNEL)


def _readiness(shown: Mapping[str, Any], results: Mapping[str, LastResults]) -> dict[str, dict[str, Any]]:
    """The readiness by operation; one that was never derived is unknown, and has its rehearsals all the same."""
    kinds = sorted(shown["readiness"].keys() | results.keys() | set(REHEARSED))
    return {
        kind: {
            "state": shown["readiness"].get(kind, {}).get("state", "unknown"),
            **_times(results.get(kind, LastResults())),
        }
        for kind in kinds
    }


def _times(last: LastResults) -> dict[str, datetime | None]:
    return {"passed_at": last.passed_at, "failed_at": last.failed_at}


def _summary(link: Link, known: _Known, shown: Mapping[str, Any], *, is_in_maintenance: bool) -> LinkSummary:
    run, results = known.runs.get(link.id), known.results.get(link.id, {})
    return LinkSummary(
        state=shown["state"],
        sentence=shown["sentence"],
        is_diverged=link.id in known.diverged,
        is_in_maintenance=is_in_maintenance,
        run_state=None if run is None else run["state"],
        readiness={kind: answer["state"] for kind, answer in shown["readiness"].items()},
        failed_rehearsals=[kind for kind in REHEARSED if kind in results and results[kind].last_failed],
        overdue_rehearsals=known.overdue.get(link.id, []),
    )


def _sources(link: Link, known: _Known, shown: Mapping[str, Any]) -> list[Recovery | None]:
    return [_observed(shown), known.achieved.get(link.id), _rehearsed(known.rehearsed.get(link.id))]


def _observed(shown: Mapping[str, Any]) -> Recovery | None:
    """What a failover would lose now; nothing is claimed of a link that is not observed any more."""
    if shown["observed_at"] is None or _is_stale(shown):
        return None
    forward = _channel(shown, "forward")
    return Recovery(
        source=Source.OBSERVED,
        at=shown["observed_at"],
        transactions=shown["readiness"].get(KIND, {}).get("loss_transactions"),
        loss_s=forward["lag_s"] if forward is not None else None,
    )


def _rehearsed(rehearsal: Rehearsal | None) -> Recovery | None:
    if rehearsal is None:
        return None
    return Recovery(
        source=Source.REHEARSAL,
        at=rehearsal.at,
        id=rehearsal.id,
        recovery_s=rehearsal.estimate_s,
        transactions=rehearsal.loss.get("transactions"),
        loss_s=rehearsal.loss.get("seconds"),
    )
