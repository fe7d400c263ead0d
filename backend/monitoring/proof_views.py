"""The REST view of when each direction of a link was proven."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from django.utils import timezone
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from backend.clusters.selectors import link_get
from backend.common.errors import invalid
from backend.common.rest.operations import operation
from backend.common.rest.serializers import StrictSerializer
from backend.common.rest.views import ConsoleView, respond, validated_query
from backend.common.roles import Permission
from backend.core.topology import Direction
from backend.monitoring.proof import LinkProof, link_proof
from backend.monitoring.retention import KEEP_PROOFS

DEFAULT: Final = timedelta(hours=24)


class ProofQuerySerializer(StrictSerializer):
    """The time and the direction."""

    to = serializers.DateTimeField(required=False, help_text="end of the time; now if it is left out")
    direction = serializers.ChoiceField(
        choices=[one.value for one in Direction],
        required=False,
        help_text="one direction only, as the link's roles are now; both if it is left out",
    )

    def get_fields(self) -> dict[str, Any]:
        """With `from`, which is no name in Python."""
        begin = serializers.DateTimeField(
            required=False, help_text="begin of the time, at most 400 days ago; a day before its end if it is left out"
        )
        return {"from": begin, **super().get_fields()}


class LinkProofView(ConsoleView):
    """When each direction of a link was proven."""

    permissions = {"GET": Permission.READ}

    @operation("link_proof", "Get when a link was proven", parameters=[ProofQuerySerializer], responses=LinkProof)
    def get(self, request: Request, link_id: str) -> Response:
        """For each direction: for how long it was proven that both sides hold its transactions, and every gap.

        A time counts once the account of it stood within `HAWSER_PROVEN_WITHIN_S`. What is unknown is not proven.
        """
        link, now = link_get(link_id), timezone.now()
        asked = validated_query(request, ProofQuerySerializer)
        since, until = _time(asked, now)
        directions = [Direction(asked["direction"])] if "direction" in asked else list(Direction)
        return respond(LinkProof, link_proof(link, since, until, now, directions))


def _time(asked: Mapping[str, Any], now: datetime) -> tuple[datetime, datetime]:
    until = min(asked.get("to") or now, now)
    since = asked.get("from") or until - DEFAULT
    if since >= until:
        raise invalid("from", "The time must begin before it ends, and not in the future.")
    if now - since > KEEP_PROOFS:
        raise invalid("from", f"This is kept for {KEEP_PROOFS.days} days. Send a later begin.")
    return since, until
