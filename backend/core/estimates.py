"""What an estimate is when a fact is missing, and how an input that makes no sense is refused.

A missing fact gives `Unknown` with the reason, never a number. A given value out of its range gives `FieldError`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Unknown:
    """A value that is unknown; `reason` is a sentence for the operator."""

    reason: str


def parted(found: T | Unknown) -> tuple[T | None, str]:
    """A value and no reason, or None and why it is unknown: a figure as outputs show it."""
    return (None, found.reason) if isinstance(found, Unknown) else (found, "")


def known(found: T | Unknown) -> T | None:
    """A value, or None where it is unknown."""
    return parted(found)[0]


@dataclass(frozen=True, slots=True)
class Rounded:
    """To how many digits after the point an output shows a number."""

    digits: int


Tenths = Annotated[float, Rounded(1)]
Hundredths = Annotated[float, Rounded(2)]
Thousandths = Annotated[float, Rounded(3)]


class FieldError(ValueError):
    """An input makes no sense; `field` is its name, the message says what to give instead."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


def in_range(field: str, value: float, lowest: float, highest: float, unit: str) -> float:
    """The value, where it is a number of this range; FieldError otherwise."""
    if not math.isfinite(value) or not lowest <= value <= highest:
        range_text = f"from {_text(lowest)} to {_text(highest)} {unit}"
        raise FieldError(field, f"Give {field} as a number {range_text}, not {_text(value)}.")
    return value


def _text(value: float) -> str:
    return f"{value:,.0f}" if math.isfinite(value) and value == int(value) else f"{value:g}"
