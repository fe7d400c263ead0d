"""One difference between a file and the registration: what is done about one object."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Operation(StrEnum):
    """What is done with the object."""

    ADD = "add"
    CHANGE = "change"
    REMOVE = "remove"


class Kind(StrEnum):
    """What the object is."""

    CLUSTER = "cluster"
    ACCOUNT = "account"
    NODE = "node"
    LINK = "link"


@dataclass(frozen=True, slots=True)
class FieldChange:
    """A field that differs. Of a password and of a certificate the values are no more than a sign."""

    name: str
    before: Any
    after: Any


@dataclass(frozen=True, slots=True)
class Difference:
    """An object that differs. `path` is its place in the file (empty for one that the file lacks).

    `name` is the name as it is registered, of an account its role; `cluster` is empty for a link.
    """

    operation: Operation
    kind: Kind
    path: str
    cluster: str
    name: str
    fields: tuple[FieldChange, ...] = ()

    def after(self, field: str, otherwise: Any = None) -> Any:
        """The declared value of a field that differs."""
        return next((one.after for one in self.fields if one.name == field), otherwise)


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a file cannot be applied: the place in it, and the sentence with the remedy."""

    path: str
    message: str

    def __str__(self) -> str:
        return f"{self.path}: {self.message}" if self.path else self.message


def certificate_sign(ca: str) -> str:
    """Distinguishes certificates without printing them; "none" where there is none."""
    return f"sha256:{hashlib.sha256(ca.encode()).hexdigest()[:16]}" if ca else "none"
