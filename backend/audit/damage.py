"""Damage of the chain: a code for programs, a sequence number, and a sentence for users."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Reason(StrEnum):
    """Kinds of damage."""

    REWRITTEN = "rewritten"
    TRUNCATED = "truncated"
    FORGED = "forged"
    UNKEYED_AFTER_KEYED = "unkeyed_after_keyed"
    KEY_MISSING = "key_missing"
    PAST_HEAD = "past_head"
    HEAD_FORGED = "head_forged"
    EMPTY = "empty"
    ROLLED_BACK = "rolled_back"
    REWRITTEN_SINCE_HEAD = "rewritten_since_head"


@dataclass(frozen=True, slots=True)
class Damage:
    """The first damage: the record that is wrong or missing, and why."""

    seq: int
    reason: Reason
    detail: str


def missing(seq: int) -> Damage:
    """A record is missing although later ones, or the head, show that it was written."""
    return Damage(seq, Reason.TRUNCATED, f"Record {seq} is missing.")


def rewritten(seq: int) -> Damage:
    """The content does not match its hash."""
    return Damage(seq, Reason.REWRITTEN, f"Record {seq} was changed after it was written.")


def past_rewritten(seq: int) -> Damage:
    """A valid record follows another one than the one it was written after."""
    return Damage(seq, Reason.REWRITTEN, f"The record before record {seq} is not the one it was written after.")


def forged(seq: int) -> Damage:
    """The hash was made without the key."""
    return Damage(seq, Reason.FORGED, f"Record {seq} was written without the audit key, so Hawser did not write it.")


def unkeyed_after_keyed(seq: int) -> Damage:
    """Once Hawser has a key, it writes no record without one."""
    return Damage(
        seq,
        Reason.UNKEYED_AFTER_KEYED,
        f"Record {seq} has no key, but those before it have one. Hawser did not write it.",
    )


def key_missing(seq: int, key_id: str) -> Damage:
    """It is unknown whether the record is valid."""
    return Damage(
        seq,
        Reason.KEY_MISSING,
        f"Record {seq} names the audit key {key_id}, which HAWSER_AUDIT_KEY does not list. Add that "
        "key after the newest one and run hawser_audit verify --full. If there never was such a key, "
        "the record is forged.",
    )
