"""Shapes of plans and runs."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from backend.clusters.serializers import DIRECTION, PLAN_KIND, FindingSerializer
from backend.common.rest.fields import ID_PATTERN, PlainTextField
from backend.common.rest.pagination import DEFAULT_PAGE, MAX_PAGE
from backend.common.rest.serializers import ShapeSerializer, StrictSerializer, page_of
from backend.runs.models import PlanState, RunState, StatementState, StepState

ORPHAN_WAYS = ["attach", "fence", "replay", "undo", "rebuild"]
PLAN_STATE = [state.value for state in PlanState]
RUN_STATE = [state.value for state in RunState]
STEP_STATE = [state.value for state in StepState]
STATEMENT_STATE = [state.value for state in StatementState]
GROUP_KINDS = ["dml", "ddl", "other"]
FAMILIES = ["seqno", "gtid", "content", "journal", "heartbeat", "aligned_seqno", "backup"]


class BackupPositionField(PlainTextField):
    """A line as it stands in the backup's own file: fields parted by tabs, a line break at its end."""

    def to_internal_value(self, data: Any) -> str:
        """Blanks for tabs, nothing around it."""
        return super().to_internal_value(data.replace("\t", " ").strip() if isinstance(data, str) else data)


class PlanOptionsSerializer(StrictSerializer):
    """What the planner may be told; node ids of the link's clusters."""

    source_node = serializers.RegexField(ID_PATTERN, required=False)
    replica_node = serializers.RegexField(ID_PATTERN, required=False)
    attest_fenced = serializers.ListField(child=serializers.RegexField(ID_PATTERN), required=False, max_length=64)
    attest_path = serializers.BooleanField(required=False)
    attest_accounts = serializers.BooleanField(required=False)
    attest_record = serializers.BooleanField(required=False)
    accept_loss = serializers.BooleanField(required=False)
    override_partition = serializers.BooleanField(required=False)
    allow_long_transactions = serializers.BooleanField(required=False)
    reject_queries = serializers.BooleanField(required=False)
    orphans = serializers.ChoiceField(choices=ORPHAN_WAYS, required=False)
    skip_conflicts = serializers.BooleanField(required=False)
    backup_position = BackupPositionField(max_length=300, required=False)
    probe = serializers.BooleanField(required=False)


class PlanInSerializer(StrictSerializer):
    """A plan to make."""

    kind = serializers.ChoiceField(choices=PLAN_KIND)
    reason = PlainTextField(max_length=2000)
    options = PlanOptionsSerializer(required=False)


class RunInSerializer(StrictSerializer):
    """A plan to run: its digest as shown, the link's name typed, a reason."""

    digest = serializers.CharField(max_length=64)
    confirm = serializers.CharField(max_length=63, trim_whitespace=False)
    reason = PlainTextField(max_length=2000)


class CommentSerializer(StrictSerializer):
    """A word on a decision."""

    comment = PlainTextField(max_length=2000, required=False, allow_blank=True, default="")


class GroupSerializer(ShapeSerializer):
    """One transaction in a binary log."""

    seqno = serializers.IntegerField(allow_null=True)
    gtid = serializers.CharField(allow_null=True)
    kind = serializers.ChoiceField(choices=GROUP_KINDS)
    summary = serializers.CharField(allow_blank=True)
    statement = serializers.CharField(allow_null=True)
    tables = serializers.ListField(child=serializers.CharField())
    bytes = serializers.IntegerField()
    events = serializers.IntegerField()
    server_id = serializers.IntegerField()
    file = serializers.CharField()
    position = serializers.IntegerField()
    end_position = serializers.IntegerField()
    digest = serializers.CharField(allow_blank=True)


class EvidenceSerializer(ShapeSerializer):
    """What one family says of a position; null is "not available"."""

    family = serializers.ChoiceField(choices=FAMILIES)
    agrees = serializers.BooleanField(allow_null=True)
    detail = serializers.CharField(allow_blank=True)
    facts = serializers.DictField()


class PositionSerializer(ShapeSerializer):
    """Where a direction resumes on its new source, and the proof."""

    direction = serializers.ChoiceField(choices=DIRECTION)
    node = serializers.CharField(allow_null=True)
    node_name = serializers.CharField(allow_blank=True)
    file = serializers.CharField(allow_null=True)
    position = serializers.IntegerField(allow_null=True)
    gtid = serializers.CharField(allow_null=True)
    seqno = serializers.IntegerField(allow_null=True)
    proven = serializers.BooleanField()
    late = serializers.BooleanField()
    verdict = serializers.CharField(allow_blank=True)
    reasons = serializers.ListField(child=serializers.CharField())
    evidence = EvidenceSerializer(many=True)
    receiving_name = serializers.CharField(allow_blank=True)
    read_from = serializers.CharField(allow_blank=True)
    applied = GroupSerializer(many=True)
    held = GroupSerializer(many=True)
    next = GroupSerializer(many=True)
    waiting = serializers.IntegerField(allow_null=True)
    elapsed_ms = serializers.FloatField()
    searched_events = serializers.IntegerField()
    from_checkpoint_age_s = serializers.FloatField(allow_null=True)


class LossSerializer(ShapeSerializer):
    """What would be lost; null is "could not be determined"."""

    transactions = serializers.IntegerField(allow_null=True)
    seconds = serializers.FloatField(allow_null=True)
    detail = serializers.CharField(allow_blank=True)


class PlanStepSerializer(ShapeSerializer):
    """One step with its literal SQL, secrets masked."""

    index = serializers.IntegerField()
    code = serializers.CharField()
    title = serializers.CharField()
    node = serializers.CharField(allow_null=True)
    node_id = serializers.CharField(allow_null=True)
    sql = serializers.ListField(child=serializers.CharField())
    undo = serializers.ListField(child=serializers.CharField())
    point_of_no_return = serializers.BooleanField()


class TargetSerializer(ShapeSerializer):
    """The pair both channels will stand on; where roles matter, who takes writes and who stands by afterwards."""

    source_node = serializers.CharField(allow_null=True)
    source_name = serializers.CharField(allow_blank=True)
    replica_node = serializers.CharField(allow_null=True)
    replica_name = serializers.CharField(allow_blank=True)
    active_cluster = serializers.CharField(required=False)
    active_name = serializers.CharField(required=False)
    standby_cluster = serializers.CharField(required=False)
    standby_name = serializers.CharField(required=False)


class GuideStepSerializer(ShapeSerializer):
    """What a person does on a node, with the commands to copy."""

    title = serializers.CharField()
    node = serializers.CharField()
    commands = serializers.ListField(child=serializers.CharField())


class SituationSerializer(ShapeSerializer):
    """What is the matter now."""

    sentence = serializers.CharField(allow_blank=True)
    old_source_name = serializers.CharField(allow_blank=True)
    old_replica_name = serializers.CharField(allow_blank=True)
    lost = serializers.ListField(child=serializers.CharField())
    guide = GuideStepSerializer(many=True, required=False)


class PlanOptionsShownSerializer(ShapeSerializer):
    """What the planner was told."""

    source_node = serializers.CharField(required=False)
    replica_node = serializers.CharField(required=False)
    attest_fenced = serializers.ListField(child=serializers.CharField(), required=False)
    attest_path = serializers.BooleanField(required=False)
    attest_accounts = serializers.BooleanField(required=False)
    attest_record = serializers.BooleanField(required=False)
    accept_loss = serializers.BooleanField(required=False)
    override_partition = serializers.BooleanField(required=False)
    allow_long_transactions = serializers.BooleanField(required=False)
    reject_queries = serializers.BooleanField(required=False)
    orphans = serializers.ChoiceField(choices=ORPHAN_WAYS, required=False)
    skip_conflicts = serializers.BooleanField(required=False)
    backup_position = serializers.CharField(required=False)
    probe = serializers.BooleanField(required=False)


class PlanSerializer(ShapeSerializer):
    """A plan; a refused one says why in its findings."""

    id = serializers.CharField()
    link_id = serializers.CharField()
    link_name = serializers.CharField()
    kind = serializers.CharField()
    state = serializers.ChoiceField(choices=PLAN_STATE)
    reason = serializers.CharField(allow_blank=True)
    summary = serializers.CharField(allow_blank=True)
    digest = serializers.CharField()
    created_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField()
    expires_in_s = serializers.FloatField()
    created_by = serializers.CharField()
    findings = FindingSerializer(many=True)
    positions = PositionSerializer(many=True)
    loss = LossSerializer()
    steps = PlanStepSerializer(many=True)
    target = TargetSerializer()
    situation = SituationSerializer()
    options = PlanOptionsShownSerializer()


class StatementSerializer(ShapeSerializer):
    """A changing statement and what became of it."""

    id = serializers.CharField()
    sql = serializers.CharField()
    node = serializers.CharField()
    connection_id = serializers.IntegerField(allow_null=True)
    sent_at = serializers.DateTimeField()
    duration_ms = serializers.FloatField(allow_null=True)
    state = serializers.ChoiceField(choices=STATEMENT_STATE)
    warnings = serializers.ListField(child=serializers.CharField())
    error = serializers.CharField(allow_blank=True)


class RunStepSerializer(ShapeSerializer):
    """One step of a run with the latest 200 of its statements."""

    index = serializers.IntegerField()
    code = serializers.CharField()
    title = serializers.CharField()
    node = serializers.CharField(allow_null=True)
    state = serializers.ChoiceField(choices=STEP_STATE)
    started_at = serializers.DateTimeField(allow_null=True)
    ended_at = serializers.DateTimeField(allow_null=True)
    attempts = serializers.IntegerField()
    observed_after_crash = serializers.BooleanField()
    point_of_no_return = serializers.BooleanField()
    statements = StatementSerializer(many=True)
    outcome = serializers.CharField(allow_blank=True)
    facts = serializers.DictField()


class ProbeSeenSerializer(ShapeSerializer):
    """When a probe arrived on a node; null is "not yet"."""

    node = serializers.CharField()
    ms = serializers.FloatField(allow_null=True)


class ProbeSerializer(ShapeSerializer):
    """A probe transaction and where it was seen."""

    direction = serializers.ChoiceField(choices=DIRECTION)
    written_on = serializers.CharField()
    seen_on = ProbeSeenSerializer(many=True)
    complete = serializers.BooleanField()


class SeamSerializer(ShapeSerializer):
    """Groups compared around the place where a channel resumed."""

    direction = serializers.ChoiceField(choices=DIRECTION)
    node = serializers.CharField()
    groups_compared = serializers.IntegerField()
    equal = serializers.BooleanField()


class VerificationSerializer(ShapeSerializer):
    """What was proved after the run."""

    verdict = serializers.ChoiceField(choices=["verified", "not_verified", "partly"])
    probes = ProbeSerializer(many=True)
    seam = SeamSerializer(many=True)
    options_equal = serializers.BooleanField(allow_null=True)
    second_channels = serializers.ListField(child=serializers.CharField())
    not_probed_reason = serializers.CharField(allow_blank=True)
    write_pause_ms = serializers.IntegerField(allow_null=True, required=False)
    cleaning_pending = serializers.ListField(child=serializers.CharField())


class RunSerializer(ShapeSerializer):
    """A run; `durations` are seconds, by name and by step code."""

    id = serializers.CharField()
    link_id = serializers.CharField()
    link_name = serializers.CharField()
    plan_id = serializers.CharField()
    kind = serializers.CharField()
    state = serializers.ChoiceField(choices=RUN_STATE)
    version = serializers.IntegerField()
    reason = serializers.CharField(allow_blank=True)
    requested_by = serializers.CharField()
    approved_by = serializers.CharField(allow_null=True)
    request_id = serializers.CharField(allow_blank=True)
    created_at = serializers.DateTimeField()
    started_at = serializers.DateTimeField(allow_null=True)
    ended_at = serializers.DateTimeField(allow_null=True)
    server_time = serializers.DateTimeField()
    epoch = serializers.IntegerField()
    steps = RunStepSerializer(many=True)
    durations = serializers.DictField(child=serializers.FloatField(allow_null=True), allow_null=True)
    verification = VerificationSerializer(allow_null=True)
    outcome = serializers.CharField(allow_blank=True)
    next_action = serializers.CharField(allow_blank=True)
    can_abort = serializers.BooleanField()
    abort_effect = serializers.CharField(allow_blank=True)
    point_of_no_return_passed = serializers.BooleanField()
    summary = serializers.CharField(allow_blank=True)
    target = TargetSerializer()


RunPageSerializer = page_of(RunSerializer, "Run")


class RunQuerySerializer(StrictSerializer):
    """Filters and page of the list of runs."""

    link = serializers.RegexField(ID_PATTERN, required=False)
    state = serializers.ChoiceField(choices=RUN_STATE, required=False)
    cursor = serializers.CharField(required=False, max_length=400)
    limit = serializers.IntegerField(required=False, min_value=1, max_value=MAX_PAGE, default=DEFAULT_PAGE)
