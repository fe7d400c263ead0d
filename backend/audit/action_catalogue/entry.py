"""What the catalogue says of one audit action."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from backend.common.documented_field import DocumentedField


class Values(StrEnum):
    """What a record tells of the values before and after its action."""

    NONE = "`facts` tells of the action itself, not of values before or after it."
    ADDED = "`facts` holds the values that were stored; there was nothing before."
    AFTER = "`facts` holds the values after the change. Those before it are in the earlier records with this `target`."
    BOTH = "`facts.before` and `facts.after` hold the changed values; what did not change is in neither."
    REMOVED = "`facts` names what ended or was removed. Its values are in the earlier records with this `target`."
    STATE = (
        "`facts.state` is the state of the run after the action; the earlier records of its `run_id` tell it before."
    )


@dataclass(frozen=True, slots=True)
class ActionEntry:
    """One action, or several that differ in their last word or source only.

    `who` can cause it; `identifies` says what `target` and the other blank-able columns hold.
    """

    actions: tuple[str, ...]
    title: str
    who: str
    recorded_when: str
    identifies: str
    values: Values
    facts: tuple[DocumentedField, ...] = ()
