"""Bytes of each pair of nodes as the router of a lab with distance counted them: `make lab ARGS='wan --json'`."""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from backend.core.adviser.bandwidth.traffic import Pair
from backend.core.estimates import FieldError

FIELD = "output"
MOST_CHARACTERS = 400_000
_MOST_PAIRS, _MOST_BYTES, _LONGEST_S = 2_000, 2**60, 7 * 86_400.0
_HOW = "Paste what make lab ARGS='wan --json' prints, whole."


@dataclass(frozen=True, slots=True)
class Counted:
    """Bytes of each ordered pair of the cluster's nodes within `seconds`; `left_out` pairs are of other ends."""

    seconds: float
    pairs: Mapping[Pair, int]
    left_out: int


def read_counters(text: str, nodes: Collection[str]) -> Counted:
    """The counters of these nodes; FieldError where the text is none, or of other nodes."""
    if len(text) > MOST_CHARACTERS:
        raise FieldError(FIELD, f"The text is longer than {MOST_CHARACTERS:,} characters. {_HOW}")
    try:
        report = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FieldError(FIELD, f"This is no whole JSON. {_HOW}") from error
    if not isinstance(report, dict) or not isinstance(report.get("pairs"), list):
        raise FieldError(FIELD, f"This JSON has no list pairs. {_HOW}")
    seconds: Any = report.get("seconds")
    if not _is_number(seconds) or not 1 <= seconds <= _LONGEST_S:
        raise FieldError(FIELD, "seconds must be from 1 to 604,800: count for a while, and paste the report then.")
    if len(report["pairs"]) > _MOST_PAIRS:
        raise FieldError(FIELD, f"There are more than {_MOST_PAIRS:,} pairs. {_HOW}")
    return _of_nodes(float(seconds), report["pairs"], nodes)


def _of_nodes(seconds: float, given: list[Any], nodes: Collection[str]) -> Counted:
    pairs: dict[Pair, int] = {}
    for number, one in enumerate(given, start=1):
        pair, size = _pair(one, number)
        if pair in pairs:
            raise FieldError(FIELD, f"The pair {pair[0]} to {pair[1]} occurs twice. {_HOW}")
        if set(pair) <= set(nodes):
            pairs[pair] = size
    if not pairs:
        raise FieldError(FIELD, "No pair is of two nodes of this cluster. Paste it on the page of its own cluster.")
    return Counted(seconds, pairs, len(given) - len(pairs))


def _pair(one: Any, number: int) -> tuple[Pair, int]:
    if not isinstance(one, dict):
        raise FieldError(FIELD, f"Pair {number} is no object. {_HOW}")
    ends, size = (one.get("from"), one.get("to")), one.get("bytes")
    if not all(isinstance(end, str) and 0 < len(end) <= 80 for end in ends) or ends[0] == ends[1]:
        raise FieldError(FIELD, f"Pair {number} does not name two ends in from and to. {_HOW}")
    if not isinstance(size, int) or isinstance(size, bool) or not 0 <= size <= _MOST_BYTES:
        raise FieldError(FIELD, f"bytes of pair {number} is no whole number of bytes. {_HOW}")
    return (str(ends[0]), str(ends[1])), size


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
