"""Shapes of calls that join several rooms: lookup, curves, history, service, lab."""

from __future__ import annotations

from rest_framework import serializers

from backend.common.rest.pagination import DEFAULT_PAGE, MAX_PAGE
from backend.common.rest.serializers import ShapeSerializer, StrictSerializer, page_of
from backend.runs.rest.serializers.plans import GroupSerializer

LAB_NODE_STATE = ["running", "frozen", "stopped"]
LAB_VERIFICATION_STATE = ["idle", "running", "done"]


class LocateQuerySerializer(StrictSerializer):
    """The seqno to look up."""

    xid = serializers.IntegerField(min_value=1, max_value=2**63 - 1)


class LocatedSerializer(ShapeSerializer):
    """Where a seqno ends in a node's binary log, or why it was not found."""

    found = serializers.BooleanField()
    file = serializers.CharField(required=False)
    position = serializers.IntegerField(required=False)
    group = GroupSerializer(required=False)
    reason = serializers.CharField(required=False)
    code = serializers.CharField(required=False)
    scanned_events = serializers.IntegerField()
    elapsed_ms = serializers.FloatField()
    from_checkpoint = serializers.BooleanField(required=False)


class LagQuerySerializer(StrictSerializer):
    """How far back."""

    minutes = serializers.IntegerField(min_value=1, max_value=7 * 24 * 60, default=15)


class LagPointSerializer(ShapeSerializer):
    """One sample; null is unknown."""

    at = serializers.DateTimeField()
    forward_gap = serializers.IntegerField(allow_null=True)
    forward_lag_s = serializers.FloatField(allow_null=True)
    reverse_gap = serializers.IntegerField(allow_null=True)
    reverse_lag_s = serializers.FloatField(allow_null=True)


class EventMarkSerializer(ShapeSerializer):
    """Something that happened, marked on a curve."""

    at = serializers.DateTimeField()
    kind = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]


class LagSerializer(ShapeSerializer):
    """A lag curve with its marks."""

    points = LagPointSerializer(many=True)
    marks = EventMarkSerializer(many=True)


class HistoryQuerySerializer(StrictSerializer):
    """A page of history."""

    cursor = serializers.CharField(required=False, max_length=400)
    limit = serializers.IntegerField(required=False, min_value=1, max_value=MAX_PAGE, default=DEFAULT_PAGE)


class HistorySerializer(EventMarkSerializer):
    """One thing that happened on a link."""

    run_id = serializers.CharField(allow_null=True)
    actor = serializers.CharField(allow_null=True)


HistoryPageSerializer = page_of(HistorySerializer, "History")


class HealthSerializer(ShapeSerializer):
    """The process answers."""

    status = serializers.ChoiceField(choices=["ok"])


class ComponentSerializer(ShapeSerializer):
    """One part of the console."""

    ok = serializers.BooleanField()
    detail = serializers.CharField()


class ComponentsSerializer(ShapeSerializer):
    """All parts of the console."""

    database = ComponentSerializer()
    redis = ComponentSerializer()
    workers = ComponentSerializer()
    monitor = ComponentSerializer()
    audit = ComponentSerializer()


class ReadinessReportSerializer(ShapeSerializer):
    """Which parts work; `degraded` still answers and can still be read."""

    status = serializers.ChoiceField(choices=["ready", "degraded", "unavailable"])
    parts = ComponentsSerializer()


class LabNodeSerializer(ShapeSerializer):
    """A process of the lab; null where it could not be read."""

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
    """The write load; `active_site` is where one that follows the active side writes, null before it knows."""

    running = serializers.BooleanField()
    active_site = serializers.CharField(allow_null=True)
    both_sides = serializers.BooleanField()
    schema_changes = serializers.BooleanField()
    acknowledged = serializers.IntegerField()
    failed = serializers.IntegerField()
    indeterminate = serializers.IntegerField()
    rate = serializers.FloatField()


class LabRebuildSerializer(ShapeSerializer):
    """The last copy of a site: where its backup was taken, in both forms, once it is done."""

    state = serializers.ChoiceField(choices=["idle", "running", "done", "failed"])
    site = serializers.CharField(allow_blank=True)
    donor = serializers.CharField(allow_blank=True)
    coordinate = serializers.CharField(allow_blank=True)
    galera = serializers.CharField(allow_blank=True)
    detail = serializers.CharField(allow_blank=True)


class LabSerializer(ShapeSerializer):
    """The lab as it is now."""

    variant = serializers.CharField()
    nodes = LabNodeSerializer(many=True)
    load = LabLoadSerializer()
    rebuild = LabRebuildSerializer()


class LabSiteActionSerializer(StrictSerializer):
    """Lose a site, start what is dead of it, or copy it anew from a node of the other one, the `donor`."""

    action = serializers.ChoiceField(choices=["lose", "start", "rebuild"])
    donor = serializers.CharField(max_length=40, required=False)


class LabNodeActionSerializer(StrictSerializer):
    """What to do to a node."""

    action = serializers.ChoiceField(choices=["kill", "freeze", "thaw", "start"])


class LabLoadActionSerializer(StrictSerializer):
    """What to do to the load."""

    action = serializers.ChoiceField(choices=["start", "stop"])


class LabLoadSwitchSerializer(StrictSerializer):
    """What the load does from now on; what is not given stays."""

    both_sides = serializers.BooleanField(required=False)
    schema_changes = serializers.BooleanField(required=False)


class LabDoneSerializer(ShapeSerializer):
    """What was done, in a sentence."""

    done = serializers.CharField()


class LabVerificationStartedSerializer(ShapeSerializer):
    """A verification that was started."""

    id = serializers.CharField()


class LabVerificationSerializer(ShapeSerializer):
    """The last verification; `acceptance` says whether what is lost had been listed as orphans and given up."""

    state = serializers.ChoiceField(choices=LAB_VERIFICATION_STATE)
    summary = serializers.CharField(allow_blank=True)
    clean = serializers.BooleanField(allow_null=True)
    acceptance = serializers.CharField(allow_blank=True)
    lost_only_as_accepted = serializers.BooleanField()
    details = serializers.DictField()
