"""One item of OWASP ASVS 4.0.3, level 2: whether it is met, where and how, and the tests that hold it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Status(StrEnum):
    """Whether an item is met. One that is met in part is open."""

    MET = "met"
    NOT_APPLICABLE = "not applicable"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Row:
    """`held_by` are tests (`path::name` or a whole file), or headings of documents (`path#heading`)."""

    number: str
    subject: str
    status: Status
    how: str
    held_by: tuple[str, ...]

    @property
    def chapter(self) -> int:
        """The number of its chapter."""
        return int(self.number[1:].partition(".")[0])


def met(number: str, subject: str, how: str, *held_by: str) -> Row:
    """An item that is met in full."""
    return Row(number, subject, Status.MET, how, held_by)


def not_applicable(number: str, subject: str, why: str, *held_by: str) -> Row:
    """An item about something that the console does not have."""
    return Row(number, subject, Status.NOT_APPLICABLE, why, held_by)


def not_met(number: str, subject: str, missing: str, *held_by: str) -> Row:
    """An item that is not met in full, with what is missing."""
    return Row(number, subject, Status.OPEN, missing, held_by)
