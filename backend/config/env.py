"""Reads the environment once, by the table of settings; all errors are reported together, before anything starts.

A variable `NAME_FILE` names a file instead and takes precedence over `NAME`, so that secrets can come from files. A
secret or an address can be a reference into the vault instead (`own_secrets`).
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from django.core.exceptions import ImproperlyConfigured

from backend.config.own_secrets import PREFIX, OwnSecrets
from backend.config.setting_kinds import Secret, Setting, Url
from backend.config.setting_table import BY_NAME, ROOT, SETTINGS
from backend.core.plural import pluralize

__all__ = ["DEBUG", "DEMO", "READINGS", "RELAXED", "ROOT", "flag", "number", "read", "text", "text_list", "whole"]


@dataclass(frozen=True, slots=True)
class Reading:
    """A setting in force: its text, its value, and its origin."""

    setting: Setting
    text: str
    value: Any
    origin: str


def read(environ: Mapping[str, str]) -> dict[str, Reading]:
    """Every setting of the table; ImproperlyConfigured names each one that is wrong, with the remedy."""
    relaxed = any(_early(name, environ) for name in ("HAWSER_DEMO", "HAWSER_DEBUG"))
    process = str(_early("HAWSER_PROCESS", environ) or "")
    readings, faults = {}, []
    vault = OwnSecrets(lambda name: _early(f"HAWSER_VAULT_{name}", environ))
    for setting in SETTINGS:
        try:
            readings[setting.name] = _read_one(setting, environ, relaxed, process, vault)
        except ValueError as error:
            faults.append(f"{setting.name}: {error}.")
    if faults:
        raise ImproperlyConfigured("\n  ".join([f"{pluralize(len(faults), 'setting')} cannot be used:", *faults]))
    return readings


def _early(name: str, environ: Mapping[str, str]) -> Any:
    """A setting that decides how the others are read; None if it is wrong, which is reported with the others."""
    try:
        return _read_one(BY_NAME[name], environ, relaxed=False, process="").value
    except ValueError:
        return None


def _read_one(
    setting: Setting, environ: Mapping[str, str], relaxed: bool, process: str, vault: OwnSecrets | None = None
) -> Reading:
    text, origin = _given(setting.name, environ)
    if vault is not None and isinstance(setting.kind, Secret | Url) and text.startswith(PREFIX):
        text, origin = vault.read(text), text
    if not text:
        text, origin = setting.default_text(relaxed=relaxed), "default"
    if not text and setting.required_by and process in ("", *setting.required_by):
        raise ValueError(f"is missing. Set {setting.name}_FILE to a file that holds it, or {setting.name}")
    return Reading(setting, text, setting.kind.parse(text, relaxed=relaxed), origin)


def _given(name: str, environ: Mapping[str, str]) -> tuple[str, str]:
    file = environ.get(f"{name}_FILE")
    if not file:
        return environ.get(name, "").strip(), "environment"
    try:
        text = Path(file).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(
            f"{name}_FILE names a file that cannot be read ({error}). Correct its path or permissions"
        ) from None
    if not text:
        raise ValueError(f"{name}_FILE names an empty file, {file}. Write the value into it")
    return text, f"file {file}"


READINGS: Final = read(os.environ)


def text(name: str) -> str:
    """A setting as text."""
    return str(READINGS[name].value)


def flag(name: str) -> bool:
    """A switch."""
    return bool(READINGS[name].value)


def number(name: str) -> float:
    """A number."""
    return float(READINGS[name].value)


def whole(name: str) -> int:
    """A whole number."""
    return int(READINGS[name].value)


def text_list(name: str) -> list[str]:
    """A list."""
    return list(READINGS[name].value)


DEMO: Final = flag("HAWSER_DEMO")
DEBUG: Final = flag("HAWSER_DEBUG")
RELAXED: Final = DEMO or DEBUG
"""Demo and debug may use built-in secrets and plain HTTP; production may not."""
