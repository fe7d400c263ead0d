"""The operation that is proposed for each touched link, and the order in which they are proposed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Proposal:
    """A touched link with its recommended operation, or why it has none.

    `at_risk` counts the transactions that the standby lacked when they were last counted; None is unknown.
    `outage_since_s` is when the link last replicated; None where that is unknown or it still does. `refused` says why
    the plan of its operation was refused.
    """

    link_id: str
    link_name: str
    kind: str | None
    at_risk: int | None
    outage_since_s: float | None
    refused: str = ""


def ranked(proposals: Iterable[Proposal]) -> list[Proposal]:
    """First what is most at risk, then what has been out for the longest; last what cannot be started.

    An unknown number of transactions may be any number, so it comes before all known ones.
    """
    return sorted(proposals, key=_rank)


def _rank(one: Proposal) -> tuple[bool, bool, bool, int, float, str]:
    at_risk = 0 if one.at_risk is None else -one.at_risk
    since_s = float("inf") if one.outage_since_s is None else one.outage_since_s
    return one.kind is None, bool(one.refused), one.at_risk is not None, at_risk, since_s, one.link_name


STOP_RULE_KINDS = frozenset({"failover", "reprotect"})
"""Operations that give up data. If one fails, what was believed of the lost site may be wrong for the others, too."""


def must_stop_at_failure(kinds: Iterable[str]) -> bool:
    """Whether the rule to stop at the first failure cannot be switched off for these operations."""
    return not STOP_RULE_KINDS.isdisjoint(kinds)
