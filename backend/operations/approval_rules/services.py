"""Changes the approval rule of a link. A weaker rule waits for a second administrator, or for its waiting time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Final

from django.db import transaction
from django.utils import timezone

from backend.audit import services as audit
from backend.clusters.models import Link
from backend.common.errors import invalid
from backend.common.roles import Permission
from backend.common.transaction_retry import retry_on_rollback
from backend.core.approvals import ApprovalRule
from backend.identity.access.deciding import may_on_link
from backend.identity.accounts import protected_changes
from backend.identity.accounts.models import User
from backend.identity.accounts.persons import are_one_person, user_of
from backend.operations.approval_rules.models import LinkApprovalRule
from backend.operations.approval_rules.selectors import as_rule, default_rule

RULE_WEAKENED: Final = "approval_rule_weakened"


@retry_on_rollback
def rule_update(*, actor: str, link: Link, approvals_needed: int, approvers: Sequence[str], reason: str) -> None:
    """Set how many persons approve and who may; a change that is not weaker takes effect at once."""
    wanted = ApprovalRule(approvals_needed, _usernames(approvers, link.pk))
    _check_enough(wanted)
    with transaction.atomic():
        Link.objects.select_for_update().get(pk=link.pk)
        protected_changes.withdraw(RULE_WEAKENED, link.pk, actor)
        row = _row(link)
        before = as_rule(row)
        if wanted.is_weaker_than(before) and link.requires_approval and not _begins_now(actor, link, wanted):
            row.pending = asdict(wanted)
        else:
            row.needed, row.approvers, row.pending = wanted.needed, list(wanted.approvers), None
        row.save()
        audit.record(
            actor=actor,
            action="api:approval_rule:update",
            link_id=link.pk,
            target=link.pk,
            reason=reason,
            facts={"before": asdict(before), "after": asdict(wanted), "is_pending": row.pending is not None},
        )


def _begins_now(actor: str, link: Link, wanted: ApprovalRule) -> bool:
    who = f"of {', '.join(wanted.approvers)}" if wanted.approvers else "of any approver"
    summary = f"{actor} requests that runs on {link.name} need only {wanted.needed} approval(s) {who}."
    at = protected_changes.effective_at(timezone.now())
    waits = protected_changes.announce(kind=RULE_WEAKENED, target=link.pk, summary=summary, actor=actor, at=at)
    return waits is None


def weaker_rule_begins(link_id: str) -> None:
    """Let the weaker rule take effect, as announced."""
    row = LinkApprovalRule.objects.select_for_update().filter(pk=link_id).first()
    if row is None or row.pending is None:
        return
    rule = ApprovalRule.from_json(row.pending)
    row.needed, row.approvers, row.pending = rule.needed, list(rule.approvers), None
    row.save()


def weaker_rule_rejected(link_id: str) -> None:
    """Keep the rule as it is."""
    LinkApprovalRule.objects.filter(pk=link_id).update(pending=None)


def _row(link: Link) -> LinkApprovalRule:
    found = LinkApprovalRule.objects.filter(pk=link.pk).first()
    return found or LinkApprovalRule(link=link, needed=default_rule().needed)


def _usernames(approvers: Sequence[str], link_id: str) -> tuple[str, ...]:
    """The names as the accounts spell them, each once."""
    return tuple(dict.fromkeys(_approver(name, link_id).username for name in approvers))


def _approver(name: str, link_id: str) -> User:
    user = user_of(name)
    if user is None or not user.is_active or not may_on_link(user, Permission.APPROVE, link_id):
        detail = f"{name} is no active user who may approve runs of this link. Name users with that permission."
        raise invalid("approvers", detail)
    return user


def _check_enough(rule: ApprovalRule) -> None:
    """Named approvers must be enough different persons."""
    if not rule.approvers:
        return
    persons: list[str] = []
    for name in rule.approvers:
        if not any(are_one_person(name, other) for other in persons):
            persons.append(name)
    if len(persons) < rule.needed:
        raise invalid(
            "approvers",
            f"{rule.needed} different persons must approve, and only {len(persons)} are named. Name more of them, or "
            "none: then any approver may approve.",
            code="too_few_approvers",
            status=422,
        )
