"""The demo's lab over HTTP; elsewhere these addresses lead nowhere."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from backend.api import lab
from backend.api.serializers import (
    LabDoneSerializer,
    LabLoadActionSerializer,
    LabLoadSwitchSerializer,
    LabNodeActionSerializer,
    LabSerializer,
    LabSiteActionSerializer,
    LabVerificationSerializer,
    LabVerificationStartedSerializer,
)
from backend.common.rest.serializers import EmptySerializer
from backend.common.rest.views import ConsoleView, respond, validated_body
from backend.common.roles import Permission


class _LabView(ConsoleView):
    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Authentication first, so that nobody learns whether this is a demo."""
        super().initial(request, *args, **kwargs)
        lab.require_demo()


class LabView(_LabView):
    """The lab."""

    permissions = {"GET": Permission.LAB}

    @extend_schema(operation_id="lab_read", responses=LabSerializer)
    def get(self, request: Request) -> Response:
        """Nodes and load as they are now."""
        return respond(LabSerializer, lab.lab_view())


class LabNodeView(_LabView):
    """One node of the lab."""

    permissions = {"POST": Permission.LAB}

    @extend_schema(operation_id="lab_node_act", request=LabNodeActionSerializer, responses=LabDoneSerializer)
    def post(self, request: Request, name: str) -> Response:
        """Kill, freeze, thaw or start it."""
        action = validated_body(request, LabNodeActionSerializer)["action"]
        done = lab.node_act(actor=request.user.get_username(), name=name, action=action)
        return respond(LabDoneSerializer, {"done": done})


class LabSiteView(_LabView):
    """One site of the lab."""

    permissions = {"POST": Permission.LAB}

    @extend_schema(operation_id="lab_site_act", request=LabSiteActionSerializer, responses={202: LabDoneSerializer})
    def post(self, request: Request, site: str) -> Response:
        """Lose or start it, or copy it anew in the background; the lab then tells the backup's position."""
        body = validated_body(request, LabSiteActionSerializer)
        actor = request.user.get_username()
        if body["action"] == "rebuild":
            done = lab.rebuild_start(actor=actor, site=site, donor=body.get("donor", ""))
        else:
            done = lab.site_act(actor=actor, site=site, action=body["action"])
        return respond(LabDoneSerializer, {"done": done}, status=202)


class LabLoadView(_LabView):
    """The write load."""

    permissions = {"POST": Permission.LAB, "PATCH": Permission.LAB}

    @extend_schema(operation_id="lab_load_switch", request=LabLoadSwitchSerializer, responses=LabDoneSerializer)
    def patch(self, request: Request) -> Response:
        """Whether it writes on both sides, and changes tables."""
        body = validated_body(request, LabLoadSwitchSerializer)
        chosen = {name: body.get(name) for name in ("both_sides", "schema_changes")}
        return respond(LabDoneSerializer, {"done": lab.load_switch(actor=request.user.get_username(), **chosen)})

    @extend_schema(operation_id="lab_load_act", request=LabLoadActionSerializer, responses=LabDoneSerializer)
    def post(self, request: Request) -> Response:
        """Start or stop it."""
        action = validated_body(request, LabLoadActionSerializer)["action"]
        return respond(LabDoneSerializer, {"done": lab.load_act(actor=request.user.get_username(), action=action)})


class LabVerifyView(_LabView):
    """Transaction by transaction: what was acknowledged, and is it there once?"""

    permissions = {"GET": Permission.LAB, "POST": Permission.LAB}

    @extend_schema(operation_id="lab_verify_read", responses=LabVerificationSerializer)
    def get(self, request: Request) -> Response:
        """The last verdict."""
        return respond(LabVerificationSerializer, lab.verify_view())

    @extend_schema(
        operation_id="lab_verify_start", request=EmptySerializer, responses={202: LabVerificationStartedSerializer}
    )
    def post(self, request: Request) -> Response:
        """Judge in the background."""
        validated_body(request, EmptySerializer)
        check = lab.verify_start(actor=request.user.get_username())
        return respond(LabVerificationStartedSerializer, check, status=202)
