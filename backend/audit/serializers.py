"""Serializers of the audit log."""

from __future__ import annotations

from rest_framework import serializers

from backend.audit.damage import Reason
from backend.common.rest.fields import ID_PATTERN, PlainTextField
from backend.common.rest.pagination import DEFAULT_PAGE, MAX_PAGE
from backend.common.rest.serializers import ShapeSerializer, StrictSerializer, page_of

DAMAGE = [reason.value for reason in Reason]


class AuditFilterSerializer(StrictSerializer):
    """Filters shared by list and export; `action` is a prefix."""

    seq = serializers.IntegerField(required=False, min_value=1, max_value=2**63 - 1, help_text="number of one record")
    link = serializers.RegexField(ID_PATTERN, required=False, help_text="id of a link")
    run = serializers.RegexField(ID_PATTERN, required=False, help_text="id of a run")
    actor = PlainTextField(required=False, max_length=80, help_text="exact name of the actor")
    action = PlainTextField(required=False, max_length=80, help_text="prefix of the action, for example api:run")
    since = serializers.DateTimeField(required=False, help_text="records at or after this time")
    until = serializers.DateTimeField(required=False, help_text="records before this time")


class AuditQuerySerializer(AuditFilterSerializer):
    """Filters and page."""

    cursor = serializers.CharField(required=False, max_length=400, help_text="`next` of the previous page")
    limit = serializers.IntegerField(
        required=False, min_value=1, max_value=MAX_PAGE, default=DEFAULT_PAGE, help_text="number of results per page"
    )


class AuditExportQuerySerializer(AuditFilterSerializer):
    """Filters and format."""

    format = serializers.ChoiceField(
        choices=["jsonl", "csv"], default="jsonl", help_text="one JSON object per line, or comma-separated values"
    )


class AuditVerifyQuerySerializer(StrictSerializer):
    """A head that was stored externally, as `hawser_audit head` prints it."""

    head = serializers.CharField(
        required=False, max_length=600, help_text="signed head to compare with, as hawser_audit head prints it"
    )


class AuditRecordSerializer(ShapeSerializer):
    """An audit record."""

    seq = serializers.IntegerField()
    at = serializers.DateTimeField()
    actor = serializers.CharField()
    action = serializers.CharField(help_text="source:subject:action, for example api:run:start")
    link_id = serializers.CharField(allow_blank=True)
    run_id = serializers.CharField(allow_blank=True)
    target = serializers.CharField(allow_blank=True)
    reason = serializers.CharField(allow_blank=True)
    request_id = serializers.CharField(allow_blank=True)
    source_ip = serializers.CharField(allow_blank=True)
    facts = serializers.DictField()
    hash = serializers.CharField()
    prev_hash = serializers.CharField()
    key_id = serializers.CharField(
        allow_blank=True, help_text="audit key of the hash; blank in records from before the first key"
    )


AuditPageSerializer = page_of(AuditRecordSerializer, "Audit")


class AuditHeadSerializer(ShapeSerializer):
    """The end of the chain."""

    seq = serializers.IntegerField()
    hash = serializers.CharField()


class AuditVerdictSerializer(ShapeSerializer):
    """Whether the chain is intact, and the first damage if not."""

    ok = serializers.BooleanField()
    records = serializers.IntegerField()
    first_bad_seq = serializers.IntegerField(allow_null=True, help_text="first damaged record; null if there is none")
    reason = serializers.ChoiceField(choices=DAMAGE, allow_null=True)
    detail = serializers.CharField(allow_blank=True)
    head = AuditHeadSerializer()
    checked_at = serializers.DateTimeField()
    full_checked_at = serializers.DateTimeField(
        allow_null=True, help_text="end of the last verification of all records; null if there was none"
    )


class AuditWalkQuerySerializer(StrictSerializer):
    """Where to continue."""

    after = serializers.CharField(required=False, max_length=600, help_text="`next` of the previous call; none: begin")


class AuditWalkSerializer(ShapeSerializer):
    """How far a verification of all records is, and its result once it is finished."""

    is_finished = serializers.BooleanField(help_text="all records are verified, or one is damaged")
    ok = serializers.BooleanField(help_text="no damage so far")
    verified = serializers.IntegerField(help_text="number of the last valid record")
    records = serializers.IntegerField(help_text="number of records that the log should have")
    first_at = serializers.DateTimeField(allow_null=True, help_text="time of the first record")
    last_at = serializers.DateTimeField(allow_null=True, help_text="time of the last valid record")
    first_bad_seq = serializers.IntegerField(allow_null=True, help_text="first damaged record; null if there is none")
    reason = serializers.ChoiceField(choices=DAMAGE, allow_null=True)
    detail = serializers.CharField(allow_blank=True)
    next = serializers.CharField(allow_null=True, help_text="to be sent as `after`; null once it is finished")
    checked_at = serializers.DateTimeField()
