"""Reads pasted network settings: the output of `sysctl`, lines of a file for it, or a result of the probe."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NoReturn

from backend.core.adviser.advice.host_settings.known import CONGESTION_CONTROL, FORMS
from backend.core.adviser.network.probe_result import parse_probe
from backend.core.adviser.network.values import ResultError

MAX_BYTES = 200_000
"""`sysctl -a` of a host with a few interfaces has 40 to 100 kB."""
_AGAIN = "Run the command shown and paste its whole output."
_COMMAND = re.compile(r"(?:sudo\s+)?(?:/\S*/)?sysctl\s+(?:(?:-w|--write)\s+)?", re.ASCII)
_NUMBER = re.compile(r"\d{1,10}", re.ASCII)
_WORD = re.compile(r"[a-z0-9_-]{1,32}", re.ASCII)


class HostSettingsError(ValueError):
    """The text cannot be used: what is wrong with it, and what to do."""


@dataclass(frozen=True, slots=True)
class HostSettings:
    """The known settings of one host; a key that is missing is unknown. `node_id` is empty unless the text names it."""

    values: Mapping[str, str]
    node_id: str = ""


def parse_host_settings(text: str) -> tuple[HostSettings, ...]:
    """The settings of one host, or of the two hosts of a result of the probe. Raises HostSettingsError only."""
    if not text.strip():
        _refuse("The text is empty.")
    if len(text.encode(errors="replace")) > MAX_BYTES:
        _refuse(f"The text is longer than {MAX_BYTES // 1000} kB.")
    if text.lstrip("\ufeff \t\r\n").startswith("{"):
        return _of_probe(text)
    return (HostSettings(_known(_lines(text))),)


def _of_probe(text: str) -> tuple[HostSettings, ...]:
    try:
        result = parse_probe(text.lstrip("\ufeff"))
    except ResultError as error:
        raise HostSettingsError(error.message) from error
    measured = result.measurement
    near = _facts(result.from_node, measured.host_settings, measured.congestion_control)
    far = _facts(result.to_node, measured.remote_host_settings, measured.remote_congestion_control)
    return HostSettings(_known(near), result.from_node), HostSettings(_known(far), result.to_node)


def _facts(node: str, settings: Mapping[str, str], congestion_control: str) -> Iterator[tuple[str, str, str]]:
    for name, value in settings.items():
        yield f"Host {node}", name, value
    if congestion_control:
        yield f"Host {node}", CONGESTION_CONTROL, congestion_control


def _lines(text: str) -> Iterator[tuple[str, str, str]]:
    """Where it stands, the name and the value of each assignment."""
    for number, line in enumerate(text.lstrip("\ufeff").splitlines(), 1):
        assignment = _COMMAND.sub("", line.strip(), count=1) if "sysctl" in line else line.strip()
        name, sign, value = assignment.partition("=")
        if sign:
            yield f"Line {number}", name.strip().removeprefix("-").strip().replace("/", "."), value.strip().strip("'\"")


def _known(given: Iterator[tuple[str, str, str]]) -> dict[str, str]:
    found: dict[str, str] = {}
    for where, name, value in given:
        if name not in FORMS:
            continue
        read = _value(where, name, value)
        if found.setdefault(name, read) != read:
            _refuse(f"{where}: {name} has another value than before, so the text is of several hosts.", "Paste one.")
    if not found:
        _refuse("The text has no line with a known setting, such as net.core.rmem_max = 212992.")
    return found


def _value(where: str, name: str, value: str) -> str:
    parts, numbers = value.split(), FORMS[name].numbers
    if numbers and (len(parts) != numbers or not all(_NUMBER.fullmatch(part) for part in parts)):
        wanted = "a number" if numbers == 1 else f"{numbers} numbers"
        _refuse(f"{where}: {name} must be {wanted}, not {value[:40]!a}.")
    if not numbers and (not parts or not all(_WORD.fullmatch(part) for part in parts)):
        _refuse(f"{where}: {name} must be a name, not {value[:40]!a}.")
    return " ".join(parts)


def _refuse(problem: str, remedy: str = _AGAIN) -> NoReturn:
    raise HostSettingsError(f"{problem} Nothing was compared. {remedy}")
