"""Shapes of clusters, nodes and links; what monitoring knows is shaped here too."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from backend.common.rest.fields import ID_PATTERN, NameField, PlainTextField, SecretField
from backend.common.rest.serializers import ShapeSerializer, StrictSerializer, page_of
from backend.core.findings import Severity
from backend.core.plan import PLAN_KINDS
from backend.core.topology import Direction, Reach
from backend.gateway.connection.endpoint import TlsMode

REACH = [reach.value for reach in Reach]
PLAN_KIND = list(PLAN_KINDS)
DIRECTION = [direction.value for direction in Direction]
SEVERITY = [severity.value for severity in Severity]
TLS_MODE = [mode.value for mode in TlsMode]
LINK_STATE = ["protected", "degraded", "broken", "failed_over", "unprotected", "unknown"]
CHANNEL_STATE = ["running", "stopped", "broken", "unknown", "stray"]
CLUSTER_STATUS = ["primary", "degraded", "non_primary", "down", "unknown"]


class NodeInSerializer(StrictSerializer):
    """A node to register."""

    name = NameField()
    host = PlainTextField(max_length=253)
    port = serializers.IntegerField(min_value=1, max_value=65535, default=3306)


class AccountInSerializer(StrictSerializer):
    """One database account."""

    user = PlainTextField(max_length=128)
    password = SecretField()


class CredentialsInSerializer(StrictSerializer):
    """The three accounts, by power."""

    monitor = AccountInSerializer()
    operator = AccountInSerializer()
    replication = AccountInSerializer()


class TlsInSerializer(StrictSerializer):
    """How to speak to the nodes; `ca` is a PEM text."""

    mode = serializers.ChoiceField(choices=TLS_MODE)
    ca = serializers.CharField(required=False, allow_blank=True, max_length=65_536)


class ClusterInSerializer(StrictSerializer):
    """A cluster to register; secrets are write-only."""

    name = NameField()
    site = NameField()
    nodes = serializers.ListField(child=NodeInSerializer(), allow_empty=False, max_length=32)
    credentials = CredentialsInSerializer()
    tls = TlsInSerializer()


class LinkInSerializer(StrictSerializer):
    """A link to register; `create_probe` consents to the schema `hawser` on the active side."""

    name = NameField()
    active_cluster = serializers.RegexField(ID_PATTERN)
    standby_cluster = serializers.RegexField(ID_PATTERN)
    channel_name = serializers.RegexField(r"^[A-Za-z0-9_]{0,64}$", required=False, allow_blank=True, default="")
    create_probe = serializers.BooleanField(default=True)
    requires_approval = serializers.BooleanField(default=False)


class LinkUpdateSerializer(StrictSerializer):
    """What may change of a link."""

    requires_approval = serializers.BooleanField(required=False)


class FindingSerializer(ShapeSerializer):
    """A check's answer."""

    code = serializers.CharField()
    severity = serializers.ChoiceField(choices=SEVERITY)
    message = serializers.CharField()
    remedy = serializers.CharField(allow_blank=True)
    facts = serializers.DictField()


class FindingsSerializer(ShapeSerializer):
    """Answers of all checks."""

    findings = FindingSerializer(many=True)


class WsrepSerializer(ShapeSerializer):
    """Galera's own status of a node."""

    cluster_status = serializers.CharField(allow_blank=True)
    state = serializers.CharField(allow_blank=True)
    local_state = serializers.IntegerField()
    ready = serializers.BooleanField()
    connected = serializers.BooleanField()
    cluster_size = serializers.IntegerField()
    state_uuid = serializers.CharField(allow_blank=True)
    last_committed = serializers.IntegerField()
    conf_id = serializers.IntegerField()
    recv_queue = serializers.IntegerField()


class NodeChannelSerializer(ShapeSerializer):
    """One replication connection as its replica reports it."""

    name = serializers.CharField(allow_blank=True)
    source_host = serializers.CharField(allow_blank=True)
    source_port = serializers.IntegerField()
    source_node = serializers.CharField(allow_null=True)
    io_running = serializers.CharField()
    sql_running = serializers.CharField()
    exec_file = serializers.CharField(allow_blank=True)
    exec_position = serializers.IntegerField()
    read_file = serializers.CharField(allow_blank=True)
    read_position = serializers.IntegerField()
    lag_s = serializers.IntegerField(allow_null=True)
    error = serializers.CharField(allow_blank=True)
    using_gtid = serializers.CharField(allow_blank=True)
    ignore_server_ids = serializers.ListField(child=serializers.IntegerField())


class BinlogSerializer(ShapeSerializer):
    """Where a node's binary log ends and what of it is kept."""

    file = serializers.CharField()
    position = serializers.IntegerField()
    first_file = serializers.CharField(allow_null=True)
    files = serializers.IntegerField()
    size_bytes = serializers.IntegerField()


class NodeSerializer(ShapeSerializer):
    """A node with what was last observed of it; null is unknown."""

    id = serializers.CharField()
    name = serializers.CharField()
    host = serializers.CharField()
    port = serializers.IntegerField()
    cluster_id = serializers.CharField()
    cluster_name = serializers.CharField()
    observed_at = serializers.DateTimeField(allow_null=True)
    age_s = serializers.FloatField(allow_null=True)
    reach = serializers.ChoiceField(choices=REACH)
    reachable = serializers.BooleanField(allow_null=True)
    error = serializers.CharField(allow_blank=True)
    since = serializers.DateTimeField(allow_null=True)
    flavor = serializers.CharField(allow_null=True)
    version = serializers.CharField(allow_null=True)
    server_id = serializers.IntegerField(allow_null=True)
    hostname = serializers.CharField(allow_null=True)
    read_only = serializers.BooleanField(allow_null=True)  # type: ignore[assignment]
    uptime_s = serializers.IntegerField(allow_null=True)
    clock_offset_s = serializers.FloatField(allow_null=True)
    probe_ms = serializers.FloatField(allow_null=True)
    wsrep = WsrepSerializer(allow_null=True)
    channels = NodeChannelSerializer(many=True, allow_null=True)
    binlog = BinlogSerializer(allow_null=True)
    variables = serializers.DictField(child=serializers.CharField(allow_blank=True))


class TlsSerializer(ShapeSerializer):
    """How the console speaks to the nodes."""

    mode = serializers.ChoiceField(choices=TLS_MODE)
    has_ca = serializers.BooleanField()


class ClusterSerializer(ShapeSerializer):
    """A cluster with its nodes."""

    id = serializers.CharField()
    name = serializers.CharField()
    site = serializers.CharField()
    state_uuid = serializers.CharField(allow_null=True)
    tls = TlsSerializer()
    nodes = NodeSerializer(many=True)
    created_at = serializers.DateTimeField()


class ClusterBriefSerializer(ShapeSerializer):
    """A cluster as one side of a link."""

    id = serializers.CharField()
    name = serializers.CharField()
    site = serializers.CharField()
    status = serializers.ChoiceField(choices=CLUSTER_STATUS)
    nodes_up = serializers.IntegerField()
    nodes = serializers.IntegerField()
    last_committed = serializers.IntegerField(allow_null=True)


class ChannelSerializer(ShapeSerializer):
    """A channel of a link."""

    direction = serializers.ChoiceField(choices=DIRECTION)
    source_node = serializers.CharField(allow_null=True)
    source_name = serializers.CharField(allow_blank=True)
    replica_node = serializers.CharField()
    replica_name = serializers.CharField()
    io_running = serializers.CharField(allow_null=True)
    sql_running = serializers.CharField(allow_null=True)
    lag_s = serializers.IntegerField(allow_null=True)
    gap_transactions = serializers.IntegerField(allow_null=True)
    error = serializers.CharField(allow_blank=True)
    state = serializers.ChoiceField(choices=CHANNEL_STATE)
    observed_at = serializers.DateTimeField(allow_null=True)
    age_s = serializers.FloatField(allow_null=True)
    recorded = serializers.BooleanField()
    stray = serializers.BooleanField()


class ReadinessSerializer(ShapeSerializer):
    """Could this be done now, and what did its last rehearsal say?"""

    answer = serializers.ChoiceField(choices=["ready", "blocked", "unknown", "not_needed"])
    sentence = serializers.CharField()
    estimate_s = serializers.FloatField(allow_null=True)
    loss_transactions = serializers.IntegerField(allow_null=True)
    rehearsed_at = serializers.DateTimeField(allow_null=True)
    rehearsed_ok = serializers.BooleanField(allow_null=True)


class PrimaryActionSerializer(ShapeSerializer):
    """The one thing to do now."""

    kind = serializers.ChoiceField(choices=PLAN_KIND, allow_null=True)
    label = serializers.CharField(allow_blank=True)  # type: ignore[assignment]
    off_node = serializers.CharField(allow_null=True)
    url_options = serializers.DictField()


class SideSerializer(ShapeSerializer):
    """A cluster by name."""

    id = serializers.CharField()
    name = serializers.CharField()


class AppliedSerializer(ShapeSerializer):
    """The last the survivor has applied of the lost side, in the lost side's own coordinates."""

    node = serializers.CharField(allow_null=True)
    file = serializers.CharField(allow_null=True)
    position = serializers.IntegerField(allow_null=True)
    seqno = serializers.IntegerField(allow_null=True)
    gtid = serializers.CharField(allow_null=True)


class LastSeenSerializer(ShapeSerializer):
    """The last the console saw of the lost side."""

    seqno = serializers.IntegerField(allow_null=True)
    at = serializers.DateTimeField(allow_null=True)


class PartedLossSerializer(ShapeSerializer):
    """What a failover cost, as stated when it was made; null is not known."""

    transactions = serializers.IntegerField(allow_null=True)
    seconds = serializers.FloatField(allow_null=True)
    detail = serializers.CharField(allow_blank=True)


class DivergenceSerializer(ShapeSerializer):
    """Where two histories part, until the lost side is reconciled."""

    lost_cluster = SideSerializer()
    survivor_cluster = SideSerializer()
    at = serializers.DateTimeField()
    run_id = serializers.CharField()
    applied = AppliedSerializer()
    last_seen = LastSeenSerializer(allow_null=True)
    loss = PartedLossSerializer()


class RunBriefSerializer(ShapeSerializer):
    """A run in one line."""

    id = serializers.CharField()
    kind = serializers.CharField()
    state = serializers.ChoiceField(
        choices=[
            "waiting_approval",
            "queued",
            "running",
            "succeeded",
            "failed",
            "aborted",
            "needs_operator",
        ]
    )
    requested_by = serializers.CharField()
    created_at = serializers.DateTimeField()
    started_at = serializers.DateTimeField(allow_null=True)
    ended_at = serializers.DateTimeField(allow_null=True)


class LinkSerializer(ShapeSerializer):
    """A link as it is now."""

    id = serializers.CharField()
    name = serializers.CharField()
    state = serializers.ChoiceField(choices=LINK_STATE)
    sentence = serializers.CharField()
    detail = serializers.CharField(allow_blank=True)
    observed_at = serializers.DateTimeField(allow_null=True)
    age_s = serializers.FloatField(allow_null=True)
    active_cluster = ClusterBriefSerializer()
    standby_cluster = ClusterBriefSerializer()
    channel_name = serializers.CharField(allow_blank=True)
    requires_approval = serializers.BooleanField()
    home_cluster = SideSerializer()
    invalidated_cluster = serializers.CharField(allow_null=True)
    divergence = DivergenceSerializer(allow_null=True)
    channels = ChannelSerializer(many=True)
    findings = FindingSerializer(many=True)
    readiness = serializers.DictField(child=ReadinessSerializer())
    primary_action = PrimaryActionSerializer(allow_null=True)
    active_run = RunBriefSerializer(allow_null=True)


class LinkSidesSerializer(ShapeSerializer):
    """Both clusters of a link in full."""

    active = ClusterSerializer()
    standby = ClusterSerializer()


class LinkDetailSerializer(LinkSerializer):
    """A link with both clusters in full."""

    clusters = LinkSidesSerializer()


ClusterPageSerializer = page_of(ClusterSerializer, "Cluster")
LinkPageSerializer: type[serializers.Serializer[Any]] = page_of(LinkSerializer, "Link")
