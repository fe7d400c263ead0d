"""One row for each setting of a host: its value, what is recommended, and the statements that lead there and back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from backend.core.adviser.advice.host_settings.known import (
    AVAILABLE,
    CONGESTION_CONTROL,
    NOT_ADVISED,
    RECOMMENDED,
    Form,
    HostSetting,
)
from backend.core.adviser.advice.host_settings.parse import HostSettings
from backend.core.adviser.advice.layout import Layout

_OVER_DISTANCE = "It matters over distance, and changes nothing worth having at one site."
_CHOOSE = "It matters over distance. Choose a profile: whether the nodes lie at two sites is unknown."
_NOT_LOADED = " bbr is not loaded on this host: the statement loads it, or fails where the kernel does not have it."
_HEAD = (
    "# /etc/sysctl.d/60-hawser.conf\n"
    "# Loaded at boot and by: sysctl --system. A later file with the same setting wins, for example 99-sysctl.conf.\n"
)


class Judgement(StrEnum):
    """What is said of a setting."""

    CHANGE = "change"
    RIGHT = "right"
    NOT_ADVISED = "not_advised"


@dataclass(frozen=True, slots=True)
class HostSettingRow:
    """One network setting; `statement` and `undo` are empty where no change is advised."""

    name: str
    current: str
    recommended: str | None
    is_minimum: Annotated[bool, "a greater value is as good as the recommended one"]
    judgement: Judgement
    why: str
    effect: str = ""
    based_on: Annotated[str, "where the value is from"] = ""
    statement: str = ""
    undo: str = ""


@dataclass(frozen=True, slots=True)
class HostComparison:
    """The settings of one host, changes first; `missing` are unknown and give no advice."""

    host: Annotated[str, "the node and its cluster, where the text names it"]
    rows: tuple[HostSettingRow, ...]
    missing: tuple[str, ...]
    fragment: Annotated[str, "lines for /etc/sysctl.d/60-hawser.conf"]


def compare_host(host: HostSettings, layout: Layout) -> HostComparison:
    """The settings of a host beside what is recommended for the layout. A missing setting gives no advice."""
    order = list(Judgement)
    rows = [_row(one, host, layout) for one in (*RECOMMENDED, *NOT_ADVISED) if one.name in host.values]
    rows.sort(key=lambda row: order.index(row.judgement))
    needed = [one.name for one in RECOMMENDED if layout in one.wanted and not one.is_removed]
    missing = tuple(name for name in needed if name not in host.values)
    return HostComparison(host.node_id, tuple(rows), missing, _fragment(rows))


def _row(setting: HostSetting, host: HostSettings, layout: Layout) -> HostSettingRow:
    name, current, least = setting.name, host.values[setting.name], setting.wanted.get(layout)
    if least is None:
        return HostSettingRow(
            name, current, None, is_minimum=False, judgement=Judgement.NOT_ADVISED, why=_why_not(setting, layout)
        )
    wanted = _wanted(setting.form, current, least)
    is_met = _is_met(setting.form, current, wanted)
    is_unloaded = name == CONGESTION_CONTROL and not is_met and _is_unloaded(wanted, host)
    return HostSettingRow(
        name,
        current,
        wanted,
        is_minimum=setting.form in {Form.LEAST, Form.LEAST_OF_THREE},
        judgement=Judgement.RIGHT if is_met else Judgement.CHANGE,
        why=setting.why + (_NOT_LOADED if is_unloaded else ""),
        effect=setting.effect,
        based_on=setting.source,
        statement="" if is_met else _statement(name, wanted),
        undo="" if is_met else _statement(name, current),
    )


def _why_not(setting: HostSetting, layout: Layout) -> str:
    if not setting.wanted:
        return setting.why
    return _CHOOSE if layout is Layout.UNKNOWN else _OVER_DISTANCE


def _wanted(form: Form, current: str, least: str) -> str:
    """The whole value: of three numbers the first two stay."""
    return " ".join([*current.split()[:2], least]) if form is Form.LEAST_OF_THREE else least


def _is_met(form: Form, current: str, wanted: str) -> bool:
    if form is Form.WORDS:
        return current == wanted
    found, asked = int(current.rsplit(maxsplit=1)[-1]), int(wanted.rsplit(maxsplit=1)[-1])
    return found == asked if form is Form.EXACT else found >= asked


def _is_unloaded(wanted: str, host: HostSettings) -> bool:
    available = host.values.get(AVAILABLE)
    return available is not None and wanted not in available.split()


def _statement(name: str, value: str) -> str:
    return f"sysctl -w {name}='{value}'" if " " in value else f"sysctl -w {name}={value}"


def _fragment(rows: Sequence[HostSettingRow]) -> str:
    lines = [f"{row.name} = {row.recommended}" for row in rows if row.judgement is Judgement.CHANGE]
    return _HEAD + "\n".join(lines) + "\n" if lines else ""
