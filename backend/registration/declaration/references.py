"""Passwords by reference: the file names an environment variable or another file, and holds no password itself."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path

from rest_framework.exceptions import ValidationError

from backend.common.rest.fields import SecretField

_REFERENCE = re.compile(r"env:[A-Za-z_][A-Za-z0-9_]*|file:/.+")
REMEDY = "Write env:NAME (an environment variable of this command) or file:/PATH (an absolute path) instead."


def is_reference(text: str) -> bool:
    """Whether the text says where a password is, and is none itself."""
    return _REFERENCE.fullmatch(text) is not None


def read_reference(reference: str, environment: Mapping[str, str] = os.environ) -> str:
    """The password that a reference names; raises ValueError with the remedy, never with the password."""
    source, _, name = reference.partition(":")
    password = _variable(name, environment) if source == "env" else _file(name)
    try:
        return str(SecretField().run_validation(password))
    except ValidationError as error:
        detail = error.detail
        raise ValueError(f"{reference}: {detail[0] if isinstance(detail, list) else detail}") from None


def _variable(name: str, environment: Mapping[str, str]) -> str:
    if name not in environment:
        raise ValueError(f"The environment variable {name} is not set. Set it for this command.")
    return environment[name]


def _file(path: str) -> str:
    """The text of the file without the line break at its end, which editors add."""
    return read_text(Path(path)).removesuffix("\n").removesuffix("\r")


def read_text(path: Path) -> str:
    """A text file; raises ValueError that names it and the remedy."""
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise ValueError(f"{path} cannot be read ({error.strerror}). Correct the path or its permissions.") from error
    except UnicodeDecodeError:
        raise ValueError(f"{path} is not UTF-8 text. Name another file.") from None
