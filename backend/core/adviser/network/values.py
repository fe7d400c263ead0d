"""Takes figures out of a result. What is missing, garbled or absurd is an error that names the field."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, NoReturn

from backend.core.adviser.network.measurement import NetworkLatency

MAX_LATENCY_MS = 120_000.0
MAX_MBIT_S = 1_000_000.0
MAX_EXCHANGE_BYTES = 64 * 2**20
MAX_TRANSACTIONS = 10**9
MAX_RATE_PER_S = 10**7
MIN_MTU_BYTES, MAX_MTU_BYTES = 68, 65_536
MAX_OFFSET_MS = 10 * 365 * 86_400_000.0
_NUMBER = re.compile(r"[+-]?\d{1,15}(\.\d{1,12})?(e[+-]?\d{1,2})?", re.IGNORECASE | re.ASCII)


class ResultError(ValueError):
    """A result that is not taken: the field at fault, and what to do."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field
        self.message = message


def refuse(field: str, problem: str, remedy: str) -> NoReturn:
    """Refuse the result."""
    raise ResultError(field, f"{problem} Nothing was stored. {remedy}")


def json_object(output: str, made_by: str) -> Mapping[str, Any]:
    """The one JSON object of an output; refuses what is cut, repeats a name, or holds no finite numbers."""
    try:
        found = json.loads(output, object_pairs_hook=_unique, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        refuse("result", "This is not complete JSON.", f"Paste the whole output of {made_by}, from {{ to }}.")
    if not isinstance(found, dict):
        refuse("result", "This JSON is not an object.", f"Paste the whole output of {made_by}, from {{ to }}.")
    return found


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name occurs twice")
    return found


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON number")


def number(field: str, value: Any, least: float, most: float, *, remedy: str = "Measure again.") -> float:
    """A finite number within the limits; text is taken where it is a plain number."""
    if isinstance(value, str) and _NUMBER.fullmatch(value.strip()):
        value = float(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        refuse(field, f"{field} is missing or is not a number.", remedy)
    if not least <= value <= most:  # never true of NaN
        refuse(field, f"{field} is {shown(value)}, and must be between {shown(least)} and {shown(most)}.", remedy)
    return float(value)


def whole(field: str, value: Any, least: int, most: int, *, remedy: str = "Measure again.") -> int:
    """A whole number within the limits."""
    found = number(field, value, least, most, remedy=remedy)
    if found != int(found):
        refuse(field, f"{field} is {shown(found)}, and must be a whole number.", remedy)
    return int(found)


def optional(field: str, value: Any, least: float, most: float) -> float | None:
    """A number, or None where the tool gave none."""
    return None if value is None else number(field, value, least, most)


def latency(field: str, **figures: float | None) -> NetworkLatency:
    """Percentiles that do not contradict each other."""
    known = {
        name: number(f"{field}.{name}", value, 0, MAX_LATENCY_MS)
        for name, value in figures.items()
        if value is not None
    }
    found = NetworkLatency(**known)
    last, last_name = 0.0, ""
    for name in ("min_ms", "p50_ms", "p95_ms", "p99_ms", "max_ms"):
        value = known.get(name)
        if value is None:
            continue
        if value < last:
            refuse(f"{field}.{name}", f"{name} is less than {last_name}.", "The result is damaged: measure again.")
        last, last_name = value, name
    return found


def shown(value: float) -> str:
    """A number in a sentence."""
    if abs(value) >= 1e15:
        return "larger than 1,000,000,000,000,000" if value > 0 else "smaller than -1,000,000,000,000,000"
    return f"{value:,.6g}" if abs(value) < 1e6 else f"{value:,.0f}"
