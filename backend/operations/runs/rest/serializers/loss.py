"""Serializers of the data loss: as a plan states it, and as it is known of a run by now."""

from __future__ import annotations

from rest_framework import serializers

from backend.common.rest.serializers import ShapeSerializer
from backend.core.history.loss import CountedBy

_COUNTED_BY = [one.value for one in CountedBy]


class LossSerializer(ShapeSerializer):
    """The data loss; null = unknown. Of a lost side it is a lower bound: it may have written more than was read."""

    transactions = serializers.IntegerField(
        allow_null=True,
        help_text="transactions known to be lost: all of them only if `is_exact`; null = they cannot all be counted",
    )
    seconds = serializers.FloatField(allow_null=True, help_text="time span of the loss; null = unknown")
    detail = serializers.CharField(allow_blank=True)
    at_least = serializers.IntegerField(allow_null=True, help_text="a lower bound of the loss; null = none is known")
    read_at = serializers.DateTimeField(allow_null=True, help_text="when the lost side was last read")
    is_exact = serializers.BooleanField(help_text="whether the loss cannot be more")
    counted_by = serializers.ChoiceField(
        choices=_COUNTED_BY, allow_null=True, help_text="`logs_read`: counted in what was read of the lost side's logs"
    )
