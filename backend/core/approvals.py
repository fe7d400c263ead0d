"""How many approvals a run needs, by whom, and which of those given count. Pure: who is one person is asked.

One person counts once, the requester never, and where the rule names approvers, no other user.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

MAX_NEEDED: Final = 5

OnePerson = Callable[[str, str], bool]


@dataclass(frozen=True, slots=True)
class ApprovalRule:
    """`needed` different persons approve; where `approvers` are named, only they."""

    needed: int = 1
    approvers: tuple[str, ...] = ()

    def names(self, person: str, are_one: OnePerson) -> bool:
        """Whether this person is one of the named approvers, or none are named."""
        return not self.approvers or any(are_one(person, name) for name in self.approvers)

    def is_weaker_than(self, other: ApprovalRule) -> bool:
        """Whether this rule lets a run start that the other one would not."""
        if self.needed < other.needed:
            return True
        return bool(other.approvers) and not (self.approvers and set(self.approvers) <= set(other.approvers))

    def to_json(self) -> dict[str, Any] | None:
        """The rule as stored; None for one approval by any approver, which is what an earlier version stored."""
        if self == ApprovalRule():
            return None
        return {"needed": self.needed, "approvers": list(self.approvers)}

    @staticmethod
    def from_json(stored: Mapping[str, Any] | None) -> ApprovalRule:
        """A stored rule."""
        if stored is None:
            return ApprovalRule()
        return ApprovalRule(int(stored["needed"]), tuple(stored["approvers"]))


def strictest(rules: Sequence[ApprovalRule], are_one: OnePerson) -> ApprovalRule | None:
    """The rule that keeps all of these: the highest number, and only approvers whom each lets approve.

    None where fewer persons than are needed may approve by all of them.
    """
    needed, named = max(rule.needed for rule in rules), [rule for rule in rules if rule.approvers]
    if not named:
        return ApprovalRule(needed)
    common = tuple(name for name in named[0].approvers if all(rule.names(name, are_one) for rule in named))
    found = ApprovalRule(needed, common)
    return found if len(counted(found, common, (), are_one)) >= needed else None


def counted(rule: ApprovalRule, given: Iterable[str], askers: Iterable[str], are_one: OnePerson) -> tuple[str, ...]:
    """The approvers whose approval counts, in the order in which they approved."""
    asked = [asker for asker in askers if asker]
    found: list[str] = []
    for person in given:
        if any(are_one(person, other) for other in (*asked, *found)):
            continue
        if rule.names(person, are_one):
            found.append(person)
    return tuple(found)


def missing(rule: ApprovalRule, given: Iterable[str], askers: Iterable[str], are_one: OnePerson) -> int:
    """How many approvals are still missing."""
    return max(0, rule.needed - len(counted(rule, given, askers, are_one)))
