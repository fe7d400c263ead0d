"""Serializers of a run: its inputs, and the run with its steps and statements."""

from __future__ import annotations

from rest_framework import serializers

from backend.common.rest.fields import ID_PATTERN, PlainTextField
from backend.common.rest.outputs import serializer_of
from backend.common.rest.pagination import DEFAULT_PAGE, MAX_PAGE
from backend.common.rest.serializers import ChangedFactSerializer, ShapeSerializer, StrictSerializer, page_of
from backend.core.change_calendar.decision import Objection
from backend.core.history.loss import ReportedLoss
from backend.core.runner.time_spent import TimeSpent
from backend.identity.accounts.serializers import ProtectedChangeSerializer
from backend.operations.runs.models import RunState, StatementState, StepState
from backend.operations.runs.rest.serializers.derived import RolesAfterSerializer, WritePauseSerializer
from backend.operations.runs.rest.serializers.plans import AskedLinkSerializer, TargetSerializer
from backend.operations.runs.rest.serializers.verification import VerificationSerializer

RUN_STATE = [state.value for state in RunState]
STEP_STATE = [state.value for state in StepState]
STATEMENT_STATE = [state.value for state in StatementState]


class RunInSerializer(StrictSerializer):
    """A plan to run: its digest, the link name as a confirmation, and a reason of its own."""

    digest = serializers.CharField(max_length=64, help_text="digest of the plan you reviewed")
    confirm = serializers.CharField(max_length=63, trim_whitespace=False, help_text="name of the link, exactly")
    reason = PlainTextField(max_length=2000, help_text="reason, stored in the audit log")
    override_calendar = PlainTextField(
        max_length=2000,
        required=False,
        allow_blank=True,
        default="",
        help_text="reason to start in spite of the change calendar; needs the role approver",
    )


class ApprovalInSerializer(StrictSerializer):
    """An approval: the digest of the reviewed plan, and a comment."""

    digest = serializers.CharField(max_length=64, help_text="digest of the plan you reviewed")
    comment = PlainTextField(max_length=2000, help_text="comment, stored in the audit log")


class ReviewInSerializer(StrictSerializer):
    """The result of the review of an exception."""

    comment = PlainTextField(max_length=2000, help_text="result of the review, stored in the audit log")


class ApprovalSerializer(ShapeSerializer):
    """The approval of one round of a run by a second person, or the exception without one."""

    round = serializers.IntegerField()
    approver = serializers.CharField()
    comment = serializers.CharField(allow_blank=True)
    at = serializers.DateTimeField()
    is_exception = serializers.BooleanField()
    reviewed_by = serializers.CharField(allow_blank=True)
    reviewed_at = serializers.DateTimeField(allow_null=True)
    review_comment = serializers.CharField(allow_blank=True)
    counts = serializers.BooleanField(
        help_text="false while the run waits where this is of an earlier round, or its approver lost the right"
    )


class CalendarOverrideSerializer(ShapeSerializer):
    """Who let a run start in spite of the change calendar."""

    by = serializers.CharField()
    reason = serializers.CharField()
    at = serializers.DateTimeField()
    objections = serializers.ListField(child=serializers.CharField())


class WaitingRunSerializer(ShapeSerializer):
    """A run that is waiting for a second person."""

    run_id = serializers.CharField()
    link_id = serializers.CharField()
    link_name = serializers.CharField()
    kind = serializers.CharField()
    summary = serializers.CharField()
    requested_by = serializers.CharField()
    requested_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField(allow_null=True)
    approvals_needed = serializers.IntegerField()
    approvals_missing = serializers.IntegerField()
    asked_links = AskedLinkSerializer(many=True, required=False, help_text="the links whose rules hold")
    may_approve = serializers.BooleanField(help_text="whether the caller can approve it now")
    why_not = serializers.CharField(allow_null=True, help_text="why the caller cannot")


class WaitingQuerySerializer(StrictSerializer):
    """Which decisions to list."""

    mine = serializers.BooleanField(default=False, help_text="only runs that the caller can approve")


class RunDecisionSerializer(ShapeSerializer):
    """What an approver must know besides the plan, as of now."""

    run_id = serializers.CharField()
    state = serializers.ChoiceField(RUN_STATE)
    plan_digest = serializers.CharField()
    plan_created_at = serializers.DateTimeField()
    checked_at = serializers.DateTimeField(allow_null=True, help_text="when the servers were compared; null: not")
    changes = ChangedFactSerializer(many=True, help_text="what has changed since the plan was created")
    objections = serializer_of(Objection)(many=True, help_text="what the change calendar objects to a start now")
    overridden = serializer_of(Objection)(
        many=True, help_text="what it objects besides, and the requester has overridden"
    )
    approvals_needed = serializers.IntegerField()
    approvals_missing = serializers.IntegerField()
    approvers = serializers.ListField(
        child=serializers.CharField(), help_text="the only users who may approve; empty: any approver"
    )
    expires_at = serializers.DateTimeField(allow_null=True)
    asked_links = AskedLinkSerializer(many=True, required=False, help_text="the links whose rules and calendars hold")
    may_approve = serializers.BooleanField(help_text="whether the caller can approve it now")
    why_not = serializers.CharField(allow_null=True, help_text="why the caller cannot")


class UnreviewedExceptionSerializer(ShapeSerializer):
    """A run that started without a second person and has not been reviewed yet."""

    run_id = serializers.CharField()
    link_id = serializers.CharField()
    link_name = serializers.CharField()
    requested_by = serializers.CharField()
    approver = serializers.CharField()
    comment = serializers.CharField(allow_blank=True)
    at = serializers.DateTimeField()


class WaitingSerializer(ShapeSerializer):
    """Everything that is waiting for a second person."""

    runs = WaitingRunSerializer(many=True)
    changes = ProtectedChangeSerializer(many=True)
    exceptions = UnreviewedExceptionSerializer(many=True)


class StatementSerializer(ShapeSerializer):
    """A changing statement and its outcome."""

    id = serializers.CharField()
    sql = serializers.CharField()
    node = serializers.CharField()
    connection_id = serializers.IntegerField(allow_null=True)
    sent_at = serializers.DateTimeField()
    duration_ms = serializers.FloatField(allow_null=True)
    state = serializers.ChoiceField(choices=STATEMENT_STATE)
    warnings = serializers.ListField(child=serializers.CharField())
    error = serializers.CharField(allow_blank=True)


class StepProgressSerializer(ShapeSerializer):
    """Progress of a step that runs in batches."""

    done = serializers.IntegerField()
    of = serializers.IntegerField()


class RunStepSerializer(ShapeSerializer):
    """A step of a run with its latest 200 statements."""

    index = serializers.IntegerField()
    code = serializers.CharField()
    title = serializers.CharField()
    node = serializers.CharField(allow_null=True)
    state = serializers.ChoiceField(choices=STEP_STATE)
    started_at = serializers.DateTimeField(allow_null=True)
    ended_at = serializers.DateTimeField(allow_null=True)
    attempts = serializers.IntegerField()
    observed_after_crash = serializers.BooleanField(help_text="the step was found done after a worker crash")
    point_of_no_return = serializers.BooleanField()
    statements = StatementSerializer(many=True)
    outcome = serializers.CharField(allow_blank=True)
    facts = serializers.DictField()
    progress = StepProgressSerializer(allow_null=True)


class RunSerializer(ShapeSerializer):
    """A run; `durations` are seconds, by name and by step code."""

    id = serializers.CharField()
    link_id = serializers.CharField()
    link_name = serializers.CharField()
    plan_id = serializers.CharField()
    kind = serializers.CharField()
    state = serializers.ChoiceField(choices=RUN_STATE)
    version = serializers.IntegerField(help_text="grows with every change of the run")
    reason = serializers.CharField(allow_blank=True)
    requested_by = serializers.CharField()
    approved_by = serializers.CharField(allow_null=True)
    approvals = ApprovalSerializer(many=True)
    approvals_needed = serializers.IntegerField(help_text="how many persons approve it; 0 if it needs no approval")
    approvals_missing = serializers.IntegerField(help_text="how many approvals of this round are still missing")
    calendar_override = CalendarOverrideSerializer(allow_null=True)
    approval_expires_at = serializers.DateTimeField(allow_null=True)
    plan_digest = serializers.CharField()
    request_id = serializers.CharField(allow_blank=True)
    created_at = serializers.DateTimeField()
    started_at = serializers.DateTimeField(allow_null=True)
    ended_at = serializers.DateTimeField(allow_null=True)
    server_time = serializers.DateTimeField()
    epoch = serializers.IntegerField(help_text="fencing token; grows with every claim by a worker")
    steps = RunStepSerializer(many=True)
    durations = serializers.DictField(child=serializers.FloatField(allow_null=True), allow_null=True)
    verification = VerificationSerializer(allow_null=True)
    outcome = serializers.CharField(allow_blank=True, help_text="what happened, in a sentence")
    next_action = serializers.CharField(allow_blank=True, help_text="what an operator should do next; blank if nothing")
    can_abort = serializers.BooleanField()
    abort_effect = serializers.CharField(allow_blank=True, help_text="what an abort would do now, or why it is refused")
    point_of_no_return_passed = serializers.BooleanField()
    summary = serializers.CharField(allow_blank=True)
    target = TargetSerializer()
    loss = serializer_of(ReportedLoss)(
        help_text="what is lost as far as known by now; rewritten when orphans are counted"
    )
    accepted_servers = serializers.ListField(
        child=serializers.CharField(),
        help_text="Who accepted plans with servers that were never tried, in a sentence for each cluster.",
    )
    write_pause = WritePauseSerializer(
        allow_null=True, help_text="Null where the run opens no side, or has closed none so far."
    )
    roles_after = RolesAfterSerializer(allow_null=True, help_text="Null where the run leaves the roles as they are.")
    time_spent = serializer_of(TimeSpent)(allow_null=True, help_text="Null before a worker has started the run.")


RunPageSerializer = page_of(RunSerializer, "Run")


class RunQuerySerializer(StrictSerializer):
    """Filters and page of the list of runs."""

    link = serializers.RegexField(ID_PATTERN, required=False, help_text="id of a link")
    plan = serializers.RegexField(ID_PATTERN, required=False, help_text="id of a plan")
    state = serializers.ChoiceField(choices=RUN_STATE, required=False)
    cursor = serializers.CharField(required=False, max_length=400, help_text="`next` of the previous page")
    limit = serializers.IntegerField(
        required=False, min_value=1, max_value=MAX_PAGE, default=DEFAULT_PAGE, help_text="number of results per page"
    )
