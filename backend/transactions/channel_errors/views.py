"""The endpoint of a channel's error."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from backend.clusters.selectors import registered_link_get
from backend.common.rest.limits import slow_call
from backend.common.rest.operations import operation
from backend.common.rest.views import ConsoleView, respond, validated_query
from backend.common.roles import Permission
from backend.core.topology import Direction
from backend.transactions.channel_errors.presentation import shown_report
from backend.transactions.channel_errors.serializers import ChannelErrorQuerySerializer, ChannelErrorSerializer
from backend.transactions.channel_errors.services import channel_error


class ChannelErrorView(ConsoleView):
    """The row that a channel stopped on."""

    permissions = {"GET": Permission.LOOKUP}

    @operation(
        "channel_error_read",
        "Get the error of a channel",
        parameters=[ChannelErrorQuerySerializer],
        responses=ChannelErrorSerializer,
    )
    @slow_call
    def get(self, request: Request, link_id: str) -> Response:
        """Read the failing transaction and its row from both sides.

        Rows are business data: the call is recorded.
        """
        link = registered_link_get(link_id)
        direction = Direction(validated_query(request, ChannelErrorQuerySerializer)["direction"])
        found = channel_error(actor=request.user.get_username(), link=link, direction=direction)
        return respond(ChannelErrorSerializer, shown_report(found))
