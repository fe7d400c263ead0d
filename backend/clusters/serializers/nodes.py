"""Serializers of a node: as it is registered, and with its last observed state."""

from __future__ import annotations

from rest_framework import serializers

from backend.common.rest.fields import NameField, PlainTextField
from backend.common.rest.serializers import ShapeSerializer, StrictSerializer
from backend.core.plans.node_eligibility import INELIGIBLE_CODES
from backend.core.topology import Reach

REACH = [reach.value for reach in Reach]
INELIGIBLE = list(INELIGIBLE_CODES)


class NodeInSerializer(StrictSerializer):
    """A node to register."""

    name = NameField()
    host = PlainTextField(max_length=253, help_text="host name or IP address")
    port = serializers.IntegerField(min_value=1, max_value=65535, default=3306, help_text="port of the MariaDB server")


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
    """A replication connection as reported by its replica."""

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
    """The end of a node's binary log and its retained files."""

    file = serializers.CharField()
    position = serializers.IntegerField()
    first_file = serializers.CharField(allow_null=True)
    files = serializers.IntegerField()
    size_bytes = serializers.IntegerField()


class IneligibilitySerializer(ShapeSerializer):
    """Why a node cannot take a channel now: the first reason found."""

    code = serializers.ChoiceField(choices=INELIGIBLE, help_text="Stable identifier of the reason.")
    message = serializers.CharField(help_text="A few words to show behind the node's name.")


class EligibilitySerializer(ShapeSerializer):
    """Whether a node could take a channel now; what is unknown does not pass. A plan checks more than this."""

    eligible = serializers.BooleanField()
    reason = IneligibilitySerializer(allow_null=True, help_text="Null where the node is eligible.")


class NodeSerializer(ShapeSerializer):
    """A node with its last observed state; null = unknown."""

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
    eligibility = EligibilitySerializer()
    flavor = serializers.CharField(allow_null=True)
    version = serializers.CharField(allow_null=True)
    watched_only = serializers.CharField(
        allow_null=True,
        help_text="Why no plan is made with this server unless it is accepted; null where it was tried, or is unknown.",
    )
    is_accepted = serializers.BooleanField(
        help_text="Whether plans are made although it is watched only: an administrator accepts it for the cluster."
    )
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
