"""Plans and runs: what was decided and sent, and what became of it.

A link has at most one unfinished run: `Run.unfinished_link` is unique, and null once the run ended (both SQLite and
MariaDB allow any number of nulls in a unique column).
"""

from __future__ import annotations

from enum import StrEnum

from django.db import models

from backend.clusters.models import Link
from backend.common import ids


class PlanState(StrEnum):
    """State of a plan."""

    READY = "ready"
    REFUSED = "refused"
    EXPIRED = "expired"
    USED = "used"


class RunState(StrEnum):
    """State of a run."""

    WAITING_APPROVAL = "waiting_approval"
    QUEUED = "queued"
    RUNNING = "running"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    ABORTED = "aborted"
    NEEDS_OPERATOR = "needs_operator"

    @property
    def is_final(self) -> bool:
        """Whether the run has ended."""
        return self in (RunState.SUCCEEDED, RunState.FAILED, RunState.ABORTED)


class StepState(StrEnum):
    """State of a step."""

    PENDING = "pending"
    RUNNING = "running"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    SKIPPED = "skipped"
    UNDONE = "undone"


SUPERSEDED_BY = "superseded_by"
"""Among the facts of a run: the plan that superseded it. Its run ends what the older one left in progress."""

CALENDAR_OVERRIDE = "calendar_override"
"""Among the facts of a run: who let it start in spite of the change calendar, and why. It shows, and proves nothing."""

PRIORITY = "priority"
"""Among the facts of a run: at which priority workers take it, where that is not the priority of operators."""

PEOPLE_BEHIND = "people_behind"
"""Among the facts of a run: who owned a service account that asked for it when it did, or set what started it."""

EXCEPTION_BEHIND = "exception_behind"
"""Among the facts of a run: who was behind its exception without a second person when that was made."""

RESTORED_AT_EPOCH = "restored_at_epoch"
"""Among the facts of a run: its epoch after a restore of the database. Until a worker claims it, its end is unknown."""


class StatementState(StrEnum):
    """Outcome of a statement that was to be sent."""

    INTENDED = "intended"
    OK = "ok"
    FAILED = "failed"
    INDETERMINATE = "indeterminate"
    OBSERVED = "observed"


def _choices(states: type[StrEnum]) -> list[tuple[str, str]]:
    return [(state.value, state.value) for state in states]


class Plan(models.Model):
    """An immutable plan; `body` is the core's plan as data, `digest` its identity.

    `registered_versions` are those of its link and clusters, by id, when it was made: a later one outdates the plan.
    """

    id = models.CharField(primary_key=True, max_length=14, default=ids.plan_id, editable=False)
    link = models.ForeignKey(Link, on_delete=models.PROTECT, related_name="plans")
    kind = models.CharField(max_length=20)
    state = models.CharField(max_length=10, choices=_choices(PlanState))
    reason = models.TextField(blank=True)
    options = models.JSONField(default=dict)
    body = models.JSONField()
    registered_versions = models.JSONField(default=dict)
    digest = models.CharField(max_length=64)
    created_by = models.CharField(max_length=80)
    created_at = models.DateTimeField(db_index=True)
    expires_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.id} {self.kind}"


class Run(models.Model):
    """The execution of a plan.

    `epoch` is the fencing token: each claim raises it, each write names it. `version` grows with every change, so that
    no reader goes back. `authorization` is the console's MAC that lets a worker claim the run at its current epoch.
    `approval_round` grows with each approval the run has to wait for; `approval_rule` is how many persons approve it
    and who may, null for one by any approver. `lost_workers` counts claims whose worker did not
    release the run, since a step was finished for the first time; `takeovers` counts all of them. `token_id` is the
    token with which it was requested or, later, resumed; empty without one.
    """

    id = models.CharField(primary_key=True, max_length=14, default=ids.run_id, editable=False)
    plan = models.OneToOneField(Plan, on_delete=models.PROTECT, related_name="run")
    link = models.ForeignKey(Link, on_delete=models.PROTECT, related_name="runs")
    unfinished_link = models.CharField(max_length=14, null=True, unique=True)  # noqa: DJ001
    kind = models.CharField(max_length=20)
    state = models.CharField(max_length=20, choices=_choices(RunState), db_index=True)
    version = models.PositiveIntegerField(default=1)
    reason = models.TextField(blank=True)
    requested_by = models.CharField(max_length=80)
    request_id = models.CharField(max_length=64, blank=True)
    idempotency_key = models.CharField(max_length=128, blank=True)

    epoch = models.PositiveIntegerField(default=0)
    owner = models.CharField(max_length=120, blank=True)
    lease_until = models.DateTimeField(null=True)
    dispatched_at = models.DateTimeField(null=True)
    lost_workers = models.PositiveSmallIntegerField(default=0)
    takeovers = models.PositiveIntegerField(default=0)
    cursor = models.IntegerField(default=-1)

    needs_approval = models.BooleanField(default=False)
    approval_round = models.PositiveSmallIntegerField(default=1)
    approval_requested_at = models.DateTimeField(null=True)
    approval_expires_at = models.DateTimeField(null=True)
    approval_reminded_at = models.DateTimeField(null=True)
    approval_rule = models.JSONField(null=True)
    resumed_by = models.CharField(max_length=80, blank=True)
    token_id = models.CharField(max_length=14, blank=True, default="", db_default="")
    authorization = models.CharField(max_length=64, blank=True)

    point_of_no_return_passed = models.BooleanField(default=False)
    abort_requested_by = models.CharField(max_length=80, blank=True)
    abort_requested_at = models.DateTimeField(null=True)
    outcome = models.TextField(blank=True)
    next_action = models.TextField(blank=True)
    verification = models.JSONField(null=True)
    facts = models.JSONField(default=dict)

    created_at = models.DateTimeField(db_index=True)
    started_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [
            models.Index(fields=["link", "created_at"], name="run_of_link"),
            models.Index(fields=["link", "kind", "state", "created_at"], name="run_newest"),
        ]

    def __str__(self) -> str:
        return f"{self.id} {self.kind} {self.state}"

    @property
    def asked_by(self) -> str:
        """Who wants it to go on: its requester, or who resumed it."""
        return self.resumed_by or self.requested_by


class RunStep(models.Model):
    """One step of a run; `time_spent` has the parts of its last attempt's time, as the worker measured them."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="steps")
    index = models.PositiveSmallIntegerField()
    code = models.CharField(max_length=60)
    title = models.CharField(max_length=200)
    node = models.CharField(max_length=63, blank=True)
    point_of_no_return = models.BooleanField(default=False)
    state = models.CharField(max_length=10, choices=_choices(StepState), default=StepState.PENDING.value)
    attempts = models.PositiveSmallIntegerField(default=0)
    observed_after_crash = models.BooleanField(default=False)
    outcome = models.TextField(blank=True)
    facts = models.JSONField(default=dict)
    started_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    time_spent = models.JSONField(null=True)

    class Meta:
        ordering = ["index"]
        constraints = [models.UniqueConstraint(fields=["run", "index"], name="run_step_index")]

    def __str__(self) -> str:
        return f"{self.run_id} {self.index} {self.code}"


class Statement(models.Model):
    """A changing statement: stored before it is sent (the intent), completed by its outcome."""

    step = models.ForeignKey(RunStep, on_delete=models.CASCADE, related_name="statements")
    epoch = models.PositiveIntegerField()
    node_id = models.CharField(max_length=14)
    node = models.CharField(max_length=63)
    sql = models.TextField()
    sql_digest = models.CharField(max_length=64)
    connection_id = models.BigIntegerField(null=True)
    state_before = models.JSONField(null=True)
    state = models.CharField(max_length=14, choices=_choices(StatementState), default=StatementState.INTENDED.value)
    warnings = models.JSONField(default=list)
    error = models.TextField(blank=True)
    sent_at = models.DateTimeField()
    duration_ms = models.FloatField(null=True)

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return f"{self.pk} {self.state}"


class Approval(models.Model):
    """One person's approval of one round of a run, or the exception without one; its MAC binds it to both.

    `token_id` is the token with which it was given; empty without one.
    """

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="approvals")
    round = models.PositiveSmallIntegerField(default=1)
    digest = models.CharField(max_length=64, blank=True)
    approver = models.CharField(max_length=80)
    token_id = models.CharField(max_length=14, blank=True, default="", db_default="")
    comment = models.TextField(blank=True)
    at = models.DateTimeField()
    mac = models.CharField(max_length=64, blank=True)
    is_exception = models.BooleanField(default=False)
    expires_at = models.DateTimeField(null=True)
    reviewed_by = models.CharField(max_length=80, blank=True)
    reviewed_at = models.DateTimeField(null=True)
    review_comment = models.TextField(blank=True)

    class Meta:
        ordering = ["round", "id"]
        constraints = [models.UniqueConstraint(fields=["run", "round", "approver"], name="approval_round_approver")]

    def __str__(self) -> str:
        return f"{self.run_id} {self.approver}"
