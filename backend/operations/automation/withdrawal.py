"""Switches off the automation that a stolen token set, until somebody sets it again."""

from __future__ import annotations

from django.db import transaction

from backend.audit import services as audit
from backend.clusters.models import Link
from backend.common.events import services as events
from backend.core.automation import Mode
from backend.identity.accounts.models import ApiToken
from backend.operations.automation.models import AutomaticStart, LinkAutomation


@transaction.atomic
def withdraw_of_token(actor: str, token: ApiToken) -> list[str]:
    """Switch off what the token set last; a run that it started and that has not begun ends as one of the token."""
    relocates = LinkAutomation.objects.filter(token_id=token.pk).exclude(mode=Mode.OFF.value).select_related("link")
    starts = AutomaticStart.objects.filter(token_id=token.pk, enabled=True).select_related("link")
    found = [(row.link, "automatic relocate") for row in relocates] + [(row.link, "automatic start") for row in starts]
    relocates.update(mode=Mode.OFF.value)
    starts.update(enabled=False)
    return [_tell(actor, token, link, what) for link, what in found]


def _tell(actor: str, token: ApiToken, link: Link, what: str) -> str:
    sentence = f"It set the {what} of {link.name}, which is off until somebody sets it again."
    why = f"Token {token.pk} of {token.user.username} was revoked as compromised."
    events.raised(
        link_id=link.pk, kind="automation.withdrawn", severity="warning", message=f"{why} {sentence}", actor=actor
    )
    facts = {"what": what, "token": token.pk}
    audit.record(
        actor=actor, action="console:automation:withdrawn", link_id=link.pk, target=link.pk, reason=why, facts=facts
    )
    return sentence
