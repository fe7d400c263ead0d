"""The endpoints that look transactions up."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from backend.clusters.selectors import registered_link_get
from backend.common.rest.limits import slow_call
from backend.common.rest.operations import operation
from backend.common.rest.views import ConsoleView, respond, validated_query
from backend.common.roles import Permission
from backend.transactions.lookup import services
from backend.transactions.lookup.presentation import shown_rows
from backend.transactions.lookup.questions import node_named, position_of
from backend.transactions.lookup.serializers import (
    LookupQuerySerializer,
    LookupRowsQuerySerializer,
    LookupRowsSerializer,
    LookupSerializer,
)


class LookupView(ConsoleView):
    """Transactions in the binary logs of a link's nodes."""

    permissions = {"GET": Permission.LOOKUP}

    @operation(
        "lookup_search",
        "Look up transactions on a link",
        parameters=[LookupQuerySerializer],
        responses=LookupSerializer,
    )
    @slow_call
    def get(self, request: Request, link_id: str) -> Response:
        """Search the binary logs of all nodes at once, with the monitor account. Nothing is changed.

        Up to three transactions found are also looked for on the nodes that the criteria do not reach, by origin, time
        and content. A search that a limit ended is continued with `cursor`. The search is recorded.
        """
        link = registered_link_get(link_id)
        given = validated_query(request, LookupQuerySerializer)
        found = services.transaction_lookup(actor=request.user.get_username(), link=link, given=given)
        return respond(LookupSerializer, found)


class LookupRowsView(ConsoleView):
    """The rows of a transaction that was found."""

    permissions = {"GET": Permission.LOOKUP}

    @operation(
        "lookup_rows",
        "Get the rows of a transaction",
        parameters=[LookupRowsQuerySerializer],
        responses=LookupRowsSerializer,
    )
    @slow_call
    def get(self, request: Request, link_id: str) -> Response:
        """Read the rows before and after from the binary log of the node.

        Rows are business data: the call is recorded.
        """
        link = registered_link_get(link_id)
        given = validated_query(request, LookupRowsQuerySerializer)
        node, begins = node_named(link, given["node"]), position_of(given["file"], given["position"])
        found = services.transaction_rows(actor=request.user.get_username(), link=link, node=node, begins=begins)
        return respond(LookupRowsSerializer, shown_rows(node.name, found))
