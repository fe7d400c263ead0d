"""Keys and addresses of the console itself, out of the vault: `vault:MOUNT/PATH#FIELD` in place of the value.

They are read once, when the process starts, so the settings of the vault come from the environment alone. A reference
is written by the host's administrator. It must not lie where users may name references: a user could register a
cluster by it, and its server would be sent the key.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from backend.clusters.secret_stores.bound import entry_parts
from backend.clusters.secret_stores.http_json import CallError, call
from backend.clusters.secret_stores.model import StoreError, one_line

PREFIX: Final = "vault:"
_REFERENCE: Final = re.compile(r"vault:([A-Za-z0-9_-]+)/([A-Za-z0-9_./-]+)#([A-Za-z0-9_.-]{1,128})")
Value = Callable[[str], Any]
"""The value of a setting of the vault, by its name without `HAWSER_VAULT_`."""


class OwnSecrets:
    """One login for all references of a process."""

    def __init__(self, value: Value) -> None:
        self._value = value
        self._token = ""

    def read(self, reference: str) -> str:
        """What the vault holds; ValueError states what is wrong, never a value."""
        found = _REFERENCE.fullmatch(reference)
        if found is None:
            raise ValueError("is no reference; write it like vault:secret/hawser-console#secret_key")
        mount, path, field = found.groups()
        self._check(f"{mount}/{path}")
        try:
            answer = self._call("GET", f"/v1/{quote(mount)}/data/{quote(path)}", None, self._login())
        except (CallError, StoreError, OSError) as error:
            raise ValueError(f"could not be read from the vault: {error}") from None
        held = ((answer.get("data") or {}).get("data") or {}).get(field)
        if not isinstance(held, str) or not held.strip():
            raise ValueError(f"is not in the vault: {mount}/{path} has no field {field}")
        return held.strip()

    def _check(self, path: str) -> None:
        if not self._value("URL"):
            raise ValueError("names the vault, and HAWSER_VAULT_URL is not set")
        allowed = [entry_parts(entry)[1] for entry in self._value("PATHS")]
        if any(path == one or path.startswith(f"{one}/") for one in allowed):
            raise ValueError(
                f"lies at {path}, which users may name by HAWSER_VAULT_PATHS; keep keys of the console elsewhere"
            )

    def _login(self) -> str:
        if not self._token:
            self._token = self._new_token()
        return self._token

    def _new_token(self) -> str:
        method = str(self._value("AUTH"))
        if method == "token":
            return _text(str(self._value("TOKEN_PATH")))
        approle = method == "approle"
        proof = _text(str(self._value("SECRET_ID_PATH" if approle else "JWT_PATH")))
        names = ("role_id", "secret_id") if approle else ("role", "jwt")
        body = dict(zip(names, (self._value("ROLE"), proof), strict=True))
        answer = self._call("POST", f"/v1/auth/{self._value('AUTH_MOUNT') or method}/login", body, "")
        return str((answer.get("auth") or {}).get("client_token", ""))

    def _call(self, method: str, path: str, body: Mapping[str, Any] | None, token: str) -> Mapping[str, Any]:
        headers = {"X-Vault-Request": "true"} | ({"X-Vault-Token": token} if token else {})
        if self._value("NAMESPACE"):
            headers["X-Vault-Namespace"] = str(self._value("NAMESPACE"))
        return call(
            str(self._value("URL")), method, path, headers=headers, body=body, ca_file=str(self._value("CA_PATH"))
        )


def _text(path: str) -> str:
    return one_line(Path(path).read_bytes(), f"The file {path} of the vault's login")
