"""Reads the environment: every name starts with HAWSER_, a `_FILE` twin names a file instead."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from django.core.exceptions import ImproperlyConfigured

ROOT: Final = Path(__file__).resolve().parents[2]
_TRUE: Final = frozenset({"1", "true", "yes", "on"})
_FALSE: Final = frozenset({"", "0", "false", "no", "off"})


def text(name: str, default: str = "") -> str:
    """A value as text; `NAME_FILE` wins over `NAME`, so that secrets can come from files."""
    file = os.environ.get(f"{name}_FILE")
    if not file:
        return os.environ.get(name, default)
    try:
        return Path(file).read_text(encoding="utf-8").strip()
    except OSError as error:
        raise ImproperlyConfigured(f"{name}_FILE names a file that cannot be read: {error}") from error


def flag(name: str, *, default: bool = False) -> bool:
    """A switch; anything but a plain yes or no is refused."""
    value = os.environ.get(name)
    if value is None:
        return default
    if value.lower() in _TRUE:
        return True
    if value.lower() in _FALSE:
        return False
    raise ImproperlyConfigured(f"{name} must be 1 or 0, not {value!r}")


def number(name: str, default: float) -> float:
    """A number."""
    value = os.environ.get(name, "")
    try:
        return float(value) if value else default
    except ValueError as error:
        raise ImproperlyConfigured(f"{name} must be a number, not {value!r}") from error


def text_list(name: str, default: str = "") -> list[str]:
    """A comma-separated list without blanks."""
    return [part.strip() for part in text(name, default).split(",") if part.strip()]


DEMO: Final = flag("HAWSER_DEMO")
DEBUG: Final = flag("HAWSER_DEBUG")
RELAXED: Final = DEMO or DEBUG
"""Demo and debug may use built-in secrets and plain HTTP; production never."""


def secret(name: str, relaxed_default: str) -> str:
    """A secret that production must set; the built-in one serves demo and debug only."""
    value = text(name)
    if value and (RELAXED or value != relaxed_default):
        return value
    if RELAXED:
        return relaxed_default
    raise ImproperlyConfigured(f"Set {name} or {name}_FILE: the built-in value is for the demo only")
