"""A declaration that a request carries: compared with the registration, and applied as it was compared."""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, field
from typing import Any

from backend.clusters.models import Credential
from backend.clusters.password_comparisons import DECLARED, record_comparison
from backend.common.errors import ProblemError, conflict, forbidden, invalid
from backend.common.privileges import Permissions, Privileges
from backend.common.roles import Permission
from backend.registration.changes import Change
from backend.registration.command_line import link_named
from backend.registration.declaration.comparison import differences, undeclared_nodes
from backend.registration.declaration.difference import Difference, Kind, Operation
from backend.registration.declaration.document import Declaration, MissingReference, PasswordDigests, read_declaration
from backend.registration.declaration.execution import Executor, apply_in_order
from backend.registration.declaration.fault_problems import MAX_FAULTS, problem_parts
from backend.registration.declaration.faults import faults
from backend.registration.declaration.given_sources import GivenSources
from backend.registration.declaration.report import Outcome, Result, report
from backend.registration.declaration.stored import StoredRegistration, registration_stored
from backend.registration.declaration.yaml_text import DeclarationError


@dataclass(frozen=True, slots=True)
class Requested:
    """A document with the values of its references, and the options."""

    document: str
    references: Mapping[str, str] = field(repr=False)
    prune: bool
    accept_unreachable: bool


@dataclass(frozen=True, slots=True)
class _Compared:
    declaration: Declaration
    stored: StoredRegistration
    found: tuple[Difference, ...]
    undeclared: tuple[tuple[str, str], ...]
    digest: str


def declaration_compare(*, actor: str, requested: Requested) -> dict[str, Any]:
    """The differences and their digest, or the references that are missing. Changes nothing."""
    declaration, digests = _declaration(requested)
    if declaration.missing:
        return _without_values(declaration.missing)
    compared = _compared(actor, "", requested, declaration, digests)
    planned = [Result(one, Outcome.PLANNED) for one in compared.found]
    return {**report(planned, compared.undeclared), "missing_references": [], "digest": compared.digest}


def declaration_apply(*, change: Change, requested: Requested, digest: str, privileges: Privileges) -> dict[str, Any]:
    """Make the differences of this digest in order, until one is refused; raises 409 where there are others now.

    `privileges` are the caller's, who may change clusters: 403 before the first change, where a link differs that the
    caller may not change.
    """
    declaration, digests = _declaration(requested)
    if declaration.missing:
        names = ", ".join(dict.fromkeys(one.name for one in declaration.missing[:MAX_FAULTS]))
        raise invalid("references", f"These references have no value: {names}. Nothing was changed. Send them.")
    compared = _compared(change.actor, change.reason, requested, declaration, digests)
    if not secrets.compare_digest(digest, compared.digest):
        raise conflict(
            "differences_changed",
            "The digest is not that of the differences now: the registration, the document or an option was changed "
            "since. Nothing was changed. Compare again, and apply what you read then.",
        )
    _check_may_change_links(privileges, compared.found)
    executor = Executor(change, declaration, compared.stored, accept_unreachable=requested.accept_unreachable)
    return report(list(apply_in_order(compared.found, executor.apply)), compared.undeclared)


def _check_may_change_links(privileges: Privileges, found: Sequence[Difference]) -> None:
    links = [one for one in found if one.kind is Kind.LINK]
    if refused := [one.name for one in links if Permission.LINKS not in _held_on(one, privileges)]:
        raise forbidden(
            "forbidden",
            f"Your role or token does not include the permission “{Permission.LINKS}” on {', '.join(refused)}. Nothing "
            "was changed. Leave these links out of the document, or ask an administrator.",
        )


def _held_on(link: Difference, privileges: Privileges) -> Permissions:
    """A link that is to be registered is in no scope yet."""
    is_new = link.operation is Operation.ADD
    return privileges.everywhere if is_new else privileges.on_link(link_named(link.name).pk)


def _without_values(missing: Sequence[MissingReference]) -> dict[str, Any]:
    """What a caller has to send; nothing was compared."""
    number = len({one.name for one in missing})
    references = "1 reference has" if number == 1 else f"{number} references have"
    return {
        "summary": f"{references} no value. Nothing was compared or changed. Send the values in references.",
        "changes": [],
        "undeclared_nodes": [],
        "missing_references": [{"path": one.path, "name": one.name} for one in missing],
        "digest": None,
    }


def _declaration(requested: Requested) -> tuple[Declaration, PasswordDigests]:
    sources, digests = GivenSources(requested.references), PasswordDigests()
    try:
        declaration = read_declaration(requested.document, sources, digests)
    except DeclarationError as error:
        raise ProblemError(400, "declaration_invalid", **problem_parts(error.faults)) from None
    if sources.unused():
        detail = f"{sources.unused()} values are for no reference of the document. Send only those that stand in it."
        raise invalid("references", detail)
    return declaration, digests


def _compared(
    actor: str, reason: str, requested: Requested, declaration: Declaration, digests: PasswordDigests
) -> _Compared:
    stored = registration_stored(digests, [one.name for one in declaration.state.clusters])
    record_comparison(DECLARED, actor, _accounts(declaration, stored), reason)
    obstacles = faults(stored.state, declaration.state)
    if obstacles:
        raise conflict("declaration_refused", **problem_parts(obstacles))
    found = differences(stored.state, declaration.state, prunes=requested.prune)
    undeclared = () if requested.prune else undeclared_nodes(stored.state, declaration.state)
    digest = _digest_of(requested, declaration, stored, found, undeclared)
    return _Compared(declaration, stored, found, undeclared, digest)


def _accounts(declaration: Declaration, stored: StoredRegistration) -> list[Credential]:
    """The accounts whose given passwords are compared with stored ones, of the clusters that were read."""
    ids = [stored.cluster_ids[one.name] for one in declaration.state.clusters if one.name in stored.cluster_ids]
    rows = Credential.objects.filter(cluster__in=ids).select_related("cluster")
    return list(rows.order_by("cluster__name", "role"))


def _digest_of(
    requested: Requested,
    declaration: Declaration,
    stored: StoredRegistration,
    found: Sequence[Difference],
    undeclared: Sequence[tuple[str, str]],
) -> str:
    """Covers the differences, the options, and the versions of what is declared; no password.

    The values of `references` are not in it: a hash of a weak password tells it.
    """
    clusters = {one.name: stored.cluster_versions.get(one.name) for one in declaration.state.clusters}
    links = {one.name: stored.link_versions.get(one.name) for one in declaration.state.links}
    options = {"prune": requested.prune, "accept_unreachable": requested.accept_unreachable}
    whole = [[astuple(one) for one in found], undeclared, clusters, links, options]
    return hashlib.sha256(json.dumps(whole, sort_keys=True).encode()).hexdigest()
