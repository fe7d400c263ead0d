"""Serializers of the history, the time line and the readiness report."""

from __future__ import annotations

from rest_framework import serializers

from backend.common.rest.fields import ID_PATTERN, PlainTextField
from backend.common.rest.outputs import serializer_of
from backend.common.rest.pagination import DEFAULT_PAGE, MAX_PAGE
from backend.common.rest.reports import FORMATS
from backend.common.rest.serializers import ShapeSerializer, StrictSerializer, page_of
from backend.core.history.loss import ReportedLoss
from backend.core.history.sentence import Sentences
from backend.core.history.topology_diff import DiffRow
from backend.history.timeline import KINDS
from backend.operations.runs.models import RunState

_SOME_KINDS = rf"^({'|'.join(KINDS)})(,({'|'.join(KINDS)})){{0,{len(KINDS) - 1}}}$"
OUTCOMES = [state.value for state in RunState]


class HistoryFilterSerializer(StrictSerializer):
    """Filters shared by the list and the export; all of them must hold."""

    link = serializers.RegexField(ID_PATTERN, required=False, help_text="id of a link")
    kind = PlainTextField(required=False, max_length=20, help_text="operation, for example failover")
    outcome = serializers.ChoiceField(choices=OUTCOMES, required=False, help_text="state of the run")
    person = PlainTextField(
        required=False, max_length=80, help_text="name of who requested, approved, reviewed, resumed or aborted it"
    )
    since = serializers.DateTimeField(required=False, help_text="confirmed at or after this time")
    until = serializers.DateTimeField(required=False, help_text="confirmed before this time")
    q = PlainTextField(
        required=False,
        max_length=200,
        help_text="words that all occur in summary, reason, outcome, link name, requester or id",
    )


class HistoryListQuerySerializer(HistoryFilterSerializer):
    """Filters and page."""

    cursor = serializers.CharField(required=False, max_length=400, help_text="`next` of the previous page")
    limit = serializers.IntegerField(
        required=False, min_value=1, max_value=MAX_PAGE, default=DEFAULT_PAGE, help_text="number of results per page"
    )


class HistoryExportQuerySerializer(HistoryFilterSerializer):
    """Filters and format."""

    format = serializers.ChoiceField(
        choices=["jsonl", "csv"], default="jsonl", help_text="one JSON object per line, or comma-separated values"
    )


class ReportedPositionSerializer(ShapeSerializer):
    """A position of the run and what it is; null = unknown."""

    direction = serializers.CharField()
    node = serializers.CharField(allow_null=True)
    file = serializers.CharField(allow_null=True)
    offset = serializers.IntegerField(allow_null=True)
    gtid = serializers.CharField(allow_null=True)
    basis = serializers.CharField(help_text="resumed at, applied up to, planned, or not proven")
    text = serializers.CharField()


class SwitchSerializer(ShapeSerializer):
    """A run as an entry of the history; times in seconds are null while they are unknown."""

    id = serializers.CharField(help_text="id of the run")
    link_id = serializers.CharField()
    link_name = serializers.CharField()
    kind = serializers.CharField()
    state = serializers.ChoiceField(choices=OUTCOMES)
    sentence = serializers.CharField()
    sentences = serializer_of(Sentences)()
    requested_by = serializers.CharField()
    approvers = serializers.ListField(child=serializers.CharField())
    is_exception = serializers.BooleanField(help_text="it started without a second person although one was needed")
    reason = serializers.CharField(allow_blank=True)
    created_at = serializers.DateTimeField()
    started_at = serializers.DateTimeField(allow_null=True)
    ended_at = serializers.DateTimeField(allow_null=True)
    duration_s = serializers.FloatField(allow_null=True, help_text="from the confirmation to the end")
    recovery_s = serializers.FloatField(allow_null=True, help_text="from the confirmation to the verified result")
    write_pause_s = serializers.FloatField(allow_null=True)
    is_verified = serializers.BooleanField()
    loss = serializer_of(ReportedLoss)()
    active_before = serializers.CharField(allow_null=True)
    active_planned = serializers.CharField(allow_null=True)
    positions = ReportedPositionSerializer(many=True)
    topology = serializer_of(DiffRow)(many=True)
    topology_text = serializers.CharField(help_text="the topology before and after in the signs of a diff")


SwitchPageSerializer = page_of(SwitchSerializer, "Switch")


class TimelineQuerySerializer(StrictSerializer):
    """A page of the time line; `kinds` chooses some of its entries."""

    kinds = serializers.RegexField(
        _SOME_KINDS, required=False, help_text=f"kinds of entries, divided by commas, of {', '.join(KINDS)}"
    )
    cursor = serializers.CharField(required=False, max_length=400, help_text="`next` of the previous page")
    entry = PlainTextField(
        required=False, max_length=40, help_text="begin with this entry, for example run:r_k3vq7m2xw5ta"
    )
    limit = serializers.IntegerField(
        required=False, min_value=1, max_value=MAX_PAGE, default=DEFAULT_PAGE, help_text="number of results per page"
    )


class TimelineEntrySerializer(ShapeSerializer):
    """An entry of the time line. `entry` names it for a permalink."""

    entry = serializers.CharField()
    kind = serializers.ChoiceField(choices=KINDS)
    id = serializers.CharField()
    at = serializers.DateTimeField()
    sentence = serializers.CharField()
    state = serializers.CharField(
        allow_blank=True, help_text="of a run or rehearsal its state, of an event its severity; else empty"
    )
    actor = serializers.CharField(allow_blank=True)
    run_id = serializers.CharField(allow_null=True)
    seq = serializers.IntegerField(allow_null=True, help_text="number of the audit record of a change")


TimelinePageSerializer = page_of(TimelineEntrySerializer, "Timeline")


class ReadinessQuerySerializer(StrictSerializer):
    """The period, by default the last whole quarter, and the rendering."""

    since = serializers.DateTimeField(required=False, help_text="start of the period")
    until = serializers.DateTimeField(required=False, help_text="end of the period, which is not part of it")
    format = serializers.ChoiceField(
        choices=FORMATS, default="md", help_text="Markdown, or JSON with the facts and the document"
    )
