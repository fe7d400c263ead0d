"""What a store is, what it returns, and why it cannot; a value is never in a `repr` or an error."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final, Protocol

MOST_BYTES = 4096
"""No password is longer; a larger file or answer is something else."""


_PEM: Final = re.compile(r"\s*(-----BEGIN [A-Z0-9 ]+-----[A-Za-z0-9+/=\s]+-----END [A-Z0-9 ]+-----\s*)+")


class ReferenceRefusedError(ValueError):
    """A reference that the settings do not allow, or that is none; the text names the remedy."""


class StoreError(Exception):
    """A store did not give the value; the text names the reference and the reason, never a value."""


@dataclass(frozen=True, slots=True)
class Lease:
    """For how long a store keeps what it made."""

    id: str
    lasts_s: float
    renewable: bool


@dataclass(frozen=True, slots=True)
class Secret:
    """A password, and for accounts that the store makes the user and the lease."""

    password: str = field(repr=False)
    user: str | None = None
    lease: Lease | None = None


class SecretStore(Protocol):
    """One kind of reference, named by what stands before its colon."""

    def check(self, name: str, environment: str | None = None) -> None:
        """Whether the settings allow this name to a cluster of this environment; None: to any.

        Raises ReferenceRefusedError. Reads nothing.
        """
        ...

    def read(self, name: str) -> Secret:
        """The value as it is now; raises StoreError."""
        ...

    def renewed(self, lease: Lease) -> Lease:
        """The lease, prolonged; raises StoreError where the store does not."""
        ...


def one_line(data: bytes, source: str) -> str:
    """The password in a file or an answer, one line of text, or a key (PEM); a line break at its end is removed."""
    if len(data) > MOST_BYTES:
        raise StoreError(f"{source} holds more than {MOST_BYTES} bytes, which is no password.")
    try:
        text = data.decode().removesuffix("\n").removesuffix("\r")
    except UnicodeDecodeError:
        raise StoreError(f"{source} holds no text.") from None
    if not text or not (text.isprintable() or is_pem(text)):
        raise StoreError(f"{source} is empty or holds characters that cannot be printed.")
    return text


def is_pem(text: str) -> bool:
    """Whether the text is a key or certificate: the only one of several lines that a store may give."""
    return _PEM.fullmatch(text) is not None


class WithoutLeases:
    """The part of a store that makes no accounts."""

    def renewed(self, lease: Lease) -> Lease:
        """Never called."""
        raise StoreError("this store has no leases")
