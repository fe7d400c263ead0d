"""A guided registration of another user, taken over: recorded, and told to the one who began it."""

from __future__ import annotations

from backend.audit import services as audit
from backend.common.events import services as events
from backend.registration.guide.content import title_of
from backend.registration.guide.drafts import changed
from backend.registration.models import RegistrationDraft


def draft_take_over(*, actor: str, draft_id: str) -> RegistrationDraft:
    """Make the caller the owner: whoever was it can change the draft no more."""

    def take(row: RegistrationDraft) -> None:
        before = row.owner
        if before == actor:
            return
        row.owner = actor
        audit.record(actor=actor, action="api:registration:take_over", target=row.pk, facts={"owner": before})
        message = (
            f"{actor} took over the guided registration of {title_of(row)} from {before}. {before} can see it, and "
            "change it no more. If this was not intended, ask an administrator before any password is typed there."
        )
        events.raised(link_id="", kind="registration.taken_over", severity="warning", message=message, actor=actor)

    return changed(draft_id, take)
