"""The three accounts of a cluster: created by confirmed statements, or entered by who created them.

Generated passwords are stored, encrypted, before a statement is sent, so that an interrupted creation continues with
them. They are never shown.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from backend.audit import services as audit
from backend.clusters.models import CredentialRole
from backend.clusters.references import given_password, referenced_account
from backend.clusters.statement_parts import check_account_part
from backend.common.errors import ProblemError, conflict, invalid
from backend.common.sealing import seal, unseal
from backend.core.dialects.base import DialectError
from backend.core.ports import NodeError
from backend.gateway.account_creation import AccountTakenError, Outcome, create_accounts
from backend.gateway.account_statements import ROLES, AccountStatement, account_statements, statements_digest
from backend.registration.guide.client_certificate import client_of
from backend.registration.guide.content import SideDraft, as_json, side_of
from backend.registration.guide.discovery import administrator_login
from backend.registration.guide.drafts import changed, changed_by_owner, draft_as_seen
from backend.registration.guide.endpoints import digest_of_endpoints
from backend.registration.models import SIDES, DraftCredential, RegistrationDraft

_OWN = "Or create the accounts yourself, and enter them."


def statements_of(content: SideDraft) -> tuple[AccountStatement, ...]:
    """The statements for a cluster; none where a name does not fit into one."""
    try:
        return account_statements(content.names(), runs_events=runs_events(content))
    except DialectError:
        return ()


def runs_events(content: SideDraft) -> bool:
    """Whether the event scheduler runs anywhere, so that the monitor account has to count events."""
    servers = content.discovered() or ()
    return any(one.variables.get("event_scheduler", "").upper() == "ON" for one in servers)


def digest_of(content: SideDraft) -> str:
    """What a person confirms."""
    return statements_digest((content.host, content.port), statements_of(content))


def draft_create_accounts(
    *, actor: str, draft_id: str, side: str, password: str, digest: str, endpoints_digest: str
) -> RegistrationDraft:
    """Send exactly the statements that were shown, once their digest is confirmed."""
    draft = draft_as_seen(actor=actor, draft_id=draft_id, seen=endpoints_digest)
    content = side_of(draft, side)
    if content.servers is None:
        raise conflict("discover_first", "This cluster was not discovered. Nothing was sent. Connect to a node first.")
    statements = statements_of(content)
    if not statements or not secrets.compare_digest(digest, digest_of(content)):
        raise conflict(
            "statements_changed",
            "The statements are not those that were confirmed. Nothing was sent. Read them again, and confirm them.",
        )
    login = administrator_login(content, side, password, client_of(draft, side, content))
    passwords = _prepare(actor, draft, side, digest, endpoints_digest)
    endpoint = login.endpoint(content.host, content.port, content.tls_mode)
    try:
        outcomes = create_accounts(endpoint, content.names(), passwords, statements)
    except AccountTakenError as taken:
        message = f"{taken}. Nothing was changed. Choose another account name. {_OWN}"
        raise invalid(f"{side}.accounts.{taken.role}.user", message, code="account_exists", status=409) from None
    except NodeError as error:
        message = f"{content.host}:{content.port}: {error.message.rstrip('.')}. Nothing was sent. Check the account."
        raise invalid(f"{side}.password", message, code="discovery_failed", status=409) from None
    return _keep(actor, draft, side, outcomes, endpoints_digest)


def _prepare(actor: str, draft: RegistrationDraft, side: str, digest: str, seen: str) -> dict[str, str]:
    """Store the passwords and the record of what was confirmed, before anything is sent."""
    content = side_of(draft, side)
    passwords: dict[str, str] = {}

    def store(row: RegistrationDraft) -> None:
        stored = side_of(row, side)
        stored.may_share = stored.may_share or not _accounts(row, side)
        for role in ROLES:
            user = content.accounts[role]["user"]
            passwords[role] = _known_password(row, side, role, user) or secrets.token_urlsafe(24)
            keep_password(row, side, role, user, passwords[role])
        setattr(row, side, as_json(stored))
        audit.record(
            actor=actor,
            action="api:registration:confirm_accounts",
            target=row.pk,
            facts={
                "side": side,
                "node": f"{content.host}:{content.port}",
                "user": content.administrator,
                "accounts": [f"{name.user}@{name.host}" for name in content.names().values()],
                "digest": digest,
            },
        )

    changed_by_owner(draft.pk, store, actor=actor, seen=seen)
    return passwords


def _known_password(row: RegistrationDraft, side: str, role: str, user: str) -> str | None:
    """The one of an earlier attempt, or of the same account of the other cluster: a channel replicates accounts.

    That one only if it was made for the two clusters as they are: whoever names a server of his own would be sent it.
    """
    for one in (side, *(other for other in SIDES if other != side)):
        stored = row.credentials.filter(side=one, role=role, user=user).first()
        if stored is not None and (one == side or side_of(row, one).may_share):
            return password_of(stored)
    return None


def keep_password(row: RegistrationDraft, side: str, role: str, user: str, password: str) -> None:
    """Store the account of a role, its password encrypted."""
    sealed = seal(password, cluster_id=f"{row.pk}.{side}", role=role)
    defaults = {"user": user, "sealed": sealed, "reference": None}
    row.credentials.update_or_create(side=side, role=role, defaults=defaults)


def password_of(stored: DraftCredential) -> str:
    """The password of a stored account, or of the store where it stays."""
    if stored.reference:
        return referenced_account(stored.user, stored.reference)[1]
    return unseal(stored.sealed, cluster_id=f"{stored.draft_id}.{stored.side}", role=stored.role)


def logins_of(draft: RegistrationDraft, side: str) -> dict[str, tuple[str, str]]:
    """User and password by role; empty where the accounts are not complete."""
    rows = _accounts(draft, side)
    return {one.role: _login(one) for one in rows} if _is_complete(draft, side, rows) else {}


def credentials_of(draft: RegistrationDraft, side: str) -> dict[str, dict[str, str]]:
    """The accounts as a registration takes them: passwords, or where they stay."""
    rows = _accounts(draft, side)
    return {one.role: _given(one) for one in rows} if _is_complete(draft, side, rows) else {}


def _accounts(draft: RegistrationDraft, side: str) -> list[DraftCredential]:
    return list(draft.credentials.filter(side=side, role__in=ROLES))


def _is_complete(draft: RegistrationDraft, side: str, rows: Sequence[DraftCredential]) -> bool:
    return {one.role for one in rows} == set(ROLES) and bool(side_of(draft, side).stored)


def _login(stored: DraftCredential) -> tuple[str, str]:
    return referenced_account(stored.user, stored.reference) if stored.reference else (stored.user, password_of(stored))


def _given(stored: DraftCredential) -> dict[str, str]:
    password = {"reference": stored.reference} if stored.reference else {"password": password_of(stored)}
    return {"user": stored.user, **password}


def _keep(actor: str, draft: RegistrationDraft, side: str, outcomes: Sequence[Outcome], seen: str) -> RegistrationDraft:
    """Record what was sent, whoever owns the draft by now; of a draft that leads elsewhere by now it is not shown."""
    failed = next((one for one in outcomes if one.result == "failed"), None)

    def store(row: RegistrationDraft) -> None:
        if digest_of_endpoints(row) == seen:
            content = side_of(row, side)
            content.outcomes = [asdict(one) for one in outcomes]
            content.stored = "" if failed else "created"
            content.forget_check()
            setattr(row, side, as_json(content))
        counts = {
            result: sum(one.result == result for one in outcomes) for result in ("done", "already_there", "failed")
        }
        audit.record(
            actor=actor,
            action="api:registration:create_accounts",
            target=row.pk,
            facts={"side": side, "statements": counts, "error": failed.error if failed else ""},
        )

    stored = changed(draft.pk, store)
    if failed:
        raise _not_created(failed, outcomes)
    return stored


def _not_created(failed: Outcome, outcomes: Sequence[Outcome]) -> ProblemError:
    return conflict(
        "accounts_not_created",
        f"The server refused “{failed.sql}”: {failed.error.rstrip('.')}. {len(outcomes) - 1} statements before it are "
        f"done and stay. Grant the administrator what is missing, and repeat: what is done is not repeated. {_OWN}",
    )


def _keep_entered(row: RegistrationDraft, side: str, role: str, given: Mapping[str, Any]) -> None:
    reference = given.get("reference")
    if not reference:
        keep_password(row, side, role, given["user"], given["password"])
        return
    defaults = {"user": given["user"], "sealed": "", "reference": reference}
    row.credentials.update_or_create(side=side, role=role, defaults=defaults)


def draft_enter_accounts(
    *, actor: str, draft_id: str, side: str, accounts: Mapping[str, Mapping[str, Any]], endpoints_digest: str
) -> RegistrationDraft:
    """Store accounts that the user created; the check tries them."""
    for role in ROLES:
        prefix = f"accounts.{role}."
        password = given_password(CredentialRole(role), accounts[role], prefix)
        check_account_part(accounts[role]["user"], password, prefix)

    def store(row: RegistrationDraft) -> None:
        content = side_of(row, side)
        for role in ROLES:
            user = accounts[role]["user"]
            content.accounts[role]["user"] = user
            _keep_entered(row, side, role, accounts[role])
        content.outcomes, content.stored, content.may_share = [], "entered", False
        content.forget_check()
        setattr(row, side, as_json(content))
        users = {role: accounts[role]["user"] for role in ROLES}
        references = {role: accounts[role]["reference"] for role in ROLES if accounts[role].get("reference")}
        facts = {"side": side, "users": users, "references": references}
        audit.record(actor=actor, action="api:registration:enter_accounts", target=row.pk, facts=facts)

    return changed_by_owner(draft_id, store, actor=actor, seen=endpoints_digest)
