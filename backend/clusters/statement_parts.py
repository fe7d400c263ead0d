"""Which hosts, accounts and passwords fit into a statement. This is checked at registration, not during a failover."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from backend.clusters.models import Cluster, CredentialRole
from backend.clusters.references import given_password
from backend.common.errors import invalid
from backend.core.dialects import quoting
from backend.core.dialects.base import DialectError
from backend.core.findings import Finding, Severity

_HOST_REMEDY = "Use a host of letters, digits, dots, dashes, underscores and colons that does not end with a dash."
_USER_REMEDY = "Use an account name without quotes, backslashes, double braces and characters that cannot be printed."
_PASSWORD_REMEDY = "Use a password without characters that cannot be printed."  # noqa: S105 - a sentence


def check_host_part(host: str, field: str) -> None:
    """Refuse a host that CHANGE MASTER cannot name."""
    if not _fits(quoting.host, host):
        raise invalid(field, f"This host cannot be part of a statement. {_HOST_REMEDY}")


def check_account_parts(credentials: Mapping[str, Mapping[str, Any]]) -> None:
    """Refuse accounts and passwords that cannot be part of CHANGE MASTER, or of a statement to copy."""
    for role, given in credentials.items():
        prefix = f"credentials.{role}."
        check_account_part(given["user"], given_password(CredentialRole(role), given, prefix), prefix)


def check_account_part(user: str, password: str, prefix: str) -> None:
    """The same for one account; `prefix` comes before the names of its fields."""
    if not _fits(_user, user):
        raise invalid(f"{prefix}user", f"This account name cannot be part of a statement. {_USER_REMEDY}")
    if not _fits(quoting.secret_literal, password):
        raise invalid(f"{prefix}password", f"This password cannot be part of a statement. {_PASSWORD_REMEDY}")


def part_findings(cluster: Cluster) -> Iterator[Finding]:
    """Findings of a cluster that was registered before these checks: what no plan can name."""
    for node in cluster.nodes.all():
        if not _fits(quoting.host, node.host):
            message = f"The host of {node.name} cannot be part of a statement. Every plan that names it is refused."
            remedy = f"Register the cluster again. {_HOST_REMEDY}"
            yield Finding("host_not_usable", Severity.BLOCKER, message, remedy, {"node": node.name, "host": node.host})
    for credential in cluster.credentials.order_by("role"):
        if not _fits(_user, credential.user):
            message = f"The name of the {credential.role} account cannot be part of a statement."
            remedy = f"Register the cluster again. {_USER_REMEDY}"
            facts = {"role": credential.role, "user": credential.user}
            yield Finding("account_not_usable", Severity.BLOCKER, message, remedy, facts)


def _user(value: str) -> str:
    return quoting.plain(value, "user")


def _fits(quote: Callable[[str], str], value: str) -> bool:
    try:
        quote(value)
    except DialectError:
        return False
    return True
