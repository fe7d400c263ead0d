"""A file on this host, and references to this host's environment and files. For commands alone, never for a request."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path

from backend.registration.declaration.difference import Fault
from backend.registration.declaration.document import Declaration, read_declaration
from backend.registration.declaration.references import checked_password
from backend.registration.declaration.yaml_text import DeclarationError


def read_file(path: Path, digest: Callable[[str], str], environment: Mapping[str, str] = os.environ) -> Declaration:
    """The declaration in this file; raises DeclarationError."""
    try:
        text = _read_text(path)
    except ValueError as error:
        raise DeclarationError(Fault("", str(error))) from None
    return read_declaration(text, HostSources(path.parent, environment), digest)


class HostSources:
    """The environment and the files of this host; certificates are relative to the folder."""

    def __init__(self, folder: Path, environment: Mapping[str, str]) -> None:
        self._folder, self._environment = folder, environment

    def password(self, reference: str) -> str:
        """From a variable, or from a file without the line break at its end, which editors add."""
        source, _, name = reference.partition(":")
        if source == "env":
            return checked_password(reference, self._variable(name))
        return checked_password(reference, _read_text(Path(name)).removesuffix("\n").removesuffix("\r"))

    def stored_password(self, reference: str) -> str:
        """A command is not asked for it."""
        return ""

    def key(self, reference: str) -> str:
        """From a variable, or from a file."""
        source, _, name = reference.partition(":")
        return self._variable(name) if source == "env" else _read_text(Path(name))

    def certificate(self, name: str) -> str:
        """From a file."""
        return _read_text(self._folder / name)

    def _variable(self, name: str) -> str:
        if name not in self._environment:
            raise ValueError(f"The environment variable {name} is not set. Set it for this command.")
        return self._environment[name]


def _read_text(path: Path) -> str:
    """A text file; raises ValueError that names it and the remedy."""
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise ValueError(f"{path} cannot be read ({error.strerror}). Correct the path or its permissions.") from error
    except UnicodeDecodeError:
        raise ValueError(f"{path} is not UTF-8 text. Name another file.") from None
