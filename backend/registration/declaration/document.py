"""Reads a text into the state that it declares; all of its faults are found before anything is compared."""

from __future__ import annotations

import dataclasses
import hashlib
import hmac
import re
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from backend.clusters.client_key import check_tls
from backend.clusters.models import CredentialRole
from backend.clusters.references import check_account_reference
from backend.clusters.services import check_nodes
from backend.clusters.statement_parts import check_account_parts
from backend.common.errors import ProblemError
from backend.registration.declaration.difference import Fault
from backend.registration.declaration.form import read_form
from backend.registration.declaration.references import MissingValueError, Sources
from backend.registration.declaration.state import (
    SEALED,
    AccountState,
    ClientState,
    ClusterState,
    LinkState,
    NodeState,
    RegistrationState,
)
from backend.registration.declaration.yaml_text import DeclarationError

Given = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class MissingReference:
    """A reference whose value was not sent."""

    path: Annotated[str, "place in the document"]
    name: Annotated[str, "its text, the name to send the value under"]


@dataclass(frozen=True, slots=True)
class Declaration:
    """What a file declares, with the passwords that are known, by cluster and role, and the keys, by cluster.

    While a reference is missing the state is not complete, and must not be compared.
    """

    state: RegistrationState
    passwords: Mapping[tuple[str, str], str] = dataclasses.field(repr=False)
    missing: tuple[MissingReference, ...] = ()
    keys: Mapping[str, str] = dataclasses.field(default_factory=dict, repr=False)


class PasswordDigests:
    """Compares passwords without keeping them: equal digests for equal passwords, with a key of this object."""

    def __init__(self) -> None:
        self._key = secrets.token_bytes(32)

    def __call__(self, password: str) -> str:
        return hmac.new(self._key, password.encode(), hashlib.sha256).hexdigest()


def read_declaration(text: str, sources: Sources, digest: Callable[[str], str]) -> Declaration:
    """The declaration in this text; raises DeclarationError."""
    return _Reader(sources, digest).declaration(read_form(text))


_KEYS = {"ca": "ca_file", "cert": "cert_file", "private_key": "key"}
"""The keys of a file where a request carries the texts themselves."""


class _Reader:
    """Replaces references by what they name, and collects the faults and what is missing."""

    def __init__(self, sources: Sources, digest: Callable[[str], str]) -> None:
        self._sources, self._digest = sources, digest
        self._faults: list[Fault] = []
        self._missing: list[MissingReference] = []
        self._passwords: dict[tuple[str, str], str] = {}
        self._keys: dict[str, str] = {}

    def declaration(self, given: Given) -> Declaration:
        """The whole; raises DeclarationError with every fault of a reference or a value."""
        clusters = tuple(self._cluster(f"clusters[{i}]", cluster) for i, cluster in enumerate(given["clusters"]))
        if self._faults:
            raise DeclarationError(*self._faults)
        links = tuple(_link(link) for link in given["links"])
        return Declaration(RegistrationState(clusters, links), self._passwords, tuple(self._missing), self._keys)

    def _cluster(self, path: str, given: Given) -> ClusterState:
        accounts = {
            role: self._account(f"{path}.credentials.{role}", given["name"], role, account)
            for role, account in given["credentials"].items()
        }
        self._check(path, check_nodes, given["nodes"])
        tls = self._tls(path, given["tls"])
        client = _client(tls)
        if "private_key" in tls:
            self._keys[given["name"]] = tls["private_key"]
        nodes = tuple(NodeState(node["name"], node["host"].lower(), node["port"]) for node in given["nodes"])
        return ClusterState(given["name"], given["site"], tls["mode"], tls.get("ca", ""), accounts, nodes, client)

    def _tls(self, path: str, given: Given) -> dict[str, str]:
        """What a request would carry, checked as long as nothing of it is missing."""
        texts = {
            "ca": self._certificate(path, "ca_file", given),
            "cert": self._certificate(path, "cert_file", given),
            "private_key": self._key(path, given),
            "key_reference": given.get("key_reference", ""),
        }
        tls = {"mode": given["mode"], **{name: text for name, text in texts.items() if text}}
        if None not in texts.values():
            self._check(path, check_tls, {"ca": "", **tls})
        return tls

    def _account(self, path: str, cluster: str, role: str, given: Given) -> AccountState:
        if "reference" in given:
            self._check(path, check_account_reference, (CredentialRole(role), given))
            known = self._value(f"{path}.reference", self._sources.stored_password, given["reference"])
            if known:
                self._passwords[cluster, role] = known
            return AccountState(given["user"], "", given["reference"])
        password = self._value(f"{path}.password", self._sources.password, given["password"])
        if password is None:
            return AccountState(given["user"], "")
        accounts = {role: {"user": given["user"], "password": password}}
        self._check(path.partition(".credentials")[0], check_account_parts, accounts)
        self._passwords[cluster, role] = password
        return AccountState(given["user"], self._digest(password))

    def _certificate(self, path: str, name: str, tls: Given) -> str | None:
        """The certificate, blank where none is named; None where it is missing or cannot be read."""
        if name not in tls:
            return ""
        text = self._value(f"{path}.tls.{name}", self._sources.certificate, tls[name])
        return None if text is None else text.strip()

    def _key(self, path: str, tls: Given) -> str | None:
        return self._value(f"{path}.tls.key", self._sources.key, tls["key"]) if "key" in tls else ""

    def _value(self, path: str, read: Callable[[str], str], reference: str) -> str | None:
        try:
            return read(reference)
        except MissingValueError:
            self._missing.append(MissingReference(path, reference))
        except ValueError as error:
            self._faults.append(Fault(path, str(error)))
        return None

    def _check(self, path: str, check: Callable[[Any], None], value: Any) -> None:
        """The check that the registration would make, its fields as places in the file."""
        try:
            check(value)
        except ProblemError as error:
            for one in error.errors or [{"field": "", "message": error.detail}]:
                field = re.sub(r"[.]([0-9]+)", r"[\1]", one["field"])
                key_path = f"{path}.{field}".rstrip(".")
                for name, key in _KEYS.items():
                    key_path = re.sub(rf"[.]tls[.]{name}$", f".tls.{key}", key_path)
                self._faults.append(Fault(key_path, one["message"]))


def _client(tls: Mapping[str, str]) -> ClientState | None:
    return ClientState(tls["cert"], tls.get("key_reference", SEALED)) if "cert" in tls else None


def _link(given: Given) -> LinkState:
    return LinkState(
        given["name"],
        frozenset(given["clusters"]),
        given["home"],
        given["channel_name"],
        given.get("requires_approval"),
        given.get("writes_on_both_sides"),
        create_probe=given["create_probe"],
    )
