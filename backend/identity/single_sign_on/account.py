"""What a provider or directory says of a person."""

from __future__ import annotations

from dataclasses import dataclass

from backend.identity.accounts.identities.models import ProviderKind


@dataclass(frozen=True, slots=True)
class Account:
    """An authenticated person; `subject` identifies the person at the issuer for ever."""

    kind: ProviderKind
    issuer: str
    subject: str
    username: str
    email: str
    groups: tuple[str, ...]
