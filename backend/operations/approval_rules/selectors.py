"""Reads the approval rule of a link: its own, or the one by setting."""

from __future__ import annotations

from typing import Any

from django.conf import settings

from backend.clusters.models import Link
from backend.core.approvals import ApprovalRule
from backend.operations.approval_rules.models import LinkApprovalRule


def rule_of(link_id: str) -> ApprovalRule:
    """The rule that the next run of the link gets."""
    own = LinkApprovalRule.objects.filter(pk=link_id).first()
    return default_rule() if own is None else as_rule(own)


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
