"""Stores what was observed and when, so that every process of the console has the same facts."""

from __future__ import annotations

from typing import Any

from django.db import models

from backend.clusters.models import Cluster, Link, Node
from backend.common import ids
from backend.core.connection_names import LIMIT_BYTES
from backend.core.facts.moved_values import with_moved


class NodeState(models.Model):
    """A node as last polled; `since` is when its current `reach` began.

    `read_at` is the last complete poll, of a Synced member of the Primary Component with its log;
    `missed_at` is the first later poll that was not complete. `base` has the facts as they were once stored whole, and
    `moved` the values that differ since, with the time of the base that they belong to.
    """

    node = models.OneToOneField(Node, on_delete=models.CASCADE, primary_key=True, related_name="state")
    reach = models.CharField(max_length=8)
    since = models.DateTimeField()
    read_at = models.DateTimeField(null=True)
    missed_at = models.DateTimeField(null=True)
    observed_at = models.DateTimeField()
    base = models.JSONField(db_column="facts", default=dict)
    moved = models.JSONField(null=True)

    def __str__(self) -> str:
        return f"{self.node_id} {self.reach}"

    @property
    def facts(self) -> dict[str, Any]:
        """Everything that the last poll read."""
        return _moved_facts(self.base, self.moved)

    @facts.setter
    def facts(self, facts: dict[str, Any]) -> None:
        self.base, self.moved = facts, None


def _moved_facts(base: dict[str, Any], moved: dict[str, Any] | None) -> dict[str, Any]:
    """The facts with what moved; what moved since another base, as an older release stores it, is no part."""
    if moved is None or moved["since"] != base.get("observed_at_s"):
        return base
    return with_moved(base, moved["values"])


class NodeEvents(models.Model):
    """A node's events of the event scheduler as last read; kept of a node that is down."""

    node = models.OneToOneField(Node, on_delete=models.CASCADE, primary_key=True, related_name="events")
    read_at = models.DateTimeField()
    events = models.JSONField()

    def __str__(self) -> str:
        return f"{self.node_id} {self.read_at}"


class LinkStatus(models.Model):
    """A link as last derived; JSON columns hold what `selectors` prepare for the API.

    `refreshed_at`: when the last run that ended had observed it. What a monitor polled before says nothing of it.
    """

    link = models.OneToOneField(Link, on_delete=models.CASCADE, primary_key=True, related_name="status")
    state = models.CharField(max_length=12)
    since = models.DateTimeField()
    observed_at = models.DateTimeField()
    sentence = models.TextField()
    detail = models.TextField(blank=True)
    findings = models.JSONField(default=list)
    channels = models.JSONField(default=list)
    clusters = models.JSONField(default=dict)
    readiness = models.JSONField(default=dict)
    primary_action = models.JSONField(null=True)
    last_ok = models.JSONField(default=dict)
    refreshed_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.link_id} {self.state}"


class ChannelRecord(models.Model):
    """A direction's channel as last observed as the only one and running, for when its replica is unreachable.

    `waits_for_position`: its source's log was reset while the channel was at this position of the old log. `log_break`:
    why it is not proven that its source still has the log that it has read (`core.link_facts.LogBreak`), until it is
    pointed at a proven position. `cert_failures`: what its replica counted when the channel last applied. `account`:
    which transactions of its stream stand on both sides (`core.stream_account.StreamAccount`).
    """

    link = models.ForeignKey(Link, on_delete=models.CASCADE, related_name="channel_records")
    direction = models.CharField(max_length=7)
    replica_node = models.ForeignKey(Node, on_delete=models.CASCADE, related_name="+")
    source_node = models.ForeignKey(Node, on_delete=models.CASCADE, related_name="+")
    channel = models.JSONField()
    observed_at = models.DateTimeField()
    waits_for_position = models.CharField(max_length=240, blank=True, default="")
    log_break = models.JSONField(null=True)
    cert_failures = models.BigIntegerField(null=True)
    applied_at_s = models.FloatField(null=True)
    account = models.JSONField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["link", "direction"], name="record_direction")]

    def __str__(self) -> str:
        return f"{self.link_id} {self.direction}"


class OtherSource(models.Model):
    """A channel of a node from an address of no node of the other side, as last observed, with what answered it.

    `log_break`: why it is not proven that it reads on in the log that it has read, until it is pointed anew.
    """

    node = models.ForeignKey(Node, on_delete=models.CASCADE, related_name="other_sources")
    channel_name = models.CharField(max_length=LIMIT_BYTES, blank=True)
    channel = models.JSONField()
    log_break = models.JSONField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["node", "channel_name"], name="other_source_channel")]

    def __str__(self) -> str:
        return f"{self.node_id} {self.channel_name}"


class LagSample(models.Model):
    """The lag of both directions at one time; None is unknown, never zero. `state_rank` is that of the link's state."""

    link = models.ForeignKey(Link, on_delete=models.CASCADE, related_name="lag_samples")
    at = models.DateTimeField()
    state_rank = models.PositiveSmallIntegerField(null=True)
    forward_gap = models.IntegerField(null=True)
    forward_lag_s = models.IntegerField(null=True)
    reverse_gap = models.IntegerField(null=True)
    reverse_lag_s = models.IntegerField(null=True)

    class Meta:
        indexes = [models.Index(fields=["link", "at"], name="lag_link_at")]

    def __str__(self) -> str:
        return f"{self.link_id} {self.at}"


class LagBucket(models.Model):
    """The samples of a link within `width_s` seconds from `at`.

    Of each measure: minimum, maximum and sum of the known values, and how many of `samples` were known. Where nothing
    was sampled there is no row. The key is the order in which a link's curve is read.
    """

    pk = models.CompositePrimaryKey("link_id", "width_s", "at")
    link = models.ForeignKey(Link, on_delete=models.CASCADE, related_name="+", db_index=False)
    width_s = models.PositiveSmallIntegerField()
    at = models.DateTimeField()
    samples = models.PositiveSmallIntegerField()
    state_rank = models.PositiveSmallIntegerField(null=True)
    forward_gap_min = models.IntegerField(null=True)
    forward_gap_max = models.IntegerField(null=True)
    forward_gap_sum = models.BigIntegerField(null=True)
    forward_gap_known = models.PositiveSmallIntegerField()
    forward_lag_s_min = models.IntegerField(null=True)
    forward_lag_s_max = models.IntegerField(null=True)
    forward_lag_s_sum = models.BigIntegerField(null=True)
    forward_lag_s_known = models.PositiveSmallIntegerField()
    reverse_gap_min = models.IntegerField(null=True)
    reverse_gap_max = models.IntegerField(null=True)
    reverse_gap_sum = models.BigIntegerField(null=True)
    reverse_gap_known = models.PositiveSmallIntegerField()
    reverse_lag_s_min = models.IntegerField(null=True)
    reverse_lag_s_max = models.IntegerField(null=True)
    reverse_lag_s_sum = models.BigIntegerField(null=True)
    reverse_lag_s_known = models.PositiveSmallIntegerField()

    def __str__(self) -> str:
        return f"{self.link_id} {self.at} {self.width_s} s"


class LagProgress(models.Model):
    """How far the history of the lag is in one resolution: 1 for the samples, else the width of its buckets.

    Samples before `rolled_until` are in its buckets; rows before `kept_from` are deleted.
    """

    width_s = models.PositiveSmallIntegerField(primary_key=True)
    rolled_until = models.DateTimeField(null=True)
    kept_from = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.width_s} s until {self.rolled_until}"


class NodeLog(models.Model):
    """What a node's binary log held when it was last read (`core.link_facts.LogRecord`).

    A monitor that starts, or a node that does, compares it with what is there then.
    """

    node = models.OneToOneField(Node, on_delete=models.CASCADE, primary_key=True, related_name="log")
    state_uuid = models.CharField(max_length=36)
    seqno = models.BigIntegerField()
    file = models.CharField(max_length=220)
    created_s = models.BigIntegerField()
    event_offset = models.BigIntegerField(null=True)
    end_offset = models.BigIntegerField()
    xid = models.BigIntegerField(null=True)
    server_id = models.BigIntegerField(null=True)
    started_at_s = models.FloatField()
    observed_at_s = models.FloatField()
    unread_since_s = models.FloatField(null=True)

    def __str__(self) -> str:
        return f"{self.node_id} {self.file}:{self.end_offset}"


class Checkpoint(models.Model):
    """One journal sample: a position in a node's binlog and its seqno.

    `exact`: the group that ends there has this seqno; otherwise it is a hint. `retention_level`
    is 2 for the first sample of a minute, 1 for the first of ten seconds, else 0. `is_void`: the log that it was taken
    of, or the history that numbered it, is another one since.
    """

    node = models.ForeignKey(Node, on_delete=models.CASCADE, related_name="checkpoints")
    state_uuid = models.CharField(max_length=36)
    file = models.CharField(max_length=220)
    offset = models.BigIntegerField()
    seqno = models.BigIntegerField()
    exact = models.BooleanField()
    retention_level = models.PositiveSmallIntegerField()
    observed_at = models.DateTimeField()
    is_void = models.BooleanField(db_default=False)

    class Meta:
        indexes = [
            models.Index(fields=["node", "state_uuid", "seqno"], name="checkpoint_seqno"),
            models.Index(fields=["node", "observed_at"], name="checkpoint_node_at"),
            models.Index(fields=["retention_level", "observed_at"], name="checkpoint_level_at"),
        ]

    def __str__(self) -> str:
        return f"{self.node_id} {self.file}:{self.offset} {self.seqno}"


class ClusterView(models.Model):
    """What was last observed of a cluster's views, so that halves can be told apart and compared later.

    `seqnos`: each node's counter when it was last seen in one view with each other node, by their ids; they are of
    `state_uuid`. `differs_since`: since when its members have reported different views. `parted`: the
    halves that it had, with the logs of their nodes, until all nodes are proven to hold what one of them holds.
    """

    cluster = models.OneToOneField(Cluster, on_delete=models.CASCADE, primary_key=True, related_name="+")
    state_uuid = models.CharField(max_length=36)
    seqnos = models.JSONField(default=dict)
    differs_since = models.DateTimeField(null=True)
    parted = models.JSONField(default=list)
    observed_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.cluster_id} {self.state_uuid}"


class SideFence(models.Model):
    """The run that last fenced a cluster, and when one of its nodes was first seen writable since."""

    cluster = models.OneToOneField(Cluster, on_delete=models.CASCADE, primary_key=True, related_name="+")
    run_id = models.CharField(max_length=14)
    kind = models.CharField(max_length=24)
    fenced_at = models.DateTimeField()
    opened_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.cluster_id} {self.run_id}"


class UnsafePeriod(models.Model):
    """A time in which a node of a link had a setting with which rows come to differ unseen, until a person settles it.

    It outlasts the node's registration. `ended_at` is null while the node has the setting, as far as is known.
    """

    link = models.ForeignKey(Link, on_delete=models.CASCADE, related_name="unsafe_periods")
    node_id = models.CharField(max_length=14)
    node_name = models.CharField(max_length=63)
    variable = models.CharField(max_length=80)
    value = models.TextField()
    began_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["link", "node_id", "variable"], name="unsafe_period_setting")]

    def __str__(self) -> str:
        return f"{self.link_id} {self.node_name} {self.variable}"


class ProofPeriod(models.Model):
    """A time in which one direction of a link was proven, or not (`core.facts.stream_proof.Period`).

    A direction is that of its clusters: with the roles it is named otherwise, and goes on. `cause` is empty where
    it was proven. `ended_at` of the latest one is until when it was last shown. `transactions` were found on both sides
    in that time, and the rows of `compared` were compared. `is_latest` is null once a later one began, so that a
    direction has one.
    """

    link = models.ForeignKey(Link, on_delete=models.CASCADE, related_name="proof_periods", db_index=False)
    source_cluster = models.ForeignKey(Cluster, on_delete=models.CASCADE, related_name="+")
    receiving_cluster = models.ForeignKey(Cluster, on_delete=models.CASCADE, related_name="+")
    cause = models.CharField(max_length=16, blank=True)
    began_at = models.DateTimeField()
    ended_at = models.DateTimeField(db_index=True)
    span_since_s = models.FloatField(null=True)
    transactions = models.BigIntegerField(default=0)
    compared = models.BigIntegerField(default=0)
    is_latest = models.BooleanField(null=True, default=True)

    class Meta:
        indexes = [models.Index(fields=["link", "receiving_cluster", "ended_at"], name="proof_period_ended")]
        constraints = [
            models.UniqueConstraint(fields=["link", "receiving_cluster", "is_latest"], name="proof_period_latest")
        ]

    def __str__(self) -> str:
        return f"{self.link_id} {self.receiving_cluster_id} {self.began_at}"


class WriteSetReading(models.Model):
    """A synced node's counters of write-sets at one time, with the running totals over its restarts.

    `seqno` is the newest write-set it had then. One reading a minute is stored for two hours, of each hour the first
    for eight days, and the newest of a node always.
    """

    node = models.ForeignKey(Node, on_delete=models.CASCADE, related_name="+")
    at = models.DateTimeField()
    is_hourly = models.BooleanField()
    state_uuid = models.CharField(max_length=36)
    seqno = models.BigIntegerField()
    replicated = models.BigIntegerField()
    replicated_bytes = models.BigIntegerField()
    received = models.BigIntegerField()
    received_bytes = models.BigIntegerField()
    write_sets = models.BigIntegerField()
    bytes = models.BigIntegerField()
    own_bytes = models.BigIntegerField()
    covered_s = models.FloatField()

    class Meta:
        indexes = [
            models.Index(fields=["node", "at"], name="write_set_node_at"),
            models.Index(fields=["is_hourly", "at"], name="write_set_age"),
        ]

    def __str__(self) -> str:
        return f"{self.node_id} {self.at}"


class AbsenceAlarm(models.Model):
    """A node that may be away for less than the threshold before it needs an SST, since `since`."""

    node = models.OneToOneField(Node, on_delete=models.CASCADE, primary_key=True, related_name="+")
    since = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.node_id} since {self.since}"


class NodeMaintenance(models.Model):
    """The absence of a node that a run prepared; `open_cluster` is null once it ended, so a cluster has one at most.

    `watch` is what the core remembers of it (`core.node_absence.maintenance`). `freeze_seqno`: where the donor's gcache
    was frozen, null where its provider cannot. `unfrozen_at`: when the donor was seen not to be frozen any more.
    """

    id = models.CharField(primary_key=True, max_length=14, default=ids.maintenance_id, editable=False)
    cluster = models.ForeignKey(Cluster, on_delete=models.CASCADE, related_name="+")
    open_cluster = models.CharField(max_length=14, null=True, unique=True)  # noqa: DJ001 - null is "ended"
    link = models.ForeignKey(Link, on_delete=models.CASCADE, related_name="+")
    node = models.ForeignKey(Node, on_delete=models.CASCADE, related_name="+")
    donor = models.ForeignKey(Node, on_delete=models.CASCADE, related_name="+")
    run_id = models.CharField(max_length=14, unique=True)
    opened_by = models.CharField(max_length=80)
    opened_at = models.DateTimeField()
    allowed_at = models.DateTimeField(null=True)
    until = models.DateTimeField()
    members = models.PositiveSmallIntegerField()
    freeze_seqno = models.BigIntegerField(null=True)
    unfrozen_at = models.DateTimeField(null=True)
    unfreeze_error = models.TextField(blank=True)
    stage = models.CharField(max_length=12)
    result = models.CharField(max_length=12, blank=True)
    sentence = models.TextField(blank=True)
    watch = models.JSONField(default=dict)
    left_at = models.DateTimeField(null=True)
    returned_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    ended_by = models.CharField(max_length=80, blank=True)
    version = models.PositiveIntegerField(default=1)

    class Meta:
        indexes = [models.Index(fields=["cluster", "-opened_at"], name="maintenance_of_cluster")]

    def __str__(self) -> str:
        return f"{self.node_id} {self.stage}"


class CleanupDue(models.Model):
    """A node whose channel was moved while the node was unreachable."""

    link = models.ForeignKey(Link, on_delete=models.CASCADE, related_name="cleanups_due")
    node = models.ForeignKey(Node, on_delete=models.CASCADE, related_name="+")
    direction = models.CharField(max_length=7)
    channel_name = models.CharField(max_length=LIMIT_BYTES, blank=True)
    run_id = models.CharField(max_length=14, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["link", "node", "direction"], name="cleanup_due_once")]

    def __str__(self) -> str:
        return f"{self.link_id} {self.node_id} {self.direction}"


class StrayChannel(models.Model):
    """A channel besides the recorded one, as its node was last read; `run_id` where a run created it."""

    link = models.ForeignKey(Link, on_delete=models.CASCADE, related_name="+")
    node = models.ForeignKey(Node, on_delete=models.CASCADE, related_name="+")
    channel_name = models.CharField(max_length=LIMIT_BYTES, blank=True)
    run_id = models.CharField(max_length=14, blank=True)
    seen_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["link", "node"], name="stray_channel_once")]

    def __str__(self) -> str:
        return f"{self.link_id} {self.node_id}"


class Divergence(models.Model):
    """The divergence of two clusters since a failover; the lost side is no source until `reconciled_at`.

    `facts` is the core's `Divergence` as data. A link has at most one open divergence.
    """

    link = models.ForeignKey(Link, on_delete=models.CASCADE, related_name="divergences")
    open_link = models.CharField(max_length=14, null=True, unique=True)  # noqa: DJ001 - null is "reconciled"
    lost_cluster = models.ForeignKey(Cluster, on_delete=models.PROTECT, related_name="+")
    run_id = models.CharField(max_length=14)
    facts = models.JSONField()
    created_at = models.DateTimeField(auto_now_add=True)
    reconciled_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.link_id} lost {self.lost_cluster_id}"


class MonitorLease(models.Model):
    """The monitor that calls the periodic jobs: one row, valid for a few seconds of the database's own time."""

    id = models.PositiveSmallIntegerField(primary_key=True)
    holder = models.CharField(max_length=120)
    until = models.DateTimeField()

    def __str__(self) -> str:
        return self.holder


class ClusterOwner(models.Model):
    """The monitor that polls and stores a cluster, as long as its own lease is in force.

    Clusters that links join have the same holder, who stores these links. `epoch` rises with each new holder, since
    `since`; what is stored names it. `takeovers` counts the holders that did not release it.
    """

    cluster = models.OneToOneField(Cluster, on_delete=models.CASCADE, primary_key=True, related_name="+")
    holder = models.CharField(max_length=140, blank=True, default="", db_index=True)
    epoch = models.PositiveBigIntegerField(default=0)
    since = models.DateTimeField()
    takeovers = models.PositiveIntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.cluster_id} {self.holder}"


class MonitorProcess(models.Model):
    """A monitor and its lease of all that it owns: until a time of the database's own clock.

    `ready`: ids of clusters that it has polled without owning them, and so can take over without a gap.
    """

    name = models.CharField(primary_key=True, max_length=140)
    until = models.DateTimeField()
    ready = models.JSONField(default=list)

    def __str__(self) -> str:
        return self.name
