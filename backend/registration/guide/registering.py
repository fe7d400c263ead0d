"""Registers both clusters and the link of a draft, through the services that every registration takes.

Each id is kept as soon as it is known, so that a registration which stopped in the middle continues.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction

from backend.clusters.selectors import clusters
from backend.clusters.services import cluster_register, link_register
from backend.common.errors import ProblemError, conflict
from backend.core.discovery.channels import LinkFound, active_suggestion, link_found
from backend.core.discovery.open_points import OpenPoint, SideOutcome, open_points
from backend.registration.guide.accounts import credentials_of
from backend.registration.guide.client_certificate import client_fields
from backend.registration.guide.content import SideDraft, link_of, side_of
from backend.registration.guide.drafts import draft_as_seen
from backend.registration.models import SIDES, RegistrationDraft

REASON = "guided registration"


def found_link(draft: RegistrationDraft) -> LinkFound:
    """The channels between both clusters, by what was read last."""
    first, second = (side_of(draft, side).discovered() or () for side in SIDES)
    return link_found(first, second)


def points_of(draft: RegistrationDraft) -> tuple[OpenPoint, ...]:
    """What keeps the draft from being registered, and what may stay open."""
    first, second = (_outcome(side, side_of(draft, side)) for side in SIDES)
    has_active = active_side(draft) is not None
    return open_points(first, second, link_of(draft).name, found_link(draft), has_active=has_active)


def suggested_active(draft: RegistrationDraft) -> str | None:
    """The side where applications seem to write; None where that is unknown."""
    first, second = (side_of(draft, side).discovered() or () for side in SIDES)
    suggestion = active_suggestion(first, second)
    return None if suggestion is None else SIDES[suggestion]


def active_side(draft: RegistrationDraft) -> str | None:
    """The side that was chosen, else the suggested one."""
    return link_of(draft).active or suggested_active(draft)


def _outcome(side: str, content: SideDraft) -> SideOutcome:
    return SideOutcome(
        side=side,
        name=content.name,
        site=content.site,
        nodes=len(content.nodes),
        tls_mode=content.tls_mode,
        servers=content.discovered(),
        has_accounts=bool(content.stored),
        findings=content.checked(),
    )


def draft_register(*, actor: str, draft_id: str, accept_open: bool, endpoints_digest: str) -> RegistrationDraft:
    """Register what is not registered yet; refused while a point must be fixed, or is open and not accepted."""
    draft = draft_as_seen(actor=actor, draft_id=draft_id, seen=endpoints_digest)
    _check_points(points_of(draft), accept_open=accept_open)
    for side in SIDES:
        if not getattr(draft, f"{side}_cluster_id"):
            cluster_id = _cluster(actor, draft, side)
            RegistrationDraft.objects.filter(pk=draft.pk).update(**{f"{side}_cluster_id": cluster_id})
            setattr(draft, f"{side}_cluster_id", cluster_id)
    link = link_of(draft)
    active = active_side(draft) or SIDES[0]
    standby = SIDES[1 - SIDES.index(active)]
    created = link_register(
        actor=actor,
        name=link.name,
        active_cluster=getattr(draft, f"{active}_cluster_id"),
        standby_cluster=getattr(draft, f"{standby}_cluster_id"),
        channel_name=_channel_name(draft),
        create_probe=link.create_probe,
        requires_approval=link.requires_approval,
        writes_on_both_sides=link.writes_on_both_sides,
        reason=REASON,
    )
    with transaction.atomic():
        draft.link_id = created.pk
        draft.save(update_fields=["link_id"])
        draft.credentials.all().delete()
    return draft


def _channel_name(draft: RegistrationDraft) -> str:
    chosen = link_of(draft).channel_name
    return chosen if chosen is not None else found_link(draft).channel_name or ""


def _cluster(actor: str, draft: RegistrationDraft, side: str) -> str:
    """Register one side, or take up the cluster that an interrupted registration left under its name."""
    content = side_of(draft, side)
    uuids = {one.state_uuid for one in content.discovered() or () if one.state_uuid}
    same = clusters().filter(name=content.name, state_uuid__in=uuids).first()
    if same is not None:
        return same.pk
    try:
        return cluster_register(
            actor=actor,
            name=content.name,
            site=content.site,
            nodes=content.nodes,
            credentials=credentials_of(draft, side),
            tls={"mode": content.tls_mode, "ca": content.tls_ca, **client_fields(draft, side, content)},
            reason=REASON,
        ).pk
    except ProblemError as problem:
        for error in problem.errors:
            error["field"] = f"{side}.{error['field']}"
        raise


def _check_points(points: Sequence[OpenPoint], *, accept_open: bool) -> None:
    must = [one for one in points if one.must]
    refused = must or ([] if accept_open else list(points))
    if refused:
        remedy = "Fix them first." if must else "Fix them, or register with accept_open."
        listed = " ".join(one.sentence for one in refused)
        raise conflict("registration_open_points", f"Nothing was registered. {listed} {remedy}")
