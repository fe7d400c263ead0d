"""Whether runs of a link need a second person at all: switched on at once, off as announced."""

from __future__ import annotations

from typing import Final

from django.utils import timezone

from backend.clusters.models import Link
from backend.identity.accounts import protected_changes

RULE_OFF: Final = "approval_rule_off"


def may_set_rule(actor: str, link: Link, *, is_on: bool) -> bool:
    """Whether the rule can change at once; switching it off is announced and waits."""
    if is_on:
        protected_changes.withdraw(RULE_OFF, link.id, actor)
        return True
    at = protected_changes.effective_at(timezone.now())
    if not link.requires_approval:
        return True
    summary = f"{actor} requests that runs on {link.name} no longer need the approval of a second person."
    return protected_changes.announce(kind=RULE_OFF, target=link.id, summary=summary, actor=actor, at=at) is None


def approval_rule_off(link_id: str) -> None:
    """Switch the rule off, as announced."""
    Link.objects.filter(pk=link_id).update(requires_approval=False)


def approval_rule_stays(link_id: str) -> None:
    """Keep the rule on after a rejection."""
