"""Serializers of a node's maintenance."""

from __future__ import annotations

from rest_framework import serializers

from backend.common.rest.fields import PlainTextField
from backend.common.rest.serializers import ShapeSerializer, StrictSerializer
from backend.core.adviser.node_absence.maintenance import Stage
from backend.core.adviser.node_absence.return_verdict import Result

MAINTENANCE_STAGE = [stage.value for stage in Stage]
MAINTENANCE_RESULT = [result.value for result in Result]
TIME_STATE = ["known", "unlimited", "unknown"]


class TimeLeftSerializer(ShapeSerializer):
    """From now on until the node needs an SST, at the last hour's rate, or that of the last minutes."""

    state = serializers.ChoiceField(choices=TIME_STATE)
    seconds = serializers.FloatField(allow_null=True)
    reason = serializers.CharField(allow_blank=True)


class NodeMaintenanceSerializer(ShapeSerializer):
    """The absence of a node that a run prepared."""

    id = serializers.CharField()
    link_id = serializers.CharField()
    link_name = serializers.CharField()
    run_id = serializers.CharField(help_text="the run that prepared it")
    node_id = serializers.CharField()
    node_name = serializers.CharField()
    donor_id = serializers.CharField()
    donor_name = serializers.CharField(help_text="the donor to name in `wsrep_sst_donor` of the node")
    stage = serializers.ChoiceField(
        choices=MAINTENANCE_STAGE,
        help_text="closing = the result is known; the freeze of the donor is being ended",
    )
    result = serializers.ChoiceField(
        choices=MAINTENANCE_RESULT, allow_null=True, help_text="undecided = what was seen allows IST and SST"
    )
    sentence = serializers.CharField(allow_blank=True, help_text="what the result rests on")
    opened_by = serializers.CharField()
    opened_at = serializers.DateTimeField()
    allowed_at = serializers.DateTimeField(allow_null=True, help_text="since when the node may be stopped")
    until = serializers.DateTimeField(help_text="when the watch ends, and with it a freeze")
    left_at = serializers.DateTimeField(allow_null=True)
    returned_at = serializers.DateTimeField(allow_null=True)
    ended_at = serializers.DateTimeField(allow_null=True)
    ended_by = serializers.CharField(allow_null=True)
    freeze_seqno = serializers.IntegerField(
        allow_null=True, help_text="from here on the donor keeps write-sets; null = its provider cannot freeze"
    )
    unfrozen_at = serializers.DateTimeField(allow_null=True)
    unfreeze_error = serializers.CharField(allow_blank=True, help_text="why the freeze could not be ended yet")
    time_left = TimeLeftSerializer(allow_null=True)


class NodeMaintenanceListSerializer(ShapeSerializer):
    """The newest maintenances of a cluster."""

    results = NodeMaintenanceSerializer(many=True)


class MaintenanceEndSerializer(StrictSerializer):
    """Why it ends now."""

    reason = PlainTextField(max_length=500)
