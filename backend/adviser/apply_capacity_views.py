"""The REST view of a link's apply capacity."""

from __future__ import annotations

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from backend.clusters.selectors import link_get
from backend.common.rest.operations import operation
from backend.common.rest.views import ConsoleView, respond
from backend.common.roles import Permission
from backend.monitoring.apply_capacity import ApplyCapacity, apply_capacities


class LinkApplyCapacityView(ConsoleView):
    """Whether the replicas of a link keep up."""

    permissions = {"GET": Permission.READ}

    @operation("link_apply_capacity", "Get whether a link keeps up", responses=ApplyCapacity)
    def get(self, request: Request, link_id: str) -> Response:
        """Get write rate, apply rate and backlog of each direction in the last hour, and what limits its appliers."""
        return respond(ApplyCapacity, apply_capacities(link_get(link_id), timezone.now()))
