"""The REST views of the demo's lab; outside of a demo they return 404."""

from __future__ import annotations

from typing import Any

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
from backend.common.rest.operations import operation
from backend.common.rest.serializers import EmptySerializer
from backend.common.rest.views import ConsoleView, respond, validated_body
from backend.common.roles import Permission


class _LabView(ConsoleView):
    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Authenticates first, so that an anonymous caller cannot find out whether this is a demo."""
        super().initial(request, *args, **kwargs)
        lab.require_demo()


class LabView(_LabView):
    """The lab."""

    permissions = {"GET": Permission.LAB}

    @operation("lab_read", "Get the state of the lab", codes=("lab_refused",), responses=LabSerializer)
    def get(self, request: Request) -> Response:
        """Get the nodes and the write load of the lab. 404 outside of a demo."""
        return respond(LabSerializer, lab.lab_view())


class LabNodeView(_LabView):
    """One node of the lab."""

    permissions = {"POST": Permission.LAB}

    @operation(
        "lab_node_act",
        "Kill, freeze, thaw or start a node",
        codes=("lab_refused",),
        request=LabNodeActionSerializer,
        responses=LabDoneSerializer,
    )
    def post(self, request: Request, name: str) -> Response:
        """Run the action on one lab node. 404 outside of a demo."""
        action = validated_body(request, LabNodeActionSerializer)["action"]
        done = lab.node_act(actor=request.user.get_username(), name=name, action=action)
        return respond(LabDoneSerializer, {"done": done})


class LabSiteView(_LabView):
    """One site of the lab."""

    permissions = {"POST": Permission.LAB}

    @operation(
        "lab_site_act",
        "Lose, start or rebuild a site",
        codes=(
            "lab_refused",
            "rebuild_running",
        ),
        request=LabSiteActionSerializer,
        responses={202: LabDoneSerializer},
    )
    def post(self, request: Request, site: str) -> Response:
        """Kill or start all nodes of a site, or replace them by a copy of the other site.

        A rebuild runs in the background; `GET /lab` then shows its backup position. 404 outside of a demo.
        """
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

    @operation(
        "lab_load_switch",
        "Change what the write load writes",
        codes=("lab_refused",),
        request=LabLoadSwitchSerializer,
        responses=LabDoneSerializer,
    )
    def patch(self, request: Request) -> Response:
        """Choose whether the load writes on both sides, and whether it changes tables. 404 outside of a demo."""
        body = validated_body(request, LabLoadSwitchSerializer)
        chosen = {name: body.get(name) for name in ("both_sides", "schema_changes")}
        return respond(LabDoneSerializer, {"done": lab.load_switch(actor=request.user.get_username(), **chosen)})

    @operation(
        "lab_load_act",
        "Start or stop the write load",
        codes=("lab_refused",),
        request=LabLoadActionSerializer,
        responses=LabDoneSerializer,
    )
    def post(self, request: Request) -> Response:
        """Start or stop the write load of the lab. 404 outside of a demo."""
        action = validated_body(request, LabLoadActionSerializer)["action"]
        return respond(LabDoneSerializer, {"done": lab.load_act(actor=request.user.get_username(), action=action)})


class LabVerifyView(_LabView):
    """The verification that each acknowledged transaction exists exactly once."""

    permissions = {"GET": Permission.LAB, "POST": Permission.LAB}

    @operation(
        "lab_verify_read", "Get the verdict on lab writes", codes=("lab_refused",), responses=LabVerificationSerializer
    )
    def get(self, request: Request) -> Response:
        """Get the last verdict on the acknowledged writes. 404 outside of a demo."""
        return respond(LabVerificationSerializer, lab.verify_view())

    @operation(
        "lab_verify_start",
        "Start a verification of all lab writes",
        codes=(
            "lab_refused",
            "verify_running",
        ),
        request=EmptySerializer,
        responses={202: LabVerificationStartedSerializer},
    )
    def post(self, request: Request) -> Response:
        """Check every acknowledged write on every lab node, in the background. 404 outside of a demo."""
        validated_body(request, EmptySerializer)
        check = lab.verify_start(actor=request.user.get_username())
        return respond(LabVerificationStartedSerializer, check, status=202)
