"""Serializers of responses that join several packages: lookup, history, service and lab."""

from __future__ import annotations

from rest_framework import serializers

from backend.common.rest.pagination import DEFAULT_PAGE, MAX_PAGE
from backend.common.rest.serializers import ShapeSerializer, StrictSerializer, page_of
from backend.operations.runs.rest.serializers.plans import GroupSerializer

LAB_NODE_STATE = ["running", "frozen", "stopped"]
LAB_VERIFICATION_STATE = ["idle", "running", "done"]


class LocateQuerySerializer(StrictSerializer):
    """The Xid to find."""

    xid = serializers.IntegerField(min_value=1, max_value=2**63 - 1, help_text="Xid (seqno) of the transaction")


class LocatedSerializer(ShapeSerializer):
    """The binlog position after a transaction on a node, or why it was not found."""

    found = serializers.BooleanField()
    file = serializers.CharField(required=False)
    position = serializers.IntegerField(required=False)
    group = GroupSerializer(required=False)
    reason = serializers.CharField(required=False)
    code = serializers.CharField(required=False)
    scanned_events = serializers.IntegerField()
    elapsed_ms = serializers.FloatField()
    from_checkpoint = serializers.BooleanField(required=False)


class HistoryQuerySerializer(StrictSerializer):
    """A page of history."""

    cursor = serializers.CharField(required=False, max_length=400, help_text="`next` of the previous page")
    limit = serializers.IntegerField(
        required=False, min_value=1, max_value=MAX_PAGE, default=DEFAULT_PAGE, help_text="number of results per page"
    )


class HistorySerializer(ShapeSerializer):
    """An event of a link."""

    at = serializers.DateTimeField()
    kind = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]
    run_id = serializers.CharField(allow_null=True)
    actor = serializers.CharField(allow_null=True)


HistoryPageSerializer = page_of(HistorySerializer, "History")


class HealthSerializer(ShapeSerializer):
    """The web process responds."""

    status = serializers.ChoiceField(choices=["ok"])


class ComponentSerializer(ShapeSerializer):
    """The state of a component of Hawser."""

    ok = serializers.BooleanField()
    detail = serializers.CharField()


class ComponentsSerializer(ShapeSerializer):
    """All components of Hawser."""

    database = ComponentSerializer()
    redis = ComponentSerializer()
    workers = ComponentSerializer()
    monitor = ComponentSerializer()
    audit = ComponentSerializer()
    clock = ComponentSerializer()


class ReadinessReportSerializer(ShapeSerializer):
    """The state of the components. With `degraded`, requests are still answered."""

    status = serializers.ChoiceField(choices=["ready", "degraded", "unavailable"])
    parts = ComponentsSerializer()


class LabNodeSerializer(ShapeSerializer):
    """A process of the lab; null = unknown."""

    name = serializers.CharField()
    site = serializers.CharField()
    cluster = serializers.CharField()
    host = serializers.CharField()
    server_id = serializers.IntegerField()
    state = serializers.ChoiceField(choices=LAB_NODE_STATE)
    wsrep_state = serializers.CharField(allow_null=True)
    cluster_status = serializers.CharField(allow_null=True)
    last_committed = serializers.IntegerField(allow_null=True)
    error = serializers.CharField(allow_null=True)


class LabLoadSerializer(ShapeSerializer):
    """The write load. `active_site` is where a load that follows the active side writes; null = unknown so far."""

    running = serializers.BooleanField()
    active_site = serializers.CharField(allow_null=True)
    both_sides = serializers.BooleanField()
    schema_changes = serializers.BooleanField()
    acknowledged = serializers.IntegerField()
    failed = serializers.IntegerField()
    indeterminate = serializers.IntegerField()
    rate = serializers.FloatField()


class LabRebuildSerializer(ShapeSerializer):
    """The last rebuild of a site: the position of its backup, in both forms, once it is done."""

    state = serializers.ChoiceField(choices=["idle", "running", "done", "failed"])
    site = serializers.CharField(allow_blank=True)
    donor = serializers.CharField(allow_blank=True)
    coordinate = serializers.CharField(allow_blank=True)
    galera = serializers.CharField(allow_blank=True)
    detail = serializers.CharField(allow_blank=True)


class LabSerializer(ShapeSerializer):
    """The current state of the lab."""

    variant = serializers.CharField()
    nodes = LabNodeSerializer(many=True)
    load = LabLoadSerializer()
    rebuild = LabRebuildSerializer()


class LabSiteActionSerializer(StrictSerializer):
    """Lose a site, start its nodes that are down, or rebuild it from a node of the other site, the `donor`."""

    action = serializers.ChoiceField(choices=["lose", "start", "rebuild"])
    donor = serializers.CharField(max_length=40, required=False)


class LabNodeActionSerializer(StrictSerializer):
    """An action on a node."""

    action = serializers.ChoiceField(choices=["kill", "freeze", "thaw", "start"])


class LabLoadActionSerializer(StrictSerializer):
    """An action on the load."""

    action = serializers.ChoiceField(choices=["start", "stop"])


class LabLoadSwitchSerializer(StrictSerializer):
    """Switches of the load; one that is not given stays as it is."""

    both_sides = serializers.BooleanField(required=False)
    schema_changes = serializers.BooleanField(required=False)


class LabDoneSerializer(ShapeSerializer):
    """The result of the action, in a sentence."""

    done = serializers.CharField()


class LabVerificationStartedSerializer(ShapeSerializer):
    """A verification that was started."""

    id = serializers.CharField()


class LabVerificationSerializer(ShapeSerializer):
    """The last verification. `acceptance` says whether the lost writes were listed as orphaned and discarded."""

    state = serializers.ChoiceField(choices=LAB_VERIFICATION_STATE)
    summary = serializers.CharField(allow_blank=True)
    clean = serializers.BooleanField(allow_null=True)
    acceptance = serializers.CharField(allow_blank=True)
    lost_only_as_accepted = serializers.BooleanField()
    details = serializers.DictField()
