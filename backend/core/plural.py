"""Counts of things in sentences that an operator reads."""

from __future__ import annotations

from collections.abc import Sequence


def pluralize(count: int, noun: str, plural: str | None = None) -> str:
    """The count with its noun: `1 transaction`, `1,200 transactions`; `plural` where it is not noun + s."""
    return f"{count:,} {noun if count == 1 else plural or f'{noun}s'}"


def pick(count: int, singular: str, plural: str) -> str:
    """The word that fits a count: `is` for 1, else `are`."""
    return singular if count == 1 else plural


def listed(names: Sequence[str]) -> str:
    """Names in their order: `a`, `a and b`, `a, b and c`."""
    return " and ".join([*([", ".join(names[:-1])] if names[:-1] else []), *names[-1:]])
