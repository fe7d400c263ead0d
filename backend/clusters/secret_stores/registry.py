"""The stores by what stands before the colon of a reference. A further store is one entry here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from backend.clusters.secret_stores.environment import EnvironmentStore
from backend.clusters.secret_stores.files import FileStore, check_spelling, real_reference
from backend.clusters.secret_stores.model import ReferenceRefusedError, SecretStore
from backend.clusters.secret_stores.vault import DatabaseStore, KvStore
from backend.clusters.secret_stores.vault_client import VaultClient

DYNAMIC: Final = "vault-db"
"""The store that makes accounts, so that every process has one of its own."""
_VAULT: Final = VaultClient()
STORES: Final[Mapping[str, SecretStore]] = {
    "file": FileStore(),
    "env": EnvironmentStore(),
    "vault": KvStore(_VAULT),
    DYNAMIC: DatabaseStore(_VAULT),
}


def store_of(reference: str) -> tuple[SecretStore, str]:
    """The store of a reference and the name in it; raises ReferenceRefusedError, which does not repeat the text.

    What is no reference could be a password that was entered in the wrong field.
    """
    kind, colon, name = reference.partition(":")
    if not colon or kind not in STORES:
        kinds = ", ".join(f"{one}:" for one in STORES)
        raise ReferenceRefusedError(f"This is not a reference. Begin it with one of {kinds}")
    return STORES[kind], name


def check_reference(reference: str, environment: str | None = None) -> None:
    """Refuse what is no reference, or what the settings do not allow to a cluster of this environment; None: to any."""
    store, name = store_of(reference)
    store.check(name, environment)
    if isinstance(store, FileStore):
        check_spelling(name)


def secret_of(reference: str) -> str:
    """The same text for every name of one secret: a link may lead to it, and rows of old have other spellings."""
    store, name = store_of(reference)
    return real_reference(name) if isinstance(store, FileStore) else reference


def forget_logins() -> None:
    """Log in again at the next call: another vault, or another account there, is set up."""
    _VAULT.forget()
