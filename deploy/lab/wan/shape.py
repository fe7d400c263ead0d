"""What a link does to packets in one direction, and how a person writes it. Pure."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from deploy.lab.errors import LabError

LONGEST_DELAY_MS = 2000.0
LONGEST_QUEUE_MS = 2000.0
RATES_MBIT = (0.01, 10_000.0)

_NUMBER = re.compile(r"(\d+(?:\.\d+)?)\s*([a-z%]+)")
_MILLISECONDS = {"us": 0.001, "ms": 1.0, "s": 1000.0}
_MEGABITS = {"kbit": 0.001, "mbit": 1.0, "gbit": 1000.0}


@dataclass(frozen=True)
class Shape:
    """One direction of a link: `delay_ms` plus or minus `jitter_ms`, shares lost and reordered in percent.

    Packets keep their order under jitter. A reordered packet overtakes: it is sent without the delay.
    `rate_mbit` of 0 is unlimited; a packet that would wait longer than `queue_ms` for the line is dropped.
    """

    delay_ms: float = 0.0
    jitter_ms: float = 0.0
    loss_percent: float = 0.0
    reorder_percent: float = 0.0
    rate_mbit: float = 0.0
    queue_ms: float = 200.0

    def __post_init__(self) -> None:
        for name, value, most in (
            ("--delay", self.delay_ms, LONGEST_DELAY_MS),
            ("--jitter", self.jitter_ms, self.delay_ms),
            ("--loss", self.loss_percent, 100.0),
            ("--reorder", self.reorder_percent, 100.0),
            ("--queue", self.queue_ms, LONGEST_QUEUE_MS),
        ):
            _check_range(name, value, 0.0, most)
        if self.rate_mbit:
            _check_range("--rate", self.rate_mbit, *RATES_MBIT)
        if self.reorder_percent and not self.delay_ms:
            raise LabError("--reorder needs a --delay: only packets that wait can be overtaken")

    def __str__(self) -> str:
        parts = [f"delay {self.delay_ms:g} ms"]
        parts += [f"jitter {self.jitter_ms:g} ms"] if self.jitter_ms else []
        parts += [f"loss {self.loss_percent:g} %"] if self.loss_percent else []
        parts += [f"reorder {self.reorder_percent:g} %"] if self.reorder_percent else []
        parts += [f"rate {self.rate_mbit:g} Mbit/s, queue {self.queue_ms:g} ms"] if self.rate_mbit else []
        return ", ".join(parts)


def _check_range(option: str, value: float, least: float, most: float) -> None:
    if not (math.isfinite(value) and least <= value <= most):
        bound = "at most the delay" if option == "--jitter" else f"{least:g} to {most:g}"
        raise LabError(f"{option} is {value:g}; it must be {bound}")


def parse_milliseconds(option: str, text: str) -> float:
    """`50ms`, `0.2s` or `500us` in milliseconds."""
    return _parse(option, text, _MILLISECONDS, "a duration with its unit, for example 50ms")


def parse_percent(option: str, text: str) -> float:
    """`0.1%` as 0.1."""
    return _parse(option, text, {"%": 1.0}, "a share in percent, for example 0.1%")


def parse_megabits(option: str, text: str) -> float:
    """`100mbit`, `512kbit` or `1gbit` a second in megabits."""
    rate = _parse(option, text, _MEGABITS, "bits a second, for example 100mbit")
    if rate == 0:
        raise LabError(f"{option} must be more than 0. Leave it out for a line without a limit")
    return rate


def _parse(option: str, text: str, units: dict[str, float], expected: str) -> float:
    match = _NUMBER.fullmatch(text.strip().lower())
    if match is None or match[2] not in units:
        raise LabError(f"{option} takes {expected}, not {text!r}")
    return float(match[1]) * units[match[2]]
