"""What can be wrong with the chain: a code for programs, a place, and a sentence for people."""

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
    """The first damage: the record that is bad or missing, and why."""

    seq: int
    reason: Reason
    detail: str


def missing(seq: int) -> Damage:
    """A record is not there though later ones, or the head, say that it was written."""
    return Damage(seq, Reason.TRUNCATED, f"Record {seq} is missing.")


def rewritten(seq: int) -> Damage:
    """The content is not the one that the hash was made for."""
    return Damage(seq, Reason.REWRITTEN, f"Record {seq} was changed after it was written.")


def past_rewritten(seq: int) -> Damage:
    """A sound record follows another one than the one it was written after."""
    return Damage(seq, Reason.REWRITTEN, f"What stands before record {seq} is not what it was written after.")


def forged(seq: int) -> Damage:
    """A hash that no holder of the key made."""
    return Damage(seq, Reason.FORGED, f"Record {seq} was written by somebody without the audit key.")


def unkeyed_after_keyed(seq: int) -> Damage:
    """The console writes none without a key once it has one."""
    return Damage(
        seq,
        Reason.UNKEYED_AFTER_KEYED,
        f"Record {seq} has no key, though those before it have one: the console did not write it.",
    )


def key_missing(seq: int, key_id: str) -> Damage:
    """It cannot be told whether the record is sound."""
    return Damage(
        seq,
        Reason.KEY_MISSING,
        f"Record {seq} names the audit key {key_id}, which HAWSER_AUDIT_KEY does not list: add it there behind the"
        " newest and run hawser_audit verify --full; if there never was such a key, the record is forged.",
    )
