"""The endpoints of network measurements."""

from __future__ import annotations

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse
from rest_framework.request import Request
from rest_framework.response import Response

from backend.adviser.network import selectors, services, tokens
from backend.adviser.network.outputs import Network, NetworkMeasurement, NetworkSql, ProbeToken
from backend.adviser.network.serializers import (
    NetworkPasteInSerializer,
    NetworkQuerySerializer,
    NetworkResultInSerializer,
    ProbeTokenInSerializer,
)
from backend.clusters.selectors import link_get, registered_link_get
from backend.common.rest.atomic_response import stored_with_effect
from backend.common.rest.limits import slow_call
from backend.common.rest.operations import operation
from backend.common.rest.outputs import filled
from backend.common.rest.views import ConsoleView, respond, validated_body, validated_query
from backend.common.roles import Permission


class LinkNetworkView(ConsoleView):
    """The network between the sites of a link."""

    permissions = {"GET": Permission.READ}

    @operation(
        "network_read",
        "Get the network measurements of a link",
        parameters=[NetworkQuerySerializer],
        responses=Network,
    )
    def get(self, request: Request, link_id: str) -> Response:
        """Get the newest 50 measurements, and whether one Galera cluster could span the two sites.

        The verdict rests on those of the last 30 days. What was not measured is unknown and never passes.
        """
        link, asked = link_get(link_id), validated_query(request, NetworkQuerySerializer)
        return respond(Network, selectors.network_view(link, asked))


class LinkNetworkSqlView(ConsoleView):
    """What the nodes say of the network by SQL."""

    permissions = {"GET": Permission.LOOKUP}

    @operation(
        "network_sql",
        "Ask the nodes about the network",
        responses=NetworkSql,
    )
    @slow_call
    def get(self, request: Request, link_id: str) -> Response:
        """Ask all nodes at once, with the monitor account. Nothing is changed and nothing is stored."""
        return respond(NetworkSql, selectors.sql_view(registered_link_get(link_id)))


class LinkProbeTokensView(ConsoleView):
    """Tokens for one measurement."""

    permissions = {"POST": Permission.PLAN}
    keyed = False

    @operation(
        "network_token_create",
        "Create a probe token",
        codes=("too_many_probe_tokens",),
        request=ProbeTokenInSerializer,
        responses={201: ProbeToken},
    )
    def post(self, request: Request, link_id: str) -> Response:
        """Create a token with which `hawser-network-probe` sends one result. It expires after an hour."""
        link = registered_link_get(link_id)
        given = validated_body(request, ProbeTokenInSerializer)
        token, secret = tokens.token_create(actor=request.user.get_username(), link=link, **given)
        shown = filled(ProbeToken, token, token=secret, from_node=token.from_node_id, to_node=token.to_node_id)
        return respond(ProbeToken, shown, status=201)


class LinkNetworkMeasurementsView(ConsoleView):
    """Pasted measurements."""

    permissions = {"POST": Permission.PLAN}

    @operation(
        "network_result_paste",
        "Store a pasted network result",
        request=NetworkPasteInSerializer,
        responses={201: NetworkMeasurement},
    )
    @stored_with_effect
    def post(self, request: Request, link_id: str) -> Response:
        """Read a result of the script and store its figures, marked as pasted and not signed.

        One that is cut, garbled, of other nodes or older than a day is refused, and nothing is stored.
        """
        link = registered_link_get(link_id)
        given = validated_body(request, NetworkPasteInSerializer)
        stored = services.result_paste(actor=request.user.get_username(), link=link, output=given["output"])
        return respond(NetworkMeasurement, selectors.measurement_view(stored), status=201)


class NetworkResultsView(ConsoleView):
    """Where the script sends its result."""

    permissions = {"POST": None}
    authentication_classes = []
    keyed = False

    @operation(
        "network_result_send",
        "Send the signed result of hawser-network-probe",
        codes=("probe_token_refused",),
        request=NetworkResultInSerializer,
        responses={201: NetworkMeasurement},
    )
    def post(self, request: Request) -> Response:
        """Store a result that is signed with the probe token in the same call, which is then used up."""
        given = validated_body(request, NetworkResultInSerializer)
        stored = services.result_receive(secret=given["token"], result=given["result"])
        return respond(NetworkMeasurement, selectors.measurement_view(stored), status=201)


class NetworkProbeView(ConsoleView):
    """The script for the database hosts."""

    permissions = {"GET": None}
    authentication_classes = []

    @operation(
        "network_probe",
        "Download hawser-network-probe",
        responses={(200, "text/x-python"): OpenApiResponse(OpenApiTypes.STR, description="One file of Python.")},
    )
    def get(self, request: Request) -> HttpResponse:
        """Get the script. It holds no secret; its SHA-256 is in the network measurements of a link."""
        response = HttpResponse(selectors.script(), content_type="text/x-python; charset=utf-8")
        response["Content-Disposition"] = 'attachment; filename="hawser-network-probe"'
        return response
