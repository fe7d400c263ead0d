"""Values of provider options: durations ("PT5S", "P1D"), sizes ("128M") and switches; None where one has no such form.

The plugin shows durations as numbers of seconds.
"""

from __future__ import annotations

import re
from typing import Final

_DURATION: Final = re.compile(
    r"P(?=[\dT])((?P<d>\d+(\.\d+)?)D)?(T(?=\d)((?P<h>\d+(\.\d+)?)H)?((?P<m>\d+(\.\d+)?)M)?((?P<s>\d+(\.\d+)?)S)?)?"
)
_SECONDS: Final = {"d": 86_400, "h": 3_600, "m": 60, "s": 1}
_NUMBER: Final = re.compile(r"[+-]?\d+(\.\d+)?([eE][+-]?\d+)?")
_SIZE: Final = re.compile(r"(\d+)([KMGT]?)", re.IGNORECASE)
_POWERS: Final = {"": 0, "K": 1, "M": 2, "G": 3, "T": 4}
_SWITCH: Final = {"yes": True, "true": True, "on": True, "no": False, "false": False, "off": False}


def duration_s(text: str | None) -> float | None:
    """Seconds of an ISO 8601 duration without months and years, or of a plain number of seconds."""
    if text is None:
        return None
    found = _DURATION.fullmatch(text)
    if found:
        return sum(float(found[part]) * _SECONDS[part] for part in _SECONDS if found[part])
    value = number(text)
    return value if value is not None and value >= 0 else None


def size_bytes(text: str | None) -> int | None:
    """Bytes of a size with or without a unit of 1024."""
    found = _SIZE.fullmatch(text or "")
    return int(found[1]) * 1024 ** _POWERS[found[2].upper()] if found else None


def number(text: str | None) -> float | None:
    """A decimal number."""
    return float(text) if text is not None and _NUMBER.fullmatch(text) else None


def switch(text: str | None) -> bool | None:
    """Whether a switch is on."""
    return _SWITCH.get((text or "").lower())


def same(one: str, other: str) -> bool:
    """Whether two values are the same in another form: `128M` and `134217728`, `yes` and `true`, `PT1M` and `PT60S`."""
    if one.lower() == other.lower():
        return True
    return any(form(one) is not None and form(one) == form(other) for form in (switch, size_bytes, duration_s))
