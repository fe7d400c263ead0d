"""A guided registration of another user, taken over: recorded, and told to the one who began it."""

from __future__ import annotations

from backend.audit import services as audit
from backend.common.events import services as events
from backend.gateway.account_statements import ROLES
from backend.registration.guide.content import as_json, side_of, title_of
from backend.registration.guide.drafts import changed
from backend.registration.models import SIDES, RegistrationDraft


def draft_take_over(*, actor: str, draft_id: str) -> RegistrationDraft:
    """Make the caller the owner: whoever was it can change the draft no more.

    Passwords that are stored for it are forgotten: the new owner could have them sent to a server of his own.
    """

    def take(row: RegistrationDraft) -> None:
        before = row.owner
        if before == actor:
            return
        row.owner = actor
        row.credentials.filter(role__in=ROLES, reference=None).delete()
        for side in SIDES:
            content = side_of(row, side)
            content.stored, content.outcomes, content.may_share = "", [], False
            content.forget_check()
            setattr(row, side, as_json(content))
        audit.record(actor=actor, action="api:registration:take_over", target=row.pk, facts={"owner": before})
        message = (
            f"{actor} took over the guided registration of {title_of(row)} from {before}. {before} can see it, and "
            "change it no more. If this was not intended, ask an administrator before any password is typed there."
        )
        events.raised(link_id="", kind="registration.taken_over", severity="warning", message=message, actor=actor)

    return changed(draft_id, take)
