"""Shapes of the audit calls."""

from __future__ import annotations

from rest_framework import serializers

from backend.audit.damage import Reason
from backend.common.rest.fields import ID_PATTERN, PlainTextField
from backend.common.rest.pagination import DEFAULT_PAGE, MAX_PAGE
from backend.common.rest.serializers import ShapeSerializer, StrictSerializer, page_of

DAMAGE = [reason.value for reason in Reason]


class AuditFilterSerializer(StrictSerializer):
    """Filters shared by list and export; `action` is a prefix."""

    link = serializers.RegexField(ID_PATTERN, required=False)
    run = serializers.RegexField(ID_PATTERN, required=False)
    actor = PlainTextField(required=False, max_length=80)
    action = PlainTextField(required=False, max_length=80)
    since = serializers.DateTimeField(required=False)
    until = serializers.DateTimeField(required=False)


class AuditQuerySerializer(AuditFilterSerializer):
    """Filters and page."""

    cursor = serializers.CharField(required=False, max_length=400)
    limit = serializers.IntegerField(required=False, min_value=1, max_value=MAX_PAGE, default=DEFAULT_PAGE)


class AuditExportQuerySerializer(AuditFilterSerializer):
    """Filters and format."""

    format = serializers.ChoiceField(choices=["jsonl", "csv"], default="jsonl")


class AuditVerifyQuerySerializer(StrictSerializer):
    """A head that was kept outside, as `hawser_audit head` printed it."""

    head = serializers.CharField(required=False, max_length=600)


class AuditRecordSerializer(ShapeSerializer):
    """One record."""

    seq = serializers.IntegerField()
    at = serializers.DateTimeField()
    actor = serializers.CharField()
    action = serializers.CharField()
    link_id = serializers.CharField(allow_blank=True)
    run_id = serializers.CharField(allow_blank=True)
    target = serializers.CharField(allow_blank=True)
    reason = serializers.CharField(allow_blank=True)
    request_id = serializers.CharField(allow_blank=True)
    source_ip = serializers.CharField(allow_blank=True)
    facts = serializers.DictField()
    hash = serializers.CharField()
    prev_hash = serializers.CharField()
    key_id = serializers.CharField(allow_blank=True)


AuditPageSerializer = page_of(AuditRecordSerializer, "Audit")


class AuditHeadSerializer(ShapeSerializer):
    """Where the chain ends."""

    seq = serializers.IntegerField()
    hash = serializers.CharField()


class AuditVerdictSerializer(ShapeSerializer):
    """Whether the chain holds, and where it first does not."""

    ok = serializers.BooleanField()
    records = serializers.IntegerField()
    first_bad_seq = serializers.IntegerField(allow_null=True)
    reason = serializers.ChoiceField(choices=DAMAGE, allow_null=True)
    detail = serializers.CharField(allow_blank=True)
    head = AuditHeadSerializer()
    checked_at = serializers.DateTimeField()
    full_checked_at = serializers.DateTimeField(allow_null=True)
