"""OpenBao and HashiCorp Vault: a field of a KV version 2 secret, and accounts of the database secrets engine."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from django.conf import settings

from backend.clusters.secret_stores.bound import check_environment
from backend.clusters.secret_stores.model import (
    Lease,
    ReferenceRefusedError,
    Secret,
    StoreError,
    WithoutLeases,
    one_line,
)
from backend.clusters.secret_stores.vault_client import VaultClient

_PATH = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9_.-]*(/[A-Za-z0-9_-][A-Za-z0-9_.-]*)+")
_FIELD = re.compile(r"[A-Za-z0-9_.-]{1,128}")


def check_path(path: str, example: str, environment: str | None) -> None:
    """Refuse a path that is none, or that HAWSER_VAULT_PATHS does not allow; where no vault is set up, every one."""
    if not settings.HAWSER_VAULT_URL:
        raise ReferenceRefusedError("No vault is set up. Let the host's administrator set HAWSER_VAULT_URL.")
    if not _PATH.fullmatch(path):
        raise ReferenceRefusedError(f"Give mount and path, such as {example}.")
    check_environment(
        settings.HAWSER_VAULT_PATHS,
        lambda allowed: path == allowed or path.startswith(f"{allowed}/"),
        environment,
        f"HAWSER_VAULT_PATHS does not allow {path}. Let the host's administrator add it to that setting.",
    )


class KvStore(WithoutLeases):
    """`vault:MOUNT/PATH#FIELD`."""

    def __init__(self, client: VaultClient) -> None:
        self._client = client

    def check(self, name: str, environment: str | None = None) -> None:
        """Refuse a path that is not allowed, and a field that is missing."""
        path, _, field = name.partition("#")
        check_path(path, "vault:secret/hawser/milan#monitor", environment)
        if not _FIELD.fullmatch(field):
            raise ReferenceRefusedError("Name the field after #, such as vault:secret/hawser/milan#monitor.")

    def read(self, name: str) -> Secret:
        """The newest version of the field."""
        path, _, field = name.partition("#")
        mount, _, rest = path.partition("/")
        answer = self._client.call("GET", f"/v1/{quote(mount)}/data/{quote(rest)}")
        found = ((answer.get("data") or {}).get("data") or {}).get(field)
        if not isinstance(found, str):
            raise StoreError(f"vault:{path} has no field {field}.")
        return Secret(one_line(found.encode(), f"vault:{name}"))


class DatabaseStore:
    """`vault-db:MOUNT/ROLE`: an account that the vault makes for this process, and drops when its lease ends."""

    def __init__(self, client: VaultClient) -> None:
        self._client = client

    def check(self, name: str, environment: str | None = None) -> None:
        """Refuse a role that is not allowed."""
        check_path(name, "vault-db:database/hawser-monitor", environment)

    def read(self, name: str) -> Secret:
        """A new account."""
        mount, _, role = name.partition("/")
        answer = self._client.call("GET", f"/v1/{quote(mount)}/creds/{quote(role)}")
        data = answer.get("data") or {}
        user, password = data.get("username"), data.get("password")
        if not isinstance(user, str) or not isinstance(password, str):
            raise StoreError(f"vault-db:{name} gave no account.")
        return Secret(one_line(password.encode(), f"vault-db:{name}"), user, _lease(answer))

    def renewed(self, lease: Lease) -> Lease:
        """Prolonged by as much as it lasted."""
        body = {"lease_id": lease.id, "increment": int(lease.lasts_s)}
        return _lease(self._client.call("PUT", "/v1/sys/leases/renew", body))


def _lease(answer: Mapping[str, Any]) -> Lease:
    lasts_s = float(answer.get("lease_duration") or 0)
    return Lease(str(answer.get("lease_id", "")), lasts_s, bool(answer.get("renewable")))
