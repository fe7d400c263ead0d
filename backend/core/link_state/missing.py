"""What the standby lacks of the active side: a count, or as many as were read of a side that is lost."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Missing:
    """`transactions` None: unknown; then `at_least` is the number read of the other side's logs, None for none."""

    transactions: int | None
    at_least: int | None = None
