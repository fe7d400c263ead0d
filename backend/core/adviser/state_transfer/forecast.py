"""The parts of an SST: start, copy, prepare, catch up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from backend.core.estimates import FieldError, Unknown, in_range

WIRE_FACTOR = 1.24
"""Bytes sent for each byte of data. Measured: 1.15 at 0 ms, 1.24 at 50 ms; the larger one is used."""
FIXED_S = 10.0
"""Start of the server, view, connection and restart. Measured: 36.1 s in all with a copy of 26 s."""
PREPARED_PER_S = 58_900.0
"""Write-sets of the copy's time that `prepare` applies in a second. Measured: 76,600 commits in 1.3 s, pool 128 MiB."""
WARNED_PREPARE = "On disks, or with a buffer pool that does not hold the changed pages, it takes longer: not measured."


class Method(StrEnum):
    """`wsrep_sst_method`, as far as something is known of it."""

    MARIABACKUP = "mariabackup"
    RSYNC = "rsync"
    MYSQLDUMP = "mysqldump"


class PartName(StrEnum):
    """The parts in their order."""

    START = "start"
    COPY = "copy"
    PREPARE = "prepare"
    CATCH_UP = "catch_up"


@dataclass(frozen=True, slots=True)
class Inputs:
    """What a forecast is made from.

    `line_bits_per_s` is the slowest line between the nodes, `throughput_bytes_per_s` what a copy was measured to reach.
    `apply_per_s`: write-sets a second that the joiner applies at most. All that is unknown says why.
    """

    data_bytes: float | Unknown
    method: Method | Unknown
    line_bits_per_s: float | None = None
    throughput_bytes_per_s: float | None = None
    write_sets_per_s: float | Unknown = 0.0
    bytes_per_s: float | Unknown = 0.0
    apply_per_s: float | Unknown = 0.0

    def __post_init__(self) -> None:
        """Refuse what makes no sense, by the name of its field."""
        if not isinstance(self.data_bytes, Unknown):
            in_range("data_bytes", self.data_bytes, 1, 2**60, "bytes")
        if self.line_bits_per_s is not None:
            in_range("line_mbit_per_s", self.line_bits_per_s / 1e6, 0.01, 1e6, "Mbit/s")
        if self.throughput_bytes_per_s is not None:
            in_range("throughput_mb_per_s", self.throughput_bytes_per_s / 1e6, 0.001, 1e6, "MB/s")
        if not isinstance(self.apply_per_s, Unknown):
            in_range("apply_per_s", self.apply_per_s, 0, 1e7, "write-sets a second")


@dataclass(frozen=True, slots=True)
class Part:
    """One part in seconds, or why it is unknown; `basis` says what the figure is from."""

    name: PartName
    seconds: float | Unknown
    basis: str


@dataclass(frozen=True, slots=True)
class Forecast:
    """All parts. `known_s` is the sum of those that are known, `is_whole` whether that is all of them.

    `queued_bytes`: write-sets that the joiner stores until it catches up; beyond its gcache.size they take disk space.
    """

    parts: tuple[Part, ...]
    queued_bytes: float | Unknown

    @property
    def known_s(self) -> float:
        """A lower bound where a part is unknown."""
        return sum(part.seconds for part in self.parts if not isinstance(part.seconds, Unknown))

    @property
    def is_whole(self) -> bool:
        """Whether every part is known."""
        return not any(isinstance(part.seconds, Unknown) for part in self.parts)


def forecast(inputs: Inputs) -> Forecast:
    """The forecast. Measured against it: 67.0 s at 50 ms and 200 Mbit/s, where it says 60 (11 % too low)."""
    copy = _copy(inputs)
    prepare = _prepare(inputs, copy.seconds)
    catch_up = _catch_up(inputs, (copy.seconds, prepare.seconds))
    start = Part(PartName.START, FIXED_S, "Measured: about 10 s beside the copy, for start, view and restart.")
    return Forecast((start, copy, prepare, catch_up), _queued(inputs, (copy.seconds, prepare.seconds)))


def _copy(inputs: Inputs) -> Part:
    return Part(PartName.COPY, _copy_s(inputs), _copy_basis(inputs))


def _copy_s(inputs: Inputs) -> float | Unknown:
    if isinstance(inputs.data_bytes, Unknown):
        return inputs.data_bytes
    if isinstance(inputs.method, Unknown):
        return inputs.method
    if inputs.method is Method.MYSQLDUMP:
        return Unknown("A dump is loaded as statements, and how long that takes was not measured.")
    rates = [inputs.throughput_bytes_per_s, None if inputs.line_bits_per_s is None else inputs.line_bits_per_s / 8]
    known = [rate for rate in rates if rate is not None]
    if not known:
        return Unknown("Give the rate of the line, or the throughput of an earlier copy: neither is measured.")
    factor = WIRE_FACTOR if inputs.method is Method.MARIABACKUP else 1.0
    return inputs.data_bytes * factor / min(known)


def _copy_basis(inputs: Inputs) -> str:
    if inputs.method is Method.RSYNC:
        return "Data / rate. rsync was not measured, and it blocks the donor for the whole copy."
    law = f"Data x {WIRE_FACTOR} (measured: 1.15 to 1.24 bytes sent for each byte of data) / rate."
    if inputs.throughput_bytes_per_s is None and inputs.line_bits_per_s is not None:
        return f"{law} No throughput is given, so the line counts as the slowest part."
    return law


def _prepare(inputs: Inputs, copy_s: float | Unknown) -> Part:
    if inputs.method is Method.RSYNC:
        return Part(PartName.PREPARE, 0.0, "rsync copies files that are not written to, so nothing is prepared.")
    basis = f"Write-sets of the copy's time / 58,900 a second (measured on tmpfs). {WARNED_PREPARE}"
    if isinstance(copy_s, Unknown):
        return Part(PartName.PREPARE, Unknown("It follows from the copy, which is unknown."), basis)
    if isinstance(inputs.write_sets_per_s, Unknown):
        return Part(PartName.PREPARE, inputs.write_sets_per_s, basis)
    return Part(PartName.PREPARE, copy_s * inputs.write_sets_per_s / PREPARED_PER_S, basis)


def _catch_up(inputs: Inputs, before: Sequence[float | Unknown]) -> Part:
    basis = "Write-sets queued meanwhile / (what the joiner applies a second - what is written a second)."
    return Part(PartName.CATCH_UP, _catch_up_s(inputs, before), basis)


def _catch_up_s(inputs: Inputs, before: Sequence[float | Unknown]) -> float | Unknown:
    waited_s = _sum(before)
    written, applied = inputs.write_sets_per_s, inputs.apply_per_s
    if isinstance(written, Unknown):
        return written
    if not written:
        return 0.0
    if isinstance(waited_s, Unknown):
        return waited_s
    if isinstance(applied, Unknown):
        return applied
    if applied <= written:
        return Unknown(f"It would never catch up: {written:.0f} write-sets a second come, {applied:.0f} are applied.")
    return waited_s * written / (applied - written)


def _queued(inputs: Inputs, before: Sequence[float | Unknown]) -> float | Unknown:
    waited_s = _sum(before)
    if isinstance(waited_s, Unknown):
        return waited_s
    return inputs.bytes_per_s if isinstance(inputs.bytes_per_s, Unknown) else waited_s * inputs.bytes_per_s


def _sum(parts: Sequence[float | Unknown]) -> float | Unknown:
    total = 0.0
    for part in parts:
        if isinstance(part, Unknown):
            return Unknown("It follows from copy and prepare, which are not both known.")
        total += part
    return total


def method_named(text: str | None) -> Method | Unknown:
    """The method of `wsrep_sst_method`; one that nothing is known of is unknown."""
    if not text:
        return Unknown("wsrep_sst_method was not read of the node.")
    try:
        return Method(text)
    except ValueError:
        return Unknown(f"Nothing is known of how long the method {text} takes.")


def method_given(text: str) -> Method:
    """The method that a caller names; FieldError with the choices for any other."""
    try:
        return Method(text)
    except ValueError as problem:
        choices = ", ".join(Method)
        raise FieldError("method", f"Give method as one of {choices}, not {text[:40]!r}.") from problem
