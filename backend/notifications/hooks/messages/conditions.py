"""Which events begin and end one condition, so that an alarm is raised once and resolved when it is over."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from backend.core.findings import Severity


class Scope(StrEnum):
    """What a link can have several conditions of at a time: nothing, a named subject, or a run."""

    LINK = "link"
    SUBJECT = "subject"
    RUN = "run"


@dataclass(frozen=True, slots=True)
class Condition:
    """Kinds of events that begin it and that end it."""

    name: str
    scope: Scope
    begins: frozenset[str]
    ends: frozenset[str]


CONDITIONS: Final = (
    Condition(
        "link state",
        Scope.LINK,
        frozenset(
            f"link.{state}"
            for state in (
                *("unproven", "degraded", "broken", "failed_over", "unprotected", "unknown"),
                "maintenance_ended",
            )
        ),
        frozenset({"link.protected", "link.maintenance_ended"}),
    ),
    Condition(
        "node",
        Scope.SUBJECT,
        frozenset({"node.down", "node.hung", "node.refused", "node.unknown"}),
        frozenset({"node.up"}),
    ),
    Condition("absence", Scope.SUBJECT, frozenset({"node.absence_short"}), frozenset({"node.absence_ample"})),
    Condition("stray channel", Scope.SUBJECT, frozenset({"channel.stray"}), frozenset({"channel.reset"})),
    Condition("advice", Scope.SUBJECT, frozenset({"advice.appeared"}), frozenset({"advice.resolved"})),
    Condition("certificate", Scope.SUBJECT, frozenset({"certificate.expires"}), frozenset({"certificate.renewed"})),
    Condition(
        "run",
        Scope.RUN,
        frozenset({"run.waiting_approval", "run.needs_operator", "run.failed"}),
        frozenset({"run.approve", "run.resume", "run.succeeded", "run.aborted"}),
    ),
)
_GOOD: Final = (Severity.OK, Severity.INFO)


def ended_by(data: Mapping[str, Any]) -> Condition | None:
    """The condition that an event ends, by its data; None if it ends none, or does not tell which one."""
    if data["severity"] not in _GOOD:
        return None
    found = next((one for one in CONDITIONS if data["kind"] in one.ends), None)
    return found if found is not None and _part(found.scope, data) is not None else None


def key_of(link_id: str, data: Mapping[str, Any]) -> str:
    """Equal for all events of one condition; an event of no condition has the key of its kind."""
    of_kind = (one for one in CONDITIONS if data["kind"] in one.begins | one.ends)
    found = next(of_kind, None)
    parts = (data["kind"],) if found is None else (found.name, _part(found.scope, data))
    return "/".join(("hawser", link_id or "console", *(part for part in parts if part)))


def _part(scope: Scope, data: Mapping[str, Any]) -> str | None:
    """What tells conditions of one name apart; None if the event does not hold it (an earlier version wrote it)."""
    values: dict[Scope, str | None] = {Scope.LINK: "", Scope.SUBJECT: data.get("subject"), Scope.RUN: data["run_id"]}
    return values[scope]
