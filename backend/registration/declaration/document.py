"""Reads a file into the state that it declares; all of its faults are found before anything is compared."""

from __future__ import annotations

import dataclasses
import hashlib
import hmac
import os
import re
import secrets
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rest_framework import serializers

from backend.clusters.services import check_nodes, check_tls
from backend.clusters.statement_parts import check_account_parts
from backend.common.errors import ProblemError
from backend.registration.declaration.difference import Fault
from backend.registration.declaration.references import read_reference, read_text
from backend.registration.declaration.schema import FileSection
from backend.registration.declaration.state import AccountState, ClusterState, LinkState, NodeState, RegistrationState
from backend.registration.declaration.uniqueness import repetitions
from backend.registration.declaration.yaml_text import DeclarationError, parse_yaml

Given = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Declaration:
    """What a file declares, and the passwords that it refers to, by cluster and role."""

    state: RegistrationState
    passwords: Mapping[tuple[str, str], str] = dataclasses.field(repr=False)


class PasswordDigests:
    """Compares passwords without keeping them: equal digests for equal passwords, with a key of this process."""

    def __init__(self) -> None:
        self._key = secrets.token_bytes(32)

    def __call__(self, password: str) -> str:
        return hmac.new(self._key, password.encode(), hashlib.sha256).hexdigest()


def read_declaration(
    path: Path, digest: Callable[[str], str], environment: Mapping[str, str] = os.environ
) -> Declaration:
    """The declaration in this file; raises DeclarationError."""
    try:
        content = parse_yaml(read_text(path))
    except ValueError as error:
        raise DeclarationError(Fault("", str(error))) from None
    form = FileSection(data={} if content is None else content)
    if not form.is_valid():
        raise DeclarationError(*_form_faults(form.errors))
    given = form.validated_data
    if not given["clusters"] and not given["links"]:
        raise DeclarationError(Fault("", "The file declares nothing. List clusters, links or both."))
    problems = tuple(repetitions(given))
    if problems:
        raise DeclarationError(*problems)
    return _Reader(path.parent, digest, environment).declaration(given)


class _Reader:
    """Replaces references by what they name, and collects the faults."""

    def __init__(self, folder: Path, digest: Callable[[str], str], environment: Mapping[str, str]) -> None:
        self._folder, self._digest, self._environment = folder, digest, environment
        self._faults: list[Fault] = []
        self._passwords: dict[tuple[str, str], str] = {}

    def declaration(self, given: Given) -> Declaration:
        """The whole; raises DeclarationError with every fault of a reference or a value."""
        clusters = tuple(self._cluster(f"clusters[{i}]", cluster) for i, cluster in enumerate(given["clusters"]))
        if self._faults:
            raise DeclarationError(*self._faults)
        links = tuple(_link(link) for link in given["links"])
        return Declaration(RegistrationState(clusters, links), self._passwords)

    def _cluster(self, path: str, given: Given) -> ClusterState:
        accounts = {
            role: self._account(f"{path}.credentials.{role}", given["name"], role, account)
            for role, account in given["credentials"].items()
        }
        ca = self._certificate(path, given["tls"])
        self._check(path, check_nodes, given["nodes"])
        self._check(path, check_tls, {"mode": given["tls"]["mode"], "ca": ca})
        nodes = tuple(NodeState(node["name"], node["host"].lower(), node["port"]) for node in given["nodes"])
        return ClusterState(given["name"], given["site"], given["tls"]["mode"], ca, accounts, nodes)

    def _account(self, path: str, cluster: str, role: str, given: Given) -> AccountState:
        try:
            password = read_reference(given["password"], self._environment)
        except ValueError as error:
            self._faults.append(Fault(f"{path}.password", str(error)))
            return AccountState(given["user"], "")
        accounts = {role: {"user": given["user"], "password": password}}
        self._check(path.partition(".credentials")[0], check_account_parts, accounts)
        self._passwords[cluster, role] = password
        return AccountState(given["user"], self._digest(password))

    def _certificate(self, path: str, tls: Given) -> str:
        try:
            return read_text(self._folder / tls["ca_file"]).strip() if "ca_file" in tls else ""
        except ValueError as error:
            self._faults.append(Fault(f"{path}.tls.ca_file", str(error)))
            return ""

    def _check(self, path: str, check: Callable[[Any], None], value: Any) -> None:
        """The check that the registration would make, its fields as places in the file."""
        try:
            check(value)
        except ProblemError as error:
            for one in error.errors or [{"field": "", "message": error.detail}]:
                field = re.sub(r"[.]([0-9]+)", r"[\1]", one["field"])
                key_path = f"{path}.{field}".rstrip(".")
                self._faults.append(Fault(key_path.replace(".tls.ca", ".tls.ca_file"), one["message"]))


def _link(given: Given) -> LinkState:
    return LinkState(
        given["name"],
        frozenset(given["clusters"]),
        given["home"],
        given["channel_name"],
        given.get("requires_approval"),
        create_probe=given["create_probe"],
    )


_REMEDIES = {
    "required": "This key is missing. Add it.",
    "null": "This key has no value. Add one, or remove the key where it is optional.",
    "blank": "This is empty. Write a value.",
    "invalid": "Write text, in quotes if it looks like a number or a truth value.",
    "not_a_list": "Write a list: each entry begins with a dash.",
}


def _form_faults(detail: Any, path: str = "") -> Iterator[Fault]:
    """The errors of a serializer with places such as `clusters[0].nodes[1].port`."""
    if isinstance(detail, Mapping):
        for key, value in detail.items():
            name = f"[{key}]" if isinstance(key, int) else "" if key == "non_field_errors" else f".{key}"
            yield from _form_faults(value, f"{path}{name}".removeprefix("."))
    else:
        for error in detail:
            yield Fault(path, _sentence(error))


def _sentence(error: serializers.ErrorDetail) -> str:
    if str(error).startswith("Invalid data."):
        return "Write keys with values here, each on a line of its own."
    is_own = error.code == "invalid" and str(error) != serializers.CharField.default_error_messages["invalid"]
    return str(error) if is_own else _REMEDIES.get(error.code or "", str(error))
