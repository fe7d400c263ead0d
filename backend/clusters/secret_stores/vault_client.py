"""A session with OpenBao or HashiCorp Vault: it logs in by a token file, AppRole or Kubernetes, and again on 403.

Secrets of the login are read from their files each time, so that they can be replaced while the console runs.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.conf import settings

from backend.clusters.secret_stores.http_json import CallError, call
from backend.clusters.secret_stores.model import StoreError, one_line

_EARLY = 0.8
"""A token is replaced after this part of its time."""


class VaultClient:
    """One for all threads of a process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._token, self._until = "", 0.0

    def call(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> Mapping[str, Any]:
        """The answer of the server; a token that it refuses is replaced once. Raises StoreError."""
        try:
            try:
                return self._call(method, path, body, self._valid_token())
            except CallError as error:
                if error.status != 403:
                    raise
                return self._call(method, path, body, self._valid_token(refused=True))
        except CallError as error:
            raise StoreError(f"The vault at {settings.HAWSER_VAULT_URL} did not give it: {error}.") from None

    def forget(self) -> None:
        """Log in again at the next call."""
        with self._lock:
            self._until = 0.0

    def _valid_token(self, *, refused: bool = False) -> str:
        with self._lock:
            if refused or time.monotonic() >= self._until:
                self._token, self._until = self._log_in()
            return self._token

    def _log_in(self) -> tuple[str, float]:
        method = settings.HAWSER_VAULT_AUTH
        if method == "token":
            return _text(settings.HAWSER_VAULT_TOKEN_PATH), time.monotonic() + 60
        mount = settings.HAWSER_VAULT_AUTH_MOUNT or method
        answer = self._call("POST", f"/v1/auth/{mount}/login", _login(method), "")
        auth = answer.get("auth") or {}
        return str(auth.get("client_token", "")), time.monotonic() + _EARLY * float(auth.get("lease_duration") or 60)

    def _call(self, method: str, path: str, body: Mapping[str, Any] | None, token: str) -> Mapping[str, Any]:
        headers = {"X-Vault-Request": "true"} | ({"X-Vault-Token": token} if token else {})
        if settings.HAWSER_VAULT_NAMESPACE:
            headers["X-Vault-Namespace"] = settings.HAWSER_VAULT_NAMESPACE
        base, ca_file = settings.HAWSER_VAULT_URL, settings.HAWSER_VAULT_CA_PATH
        return call(base, method, path, headers=headers, body=body, ca_file=ca_file)


def _login(method: str) -> Mapping[str, str]:
    if method == "approle":
        return {"role_id": settings.HAWSER_VAULT_ROLE, "secret_id": _text(settings.HAWSER_VAULT_SECRET_ID_PATH)}
    return {"role": settings.HAWSER_VAULT_ROLE, "jwt": _text(settings.HAWSER_VAULT_JWT_PATH)}


def _text(path: str) -> str:
    try:
        return one_line(Path(path).read_bytes(), f"The file {path} of the vault's login")
    except OSError as error:
        raise StoreError(f"The file {path} of the vault's login cannot be read: {error.strerror}.") from None
