"""Counts of things in sentences that an operator reads."""

from __future__ import annotations


def counted(number: int, noun: str, plural: str = "") -> str:
    """The number with thousands separated and the noun in the form that fits it: `1 row`, `1,200 rows`."""
    return f"{number:,} {noun if number == 1 else plural or f'{noun}s'}"


def pick(number: int, singular: str, plural: str) -> str:
    """The word that fits a number: `is` for 1, else `are`."""
    return singular if number == 1 else plural
