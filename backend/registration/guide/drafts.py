"""Starts, changes and deletes guided registrations. A change forgets what was found for another value."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from backend.audit import services as audit
from backend.clusters.client_key import wanted_tls
from backend.clusters.services import check_nodes
from backend.clusters.statement_parts import check_account_part, check_host_part
from backend.common.errors import ProblemError, conflict, invalid, not_found
from backend.common.outgoing.addresses import check_host
from backend.common.retention import delete_in_portions
from backend.common.transaction_retry import retry_on_rollback
from backend.gateway.account_statements import ROLES
from backend.registration.guide.client_certificate import change_client
from backend.registration.guide.content import LinkDraft, SideDraft, as_json, link_of, side_of
from backend.registration.guide.endpoints import check_endpoints
from backend.registration.models import SIDES, RegistrationDraft

KEEP = timedelta(days=7)
MOST_DRAFTS = 20
Given = Mapping[str, Any]


def drafts(now: datetime | None = None) -> QuerySet[RegistrationDraft]:
    """Those that have not expired, the newest first."""
    return RegistrationDraft.objects.filter(expires_at__gt=now or timezone.now())


def draft_get(draft_id: str) -> RegistrationDraft:
    """One draft; 404 if it does not exist or has expired."""
    draft = drafts().filter(pk=draft_id).first()
    if draft is None:
        raise not_found("guided registration")
    return draft


def own_draft(actor: str, draft_id: str) -> RegistrationDraft:
    """The same for a change by its owner; 409 for another user."""
    draft = draft_get(draft_id)
    _check_owner(draft, actor)
    return draft


def draft_as_seen(*, actor: str, draft_id: str, seen: str) -> RegistrationDraft:
    """The draft for a step with a password: open, the caller's own, and leading where the caller saw it lead.

    What is sent goes where this object says, whatever is stored meanwhile. `seen` is its `endpoints_digest`.
    """
    draft = own_draft(actor, draft_id)
    _check_open(draft)
    check_endpoints(draft, seen)
    return draft


def draft_create(*, actor: str, given: Given) -> RegistrationDraft:
    """Begin a guided registration. Nothing is connected to."""
    with transaction.atomic():
        if drafts().filter(link_id="").count() >= MOST_DRAFTS:
            raise conflict(
                "too_many_registrations",
                f"{MOST_DRAFTS} guided registrations are unfinished. Nothing was stored. Finish or delete one first.",
            )
        draft = RegistrationDraft(owner=actor, expires_at=timezone.now() + KEEP)
        for side in SIDES:
            setattr(draft, side, as_json(SideDraft()))
        draft.link = as_json(LinkDraft())
        draft.save()
        _change(draft, given)
        draft.save()
        audit.record(actor=actor, action="api:registration:start", target=draft.pk)
    return draft


def draft_update(*, actor: str, draft_id: str, given: Given, seen: str | None = None) -> RegistrationDraft:
    """Store what was typed; what is not named stays. `seen` None: whatever another window stored meanwhile."""
    return changed_by_owner(draft_id, lambda draft: _change(draft, given), actor=actor, seen=seen)


def changed_by_owner(
    draft_id: str, change: Callable[[RegistrationDraft], None], *, actor: str, seen: str | None
) -> RegistrationDraft:
    """Change the caller's own draft, if it still is that, and leads where the caller saw it lead."""

    def checked(draft: RegistrationDraft) -> None:
        _check_owner(draft, actor)
        if seen is not None:
            check_endpoints(draft, seen)
        change(draft)

    return changed(draft_id, checked)


@retry_on_rollback
def changed(draft_id: str, change: Callable[[RegistrationDraft], None]) -> RegistrationDraft:
    """Change an open draft under its lock; each change prolongs it."""
    with transaction.atomic():
        draft = RegistrationDraft.objects.select_for_update().filter(pk=draft_id).first()
        if draft is None:
            raise not_found("guided registration")
        _check_open(draft)
        change(draft)
        draft.expires_at = timezone.now() + KEEP
        draft.save()
    return draft


def draft_delete(*, actor: str, draft_id: str) -> None:
    """Delete a draft with its stored accounts. Nothing is changed on a server."""
    with transaction.atomic():
        draft = own_draft(actor, draft_id)
        facts = {"link": draft.link_id, "accounts": accounts_left(draft)}
        audit.record(actor=actor, action="api:registration:delete", target=draft.pk, facts=facts)
        draft.delete()


def accounts_left(draft: RegistrationDraft) -> list[str]:
    """Accounts that were created on servers for a registration that was not finished."""
    return [
        f"{name.user}@{name.host} on {side_of(draft, side).host}"
        for side in SIDES
        if not draft.link_id and side_of(draft, side).stored == "created"
        for name in side_of(draft, side).names().values()
    ]


def forget_expired() -> None:
    """Delete drafts whose time is over, with their accounts."""
    delete_in_portions(RegistrationDraft.objects.filter(expires_at__lte=timezone.now()))


def _check_owner(draft: RegistrationDraft, actor: str) -> None:
    if draft.owner != actor:
        raise conflict(
            "registration_of_another",
            f"This guided registration is {draft.owner}'s. Nothing was changed, stored or sent to a server. Take it "
            f"over first, which {draft.owner} is told, or start one of your own.",
        )


def _check_open(draft: RegistrationDraft) -> None:
    if draft.link_id:
        raise conflict(
            "registration_done", "This registration is finished. Nothing was changed. Change the link or its clusters."
        )


def _change(draft: RegistrationDraft, given: Given) -> None:
    for side in SIDES:
        if side in given:
            before, content = side_of(draft, side), side_of(draft, side)
            _change_side(content, given[side], side)
            with _fields_below(side):
                change_client(draft, side, content, given[side].get("tls", {}))
            setattr(draft, side, as_json(content))
            _drop_accounts(draft, side, before, content)
    if "link" in given:
        link = link_of(draft)
        for name, value in given["link"].items():
            setattr(link, name, value)
        draft.link = as_json(link)


def _change_side(content: SideDraft, given: Given, side: str) -> None:
    for name in ("name", "site", "administrator"):
        setattr(content, name, given.get(name, getattr(content, name)))
    _change_entry(content, given, side)
    if "nodes" in given:
        _change_nodes(content, given["nodes"], side)
    if "tls" in given:
        _change_tls(content, given["tls"], side)
    for role, account in given.get("accounts", {}).items():
        _change_account(content, role, account, f"{side}.accounts.{role}.")


def _change_entry(content: SideDraft, given: Given, side: str) -> None:
    """Another node to connect to may be of another cluster: what was found of the one before is forgotten."""
    address = (given.get("host", content.host).lower(), given.get("port", content.port))
    if address == (content.host, content.port):
        return
    if address[0]:
        check_host(address[0], f"{side}.host")
        check_host_part(address[0], f"{side}.host")
    content.host, content.port = address
    content.servers, content.discovered_at, content.may_create = None, None, None
    content.nodes, content.outcomes, content.stored = [], [], ""
    content.forget_check()


def _change_nodes(content: SideDraft, nodes: list[dict[str, Any]], side: str) -> None:
    """Servers that were found and are neither connected members nor listed any more are forgotten, too."""
    with _fields_below(side):
        check_nodes(nodes)
    content.nodes = [{**node, "host": node["host"].lower()} for node in nodes]
    if content.servers is not None:
        listed = {(node["host"], node["port"]) for node in content.nodes}
        entry = (content.host, content.port)
        content.servers = [one for one in content.servers if (one["host"], one["port"]) in {*listed, entry}]
    content.forget_check()


def _change_tls(content: SideDraft, tls: Given, side: str) -> None:
    wanted = {"mode": content.tls_mode, "ca": content.tls_ca, **{k: tls[k] for k in ("mode", "ca") if k in tls}}
    if wanted["mode"]:
        with _fields_below(side):
            wanted_tls(wanted)
    content.tls_mode, content.tls_ca = wanted["mode"], wanted["ca"].strip()
    content.forget_check()


def _change_account(content: SideDraft, role: str, given: Given, prefix: str) -> None:
    account = {**content.accounts[role], **given}
    if account == content.accounts[role]:
        return
    check_account_part(account["user"], "", prefix)
    if account["host"]:
        _check_account_host(account["host"], f"{prefix}host")
    content.accounts[role] = account
    content.outcomes, content.stored = [], ""
    content.forget_check()


@contextmanager
def _fields_below(side: str) -> Iterator[None]:
    """Problems of a cluster's fields name them below its side."""
    try:
        yield
    except ProblemError as problem:
        for error in problem.errors:
            error["field"] = f"{side}.{error['field']}"
        raise


def _check_account_host(host: str, field: str) -> None:
    if not all(char.isalnum() or char in ".:%_-/" for char in host):
        raise invalid(field, "Use an address, a network such as 10.0.9.%, a host name, or % for every host.")


def _drop_accounts(draft: RegistrationDraft, side: str, before: SideDraft, after: SideDraft) -> None:
    """Delete passwords of accounts that are not meant any more; others wait for the end of an interrupted creation."""
    if draft._state.adding:  # noqa: SLF001 - Django's word for a row that is not stored yet
        return
    leads_elsewhere = _leads_elsewhere(before, after)
    if leads_elsewhere:  # whoever holds the session of its user would be sent them
        after.stored = ""
        setattr(draft, side, as_json(after))
        _end_sharing(draft)
    for credential in draft.credentials.filter(side=side, role__in=ROLES):
        if leads_elsewhere or credential.user != after.accounts[credential.role]["user"]:
            credential.delete()


def _end_sharing(draft: RegistrationDraft) -> None:
    """Passwords that were generated before stay with the servers that they were made for, also those of the other."""
    for side in SIDES:
        content = side_of(draft, side)
        content.may_share = False
        setattr(draft, side, as_json(content))


def _leads_elsewhere(before: SideDraft, after: SideDraft) -> bool:
    """Whether a login may reach a server that the accounts were not meant for: another address, mode or authority."""
    known = {(node["host"], node["port"]) for node in before.nodes}
    is_known = all((node["host"], node["port"]) in known for node in after.nodes)
    ways = [(one.host, one.port, one.tls_mode, one.tls_ca) for one in (before, after)]
    return not is_known or ways[0] != ways[1]
