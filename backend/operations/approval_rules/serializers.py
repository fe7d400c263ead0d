"""Serializers of the approval rule of a link."""

from __future__ import annotations

from rest_framework import serializers

from backend.common.rest.fields import PlainTextField
from backend.common.rest.serializers import ShapeSerializer, StrictSerializer
from backend.core.approvals import MAX_NEEDED

MAX_APPROVERS = 50


class ApprovalRuleInSerializer(StrictSerializer):
    """How many persons approve, who may, and why it is changed."""

    approvals_needed = serializers.IntegerField(min_value=1, max_value=MAX_NEEDED)
    approvers = serializers.ListField(
        child=PlainTextField(max_length=80),
        max_length=MAX_APPROVERS,
        help_text="usernames of the only users who may approve; empty: any approver",
    )
    reason = PlainTextField(max_length=2000, help_text="reason, stored in the audit log")


class PendingRuleSerializer(ShapeSerializer):
    """A weaker rule that is not in effect yet."""

    approvals_needed = serializers.IntegerField()
    approvers = serializers.ListField(child=serializers.CharField())


class ApprovalRuleSerializer(ShapeSerializer):
    """The approval rule of a link."""

    link_id = serializers.CharField()
    requires_approval = serializers.BooleanField(help_text="whether runs of the link need approval at all")
    approvals_needed = serializers.IntegerField()
    approvers = serializers.ListField(child=serializers.CharField())
    is_default = serializers.BooleanField(help_text="whether the number is that of the setting")
    pending = PendingRuleSerializer(allow_null=True, help_text="a weaker rule that waits for a second administrator")
