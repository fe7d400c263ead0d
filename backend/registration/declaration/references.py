"""Passwords, keys and certificates by reference: the file names where each is, and holds none itself."""

from __future__ import annotations

import re
from typing import Protocol

from rest_framework.exceptions import ValidationError

from backend.common.rest.fields import SecretField

_REFERENCE = re.compile(r"env:[A-Za-z_][A-Za-z0-9_]*|file:/.+")
REMEDY = "Write env:NAME (an environment variable) or file:/PATH (an absolute path) instead."


class MissingValueError(Exception):
    """The value of a reference was not given; it can still be."""


class Sources(Protocol):
    """Where the values of references come from.

    All methods raise ValueError with the remedy, never with the value, and MissingValueError.
    """

    def password(self, reference: str) -> str:
        """The password that `env:NAME` or `file:/PATH` stands for."""

    def stored_password(self, reference: str) -> str:
        """The password of an account whose `reference` names a store, for a change that asks for it; else empty."""

    def key(self, reference: str) -> str:
        """The private key that `env:NAME` or `file:/PATH` stands for."""

    def certificate(self, name: str) -> str:
        """The certificate that a `ca_file` or `cert_file` names."""


def is_reference(text: str) -> bool:
    """Whether the text says where a password or key is, and is none itself."""
    return _REFERENCE.fullmatch(text) is not None


def checked_password(reference: str, password: str) -> str:
    """The password, if it can be one; raises ValueError that names the reference alone."""
    try:
        return str(SecretField().run_validation(password))
    except ValidationError as error:
        detail = error.detail
        raise ValueError(f"{reference}: {detail[0] if isinstance(detail, list) else detail}") from None
