"""What an estimate is when a fact is missing, and how an input that makes no sense is refused.

A missing fact gives `Unknown` with the reason, never a number. A given value out of its range gives `FieldError`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Unknown:
    """A value that is unknown; `reason` is a sentence for the operator."""

    reason: str


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
