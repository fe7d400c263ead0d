"""Stored passwords reach no server but those that they were given for.

At another address, or under another mode or authority of TLS, a server of whoever asks for the change would be sent
them. So the change brings the passwords again, also those that stay in a store. Not at the shell of a console host,
whose user can open them anyway; nor that of an account which the vault makes anew for each process.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from backend.clusters.models import Cluster, Credential, CredentialRole
from backend.clusters.password_comparisons import REPEATED, record_comparison
from backend.clusters.secret_stores.registry import DYNAMIC
from backend.clusters.selectors import account
from backend.common.errors import ProblemError
from backend.registration.changes import Change

Stored = tuple[str, str, str | None]
NONE_GIVEN: Final[Mapping[str, str]] = MappingProxyType({})
_NONE_TYPED = "Give the stored password of this account."
_ANOTHER_STORED = "Another password is stored for this account. Give the stored one."
_REPLACED = "It was replaced after it was compared. Give the one that is stored now."
_REMEDY = "Nothing was changed, and no connection was tried. Send them, or use hawser_cluster on a console host."


@dataclass(frozen=True, slots=True)
class Compared:
    """The accounts that were compared, as they were stored then, by role; the change is for these and no later ones."""

    cluster: Cluster
    stored: Mapping[str, Stored]

    def check_kept(self) -> None:
        """Refuse where one was replaced since, also for `If-Match: *`: the new password was not given."""
        now = _stored(_accounts(self.cluster))
        replaced = [role for role in sorted(now) if now[role] != self.stored.get(role)]
        if replaced:
            sentence = f"The passwords of these accounts were replaced meanwhile: {', '.join(replaced)}."
            raise _refused(replaced, sentence, _REPLACED)


def check_passwords(change: Change, cluster: Cluster, given: Mapping[str, str]) -> Compared | None:
    """Refuse what does not bring the stored password of each account, by role; None where none is asked for.

    Raises 409 `stored_passwords_needed`, 429 `too_many_comparisons`, and SealError.
    """
    if change.source == "cli":
        return None
    every = _accounts(cluster)
    accounts = [one for one in every if not str(one.reference or "").startswith(f"{DYNAMIC}:")]
    roles = [one.role for one in accounts]
    missing = [role for role in roles if not given.get(role)]
    if missing:
        sentence = f"This could send stored passwords to another server. Missing: {', '.join(missing)}."
        raise _refused(missing, sentence, _NONE_TYPED)
    record_comparison(REPEATED, change.actor, accounts, change.reason)
    wrong = [role for role in roles if not _is_stored(cluster, role, given[role])]
    if wrong:
        raise _refused(wrong, f"Other passwords are stored for {', '.join(wrong)}.", _ANOTHER_STORED)
    return Compared(cluster, _stored(every))


def _accounts(cluster: Cluster) -> list[Credential]:
    return list(Credential.objects.filter(cluster=cluster).select_related("cluster").order_by("role"))


def _stored(accounts: Sequence[Credential]) -> dict[str, Stored]:
    return {one.role: (one.user, one.sealed, one.reference) for one in accounts}


def _is_stored(cluster: Cluster, role: str, given: str) -> bool:
    _, password = account(cluster, CredentialRole(role))
    return secrets.compare_digest(password.encode(), given.encode())


def _refused(roles: list[str], sentence: str, of_each: str) -> ProblemError:
    errors = [{"field": f"passwords.{role}", "message": of_each} for role in roles]
    return ProblemError(409, "stored_passwords_needed", f"{sentence} {_REMEDY}", errors=errors)
