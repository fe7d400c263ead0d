"""Passwords by reference: checked at registration, read when the console connects."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from backend.clusters.models import Cluster, Credential, CredentialRole
from backend.clusters.secret_stores import cache
from backend.clusters.secret_stores.model import ReferenceRefusedError, StoreError
from backend.clusters.secret_stores.registry import DYNAMIC, check_reference
from backend.common.errors import ProblemError, invalid
from backend.common.sealing import SealError
from backend.core.findings import Finding, Severity

_REMEDY = "Make the store reachable again, or store the password in Hawser."


class SecretUnavailableError(ProblemError, SealError):
    """A store does not give a password, and none that may still be used is in memory."""

    def __init__(self, sentence: str) -> None:
        super().__init__(409, "secret_unavailable", f"{sentence} Nothing was changed. {_REMEDY}")


def referenced_account(user: str, reference: str, *, rereads: bool = False) -> tuple[str, str]:
    """User and password from the store; a store that makes accounts names the user, too."""
    try:
        secret = cache.read(reference, rereads=rereads)
    except StoreError as error:
        raise SecretUnavailableError(str(error)) from None
    return secret.user or user, secret.password


def given_password(role: CredentialRole, given: Mapping[str, Any], prefix: str, environment: str | None = None) -> str:
    """The password of an account that is registered: given, or read now by its reference.

    `environment`: that of a cluster which is registered already.
    """
    reference = given.get("reference")
    if not reference:
        return str(given["password"])
    check_account_reference((role, given), prefix, environment)
    return _read_now(reference, prefix)


def check_account_reference(
    account: tuple[CredentialRole, Mapping[str, Any]], prefix: str = "", environment: str | None = None
) -> None:
    """Refuse a reference that an account of this role cannot have. Nothing is read."""
    role, reference = account[0], account[1]["reference"]
    checked_reference(reference, f"{prefix}reference", environment)
    if reference.startswith(f"{DYNAMIC}:") and role is not CredentialRole.MONITOR:
        raise invalid(
            f"{prefix}reference",
            f"An account that changes cannot be the {role.value} account: a worker recognizes the sessions of an "
            "earlier one by the account, and a channel stores its password. Name one that stays (file:, env:, vault:).",
            code="reference_refused",
        )


def checked_reference(reference: str, field: str, environment: str | None = None) -> None:
    """Refuse what is no reference, or what the settings do not allow. Nothing is read."""
    try:
        check_reference(reference, environment)
    except ReferenceRefusedError as error:
        raise invalid(field, str(error), code="reference_refused") from None


def _read_now(reference: str, prefix: str) -> str:
    try:
        return cache.read(reference, rereads=True).password
    except StoreError as error:
        message = f"{error} Nothing was registered. Correct the reference, or make the store reachable."
        raise invalid(f"{prefix}reference", message, code="secret_unavailable", status=409) from None


def reference_findings(clusters: Collection[Cluster]) -> Iterator[Finding]:
    """Blockers of a plan: a store that does not answer now could be needed before the run ends."""
    yield from _password_findings(clusters)
    for cluster in clusters:
        problem = cache.problem_of(cluster.tls_key_reference, is_key=True) if cluster.tls_key_reference else ""
        if problem:
            message = f"It is unknown whether the client key of {cluster.name} is still right: {problem}"
            facts = {"cluster": cluster.name, "role": "client key", "reference": cluster.tls_key_reference}
            yield Finding("secret_store_unknown", Severity.BLOCKER, message, _REMEDY, facts)


def _password_findings(clusters: Iterable[Cluster]) -> Iterator[Finding]:
    rows = Credential.objects.filter(cluster__in=list(clusters)).exclude(reference=None).select_related("cluster")
    for row in rows.order_by("cluster__name", "role"):
        problem = cache.problem_of(str(row.reference))
        if problem:
            message = f"It is unknown whether the {row.role} password of {row.cluster.name} is still right: {problem}"
            facts = {"cluster": row.cluster.name, "role": row.role, "reference": row.reference}
            yield Finding("secret_store_unknown", Severity.BLOCKER, message, _REMEDY, facts)
