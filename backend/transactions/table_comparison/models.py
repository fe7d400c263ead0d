"""Comparisons of tables; the rows that differ are business data, stored as long as their comparison."""

from __future__ import annotations

from django.db import models

from backend.clusters.models import Link
from backend.common import ids


class State(models.TextChoices):
    """What becomes of a comparison; `running` also while it waits for a node, which `sentence` says."""

    RUNNING = "running"
    PAUSED = "paused"
    FINISHED = "finished"
    STOPPED = "stopped"


class TableState(models.TextChoices):
    """What is known of a table."""

    WAITING = "waiting"
    COMPARING = "comparing"
    EQUAL = "equal"
    DIFFERENT = "different"
    NOT_COMPARED = "not_compared"


class TableComparison(models.Model):
    """One comparison of a link; `unfinished_link` is unique, so that a link has one at a time.

    `node_ids`: the nodes that are read, the reference first. `claimed_until`: until then a worker goes on with it.
    `worked_ms`: for how long workers did, without pauses and waits between.
    """

    id = models.CharField(primary_key=True, max_length=14, default=ids.table_comparison_id, editable=False)
    link = models.ForeignKey(Link, on_delete=models.CASCADE, related_name="table_comparisons")
    unfinished_link = models.OneToOneField(Link, on_delete=models.CASCADE, null=True, related_name="+")
    state = models.CharField(max_length=10, choices=State.choices, default=State.RUNNING)
    actor = models.CharField(max_length=80)
    node_ids = models.JSONField()
    only = models.JSONField(default=list)
    rows_per_s = models.PositiveIntegerField()
    busy_percent = models.PositiveSmallIntegerField()
    is_listed = models.BooleanField(default=False)
    sentence = models.TextField(blank=True)
    claimed_until = models.DateTimeField(null=True)
    worked_ms = models.PositiveBigIntegerField(db_default=0)
    started_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-started_at", "-id"]
        indexes = [models.Index(fields=["link", "started_at"], name="comparison_of_link")]

    def __str__(self) -> str:
        return f"{self.link_id} {self.state}"


class ComparedTable(models.Model):
    """A table of a comparison: what of it is compared (`shape`, `left_out`), how far (`walk`), and the result.

    JSON of the core. `rows`: compared, of the reference; `while_written` of them while the table was being written.
    """

    comparison = models.ForeignKey(TableComparison, on_delete=models.CASCADE, related_name="tables")
    name = models.CharField(max_length=140)
    state = models.CharField(max_length=12, choices=TableState.choices, default=TableState.WAITING)
    estimated_rows = models.PositiveBigIntegerField(default=0)
    rows = models.PositiveBigIntegerField(default=0)
    while_written = models.PositiveBigIntegerField(default=0)
    different = models.PositiveIntegerField(default=0)
    code = models.CharField(max_length=40, blank=True)
    sentence = models.TextField(blank=True)
    left_out = models.JSONField(default=list)
    shape = models.JSONField(default=dict)
    walk = models.JSONField(default=dict)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["comparison", "name"], name="compared_table_once")]
        indexes = [models.Index(fields=["comparison", "state"], name="compared_table_state")]

    def __str__(self) -> str:
        return f"{self.name} {self.state}"


class RowDifference(models.Model):
    """A row that is not the same on a node, by its key; `reference` and `held` are its images there and on the node.

    None: it is not there, or was not read again.
    """

    table = models.ForeignKey(ComparedTable, on_delete=models.CASCADE, related_name="differences")
    node_id = models.CharField(max_length=14)
    node = models.CharField(max_length=63)
    apart = models.CharField(max_length=10)
    is_confirmed = models.BooleanField()
    key = models.JSONField(null=True)
    reference = models.JSONField(null=True)
    held = models.JSONField(null=True)
    found_at = models.DateTimeField()

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return f"{self.table_id} {self.apart} on {self.node}"


class ComparisonSchedule(models.Model):
    """Whether and how often a link's tables are compared automatically, and within which budget."""

    link = models.OneToOneField(
        Link, on_delete=models.CASCADE, primary_key=True, related_name="table_comparison_schedule"
    )
    enabled = models.BooleanField(default=False)
    every_hours = models.PositiveSmallIntegerField(default=168)
    every_node = models.BooleanField(default=True)
    only = models.JSONField(default=list)
    rows_per_s = models.PositiveIntegerField(default=20_000)
    busy_percent = models.PositiveSmallIntegerField(default=20)

    def __str__(self) -> str:
        return f"{self.link_id} {'on' if self.enabled else 'off'}"
