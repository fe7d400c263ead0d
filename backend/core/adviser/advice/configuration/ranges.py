"""The settings that a plan may change on running nodes, each with the values that it accepts.

A setting that is not here is never changed by a plan: no range is known for it, it needs a restart, or a change on a
running cluster would touch what the channels or the applications rest on (formats, GTIDs, quorum, character sets).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from backend.core.adviser.advice.options.values import duration_s, number, size_bytes, switch


class ValueKind(StrEnum):
    """The form of a value, and how an operator is told to write it."""

    COUNT = "a whole number"
    PART = "a number"
    DURATION = "a duration such as PT15S"
    SIZE = "a size such as 128M"
    SWITCH = "yes or no"


@dataclass(frozen=True, slots=True)
class ValueRange:
    """Accepted values: from `least` to `most`, in whole numbers, seconds or bytes."""

    kind: ValueKind
    least: float = 0
    most: float = 0

    def accepts(self, text: str) -> bool:
        """Whether a value has the form and lies in the range; what cannot be read does not."""
        if self.kind is ValueKind.SWITCH:
            return switch(text) is not None
        value = self.read(text)
        return value is not None and self.least <= value <= self.most

    def read(self, text: str) -> float | None:
        """The value as a number; None where it has another form."""
        if self.kind is ValueKind.COUNT:
            return int(text) if text.isascii() and text.isdigit() else None
        if self.kind is ValueKind.SIZE:
            return size_bytes(text)
        return duration_s(text) if self.kind is ValueKind.DURATION else number(text)

    @property
    def sentence(self) -> str:
        """What is accepted."""
        if self.kind is ValueKind.SWITCH:
            return self.kind.value
        unit = {ValueKind.DURATION: " s", ValueKind.SIZE: " bytes"}.get(self.kind, "")
        return f"{self.kind.value}, from {self.least:,g} to {self.most:,.10g}{unit}"


_SWITCH: Final = ValueRange(ValueKind.SWITCH)
_WINDOW: Final = ValueRange(ValueKind.COUNT, 1, 65_536)
_TIMEOUT: Final = ValueRange(ValueKind.DURATION, 0.1, 600)
_PERIOD: Final = ValueRange(ValueKind.DURATION, 0.1, 60)
_PART: Final = ValueRange(ValueKind.PART, 0, 1)
_WRITE_SET: Final = ValueRange(ValueKind.SIZE, 1_024, 2_147_483_647)
OPTIONS: Final[Mapping[str, ValueRange]] = {
    "cert.log_conflicts": _SWITCH,
    "cert.optimistic_pa": _SWITCH,
    "evs.delay_margin": _TIMEOUT,
    "evs.inactive_timeout": _TIMEOUT,
    "evs.install_timeout": _TIMEOUT,
    "evs.join_retrans_period": _PERIOD,
    "evs.keepalive_period": _PERIOD,
    "evs.send_window": _WINDOW,
    "evs.stats_report_period": ValueRange(ValueKind.DURATION, 1, 86_400),
    "evs.suspect_timeout": _TIMEOUT,
    "evs.use_aggregate": _SWITCH,
    "evs.user_send_window": _WINDOW,
    "gcache.keep_pages_size": ValueRange(ValueKind.SIZE, 0, 2**40),
    "gcs.fc_factor": _PART,
    "gcs.fc_limit": ValueRange(ValueKind.COUNT, 1, 1_000_000),
    "gcs.max_throttle": _PART,
    "gcs.recv_q_soft_limit": _PART,
    "gcs.sync_donor": _SWITCH,
    "pc.weight": ValueRange(ValueKind.COUNT, 0, 255),
    "repl.causal_read_timeout": ValueRange(ValueKind.DURATION, 0.1, 3_600),
    "repl.max_ws_size": _WRITE_SET,
}
VARIABLES: Final[Mapping[str, ValueRange]] = {
    "innodb_flush_log_at_trx_commit": ValueRange(ValueKind.COUNT, 0, 3),
    "max_allowed_packet": ValueRange(ValueKind.COUNT, 1_024, 1_073_741_824),
    "sync_binlog": ValueRange(ValueKind.COUNT, 0, 4_294_967_295),
    "wsrep_applier_threads": ValueRange(ValueKind.COUNT, 1, 512),
    "wsrep_max_ws_rows": ValueRange(ValueKind.COUNT, 0, 1_048_576),
    "wsrep_max_ws_size": ValueRange(ValueKind.COUNT, 1_024, 2_147_483_647),
    "wsrep_slave_threads": ValueRange(ValueKind.COUNT, 1, 512),
    "wsrep_sync_wait": ValueRange(ValueKind.COUNT, 0, 15),
}
NOT_ABOVE: Final = (("evs.user_send_window", "evs.send_window"), ("evs.suspect_timeout", "evs.inactive_timeout"))
"""Pairs of options of which the first one may never be greater than the second one, not even between two statements."""


def is_option(name: str) -> bool:
    """Whether a name is one of a provider option: those have a group, server variables have none."""
    return "." in name


def range_of(name: str) -> ValueRange | None:
    """What a plan accepts for a setting; None where no plan changes it."""
    return (OPTIONS if is_option(name) else VARIABLES).get(name)
