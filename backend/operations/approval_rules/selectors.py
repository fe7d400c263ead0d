"""Reads the approval rule of a link: its own, or the one by setting."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.conf import settings

from backend.clusters.models import Link
from backend.common.errors import conflict
from backend.core.approvals import ApprovalRule, strictest
from backend.identity.accounts.persons import are_one_person
from backend.operations.approval_rules.models import LinkApprovalRule


def rule_of(link_id: str) -> ApprovalRule:
    """The rule that the next run of the link gets."""
    own = LinkApprovalRule.objects.filter(pk=link_id).first()
    return default_rule() if own is None else as_rule(own)


def rule_over(links: Sequence[Link]) -> ApprovalRule | None:
    """The strictest rule of these links together, None if none of them requires approval.

    409 `no_common_approver` if too few persons may approve by the rules of all.
    """
    asked = [link for link in links if link.requires_approval]
    if not asked:
        return None
    found = strictest([rule_of(link.pk) for link in asked], are_one_person)
    if found is None:
        names = ", ".join(link.name for link in asked)
        raise conflict(
            "no_common_approver",
            f"The run needs approval by the rules of {names}, and too few users may approve by all of them. Nothing "
            "was sent. Name the same approvers in the approval rules of these links.",
        )
    return found


def default_rule() -> ApprovalRule:
    """The rule of links without one of their own."""
    return ApprovalRule(needed=settings.HAWSER_APPROVALS_NEEDED)


def as_rule(row: LinkApprovalRule) -> ApprovalRule:
    """The stored rule."""
    return ApprovalRule(row.needed, tuple(row.approvers))


def rule_view(link: Link) -> dict[str, Any]:
    """The rule of a link as the API shows it."""
    own = LinkApprovalRule.objects.filter(pk=link.pk).first()
    rule = default_rule() if own is None else as_rule(own)
    return {
        "link_id": link.pk,
        "requires_approval": link.requires_approval,
        "approvals_needed": rule.needed,
        "approvers": list(rule.approvers),
        "is_default": own is None,
        "pending": None if own is None or own.pending is None else _pending(own.pending),
    }


def _pending(stored: dict[str, Any]) -> dict[str, Any]:
    rule = ApprovalRule.from_json(stored)
    return {"approvals_needed": rule.needed, "approvers": list(rule.approvers)}
