"""The REST views of incidents."""

from __future__ import annotations

from django.http import HttpResponse
from rest_framework.request import Request
from rest_framework.response import Response

from backend.common.rest.atomic_response import stored_with_effect
from backend.common.rest.operations import operation
from backend.common.rest.proof import RecentProof
from backend.common.rest.renderers import FirstRenderer, MarkdownRenderer
from backend.common.rest.reports import REPORT_RESPONSES, ReportQuerySerializer, report_response
from backend.common.rest.scope import Where, privileges_of, require, shows_rows
from backend.common.rest.serializers import CommentSerializer, ConflictSerializer
from backend.common.rest.views import ConsoleView, respond, validated_body, validated_query
from backend.common.roles import Permission
from backend.core.incidents.scope import ScopeKind
from backend.core.reports.incident_report import incident_report
from backend.identity.accounts.principal import principal
from backend.identity.accounts.second_person import SECOND_PERSON_CODES
from backend.operations.incidents import selectors, services
from backend.operations.incidents.models import Incident
from backend.operations.incidents.report_facts import report_facts
from backend.operations.incidents.rest.serializers import (
    ConfirmInSerializer,
    IncidentApprovalInSerializer,
    IncidentInSerializer,
    IncidentPageSerializer,
    IncidentQuerySerializer,
    IncidentSerializer,
    OrderInSerializer,
    PlansInSerializer,
    TouchedQuerySerializer,
    TouchedSerializer,
)
from backend.operations.incidents.scope import touched_links

_CHANGED = {200: IncidentSerializer, 409: ConflictSerializer}


def _answer(request: Request, incident: Incident, *, status: int = 200) -> Response:
    fresh = selectors.incident_get(incident.id)
    shown = selectors.incident_view(fresh, shows_rows=shows_rows(request))
    return respond(IncidentSerializer, shown, status=status)


def _require_node(request: Request, kind: str, value: str) -> None:
    if kind == ScopeKind.NODE:
        require(request, Permission.READ, "node_id", [value])


class IncidentListView(ConsoleView):
    """Incidents, newest first."""

    permissions = {"GET": Permission.READ, "POST": Permission.PLAN}
    where = Where.READABLE

    @operation(
        "incident_list", "List incidents", parameters=[IncidentQuerySerializer], responses=IncidentPageSerializer
    )
    def get(self, request: Request) -> Response:
        """List one page of incidents, newest first, without their links."""
        asked = validated_query(request, IncidentQuerySerializer)
        links = privileges_of(request).links_with(Permission.READ)
        page = selectors.incident_page(
            links, state=asked.get("state"), cursor=asked.get("cursor"), limit=asked["limit"]
        )
        return respond(IncidentPageSerializer, page)

    @operation("incident_open", "Open an incident", request=IncidentInSerializer, responses={201: IncidentSerializer})
    @stored_with_effect
    def post(self, request: Request) -> Response:
        """Open an incident over all links that a lost site or node touches, or over the links named.

        Each link gets a plan of the operation that is recommended for it. Workers make the plans; nothing is changed.
        Links for which the caller may make no plans are left out; named, they are refused.
        """
        given = validated_body(request, IncidentInSerializer)
        require(request, Permission.PLAN, "link_id", given.get("link_ids", ()))
        _require_node(request, given.get("scope_kind", ""), given.get("scope_value", ""))
        allowed = privileges_of(request).links_with(Permission.PLAN)
        incident = services.incident_create(actor=request.user.get_username(), allowed=allowed, **given)
        return _answer(request, incident, status=201)


class TouchedView(ConsoleView):
    """The links that a loss touches."""

    permissions = {"GET": Permission.READ}
    where = Where.READABLE

    @operation(
        "incident_touched",
        "List links that a loss touches",
        parameters=[TouchedQuerySerializer],
        responses=TouchedSerializer,
    )
    def get(self, request: Request) -> Response:
        """List the links with a cluster at the site, or with a node on the same host, as an incident would hold them.

        The site is the one that is registered with each cluster.
        """
        asked = validated_query(request, TouchedQuerySerializer)
        _require_node(request, asked["kind"], asked["value"])
        found = touched_links(asked["kind"], asked["value"], allowed=privileges_of(request).links_with(Permission.READ))
        return respond(TouchedSerializer, {"results": selectors.touched_view(found)})


class IncidentView(ConsoleView):
    """One incident."""

    permissions = {"GET": Permission.READ}

    @operation("incident_read", "Get an incident", responses=IncidentSerializer)
    def get(self, request: Request, incident_id: str) -> Response:
        """Get an incident with its links, their plans and their progress."""
        return _answer(request, selectors.incident_get(incident_id))


class IncidentPlanView(ConsoleView):
    """New plans of an incident."""

    permissions = {"POST": Permission.PLAN}

    @operation(
        "incident_plan",
        "Plan an incident again",
        codes=("wrong_incident_state",),
        request=PlansInSerializer,
        responses=_CHANGED,
    )
    @stored_with_effect
    def post(self, request: Request, incident_id: str) -> Response:
        """Make new plans of these links, with options and attestations by link; without links, of all.

        An earlier confirmation is void. Links that succeeded or are running keep their plans.
        """
        items = validated_body(request, PlansInSerializer).get("items", [])
        options = {one["link_id"]: one.get("options") for one in items}
        incident = selectors.incident_get(incident_id)
        done = services.plans_request(actor=request.user.get_username(), incident=incident, options=options)
        return _answer(request, done)


class IncidentOrderView(ConsoleView):
    """The order and the rules of an incident."""

    permissions = {"POST": Permission.PLAN}

    @operation(
        "incident_order",
        "Order an incident",
        codes=("wrong_incident_state",),
        request=OrderInSerializer,
        responses=_CHANGED,
    )
    def post(self, request: Request, incident_id: str) -> Response:
        """Set in which order the links are started, which are left out, how many run at once, and the stop rule.

        The rule to stop at the first failure cannot be switched off for a failover or a reprotect.
        """
        incident = selectors.incident_get(incident_id)
        given = validated_body(request, OrderInSerializer)
        return _answer(request, services.order_set(actor=request.user.get_username(), incident=incident, **given))


class IncidentConfirmView(ConsoleView):
    """The confirmation of an incident."""

    permissions = {"POST": Permission.RUN}
    recent_proof = {"POST": RecentProof.CONFIGURED}

    @operation(
        "incident_confirm",
        "Confirm an incident",
        codes=(
            "wrong_incident_state",
            "nothing_to_start",
            "wrong_digest",
            "wrong_confirmation",
            "attestation_missing",
            "incident_runs_unfinished",
            "plan_expired",
            "plan_refused",
            "plan_version_mismatch",
            "plan_used",
            "run_unfinished",
        ),
        request=ConfirmInSerializer,
        responses={202: IncidentSerializer, 409: ConflictSerializer},
    )
    def post(self, request: Request, incident_id: str) -> Response:
        """Confirm all plans at once, by the digest over them. Workers start them in order.

        Before each start the cluster state is compared with the plan. Each link's own rules hold: a run
        that needs a second person waits for one.
        """
        incident = selectors.incident_get(incident_id)
        given = validated_body(request, ConfirmInSerializer)
        user = principal(request)
        done = services.incident_confirm(actor=user.username, incident=incident, token_id=user.token_id, **given)
        return _answer(request, done, status=202)


class IncidentApproveView(ConsoleView):
    """The approval of an incident by a second person."""

    permissions = {"POST": Permission.APPROVE}

    @operation(
        "incident_approve",
        "Approve an incident",
        codes=("wrong_incident_state", "not_waiting", "wrong_digest", "own_run", *SECOND_PERSON_CODES),
        request=IncidentApprovalInSerializer,
        responses=_CHANGED,
    )
    def post(self, request: Request, incident_id: str) -> Response:
        """Approve all runs of the incident that need a second person, by the confirmed digest.

        Each is approved when its turn comes, if that user may approve that run then. Single approvals stay possible.
        """
        incident = selectors.incident_get(incident_id)
        given = validated_body(request, IncidentApprovalInSerializer)
        return _answer(request, services.incident_approve(user=principal(request), incident=incident, **given))


class IncidentAbortView(ConsoleView):
    """The abort of an incident."""

    permissions = {"POST": Permission.RUN}

    @operation(
        "incident_abort",
        "Abort an incident",
        codes=("wrong_incident_state",),
        request=CommentSerializer,
        responses=_CHANGED,
    )
    def post(self, request: Request, incident_id: str) -> Response:
        """Start nothing more. Runs of which nothing was sent end; runs that have started end by their own rules."""
        incident = selectors.incident_get(incident_id)
        given = validated_body(request, CommentSerializer)
        return _answer(request, services.incident_abort(actor=request.user.get_username(), incident=incident, **given))


class IncidentReportView(ConsoleView):
    """An incident as one report."""

    permissions = {"GET": Permission.READ}
    renderer_classes = [MarkdownRenderer]
    content_negotiation_class = FirstRenderer

    @operation(
        "incident_report",
        "Get an incident as a report",
        parameters=[ReportQuerySerializer],
        responses=REPORT_RESPONSES,
    )
    def get(self, request: Request, incident_id: str) -> HttpResponse:
        """Get the incident with all its runs as one report, in Markdown or as JSON."""
        chosen = validated_query(request, ReportQuerySerializer)["format"]
        facts = report_facts(selectors.incident_get(incident_id), shows_rows=shows_rows(request))
        return report_response(incident_report(facts), facts=facts, format=chosen, name=f"incident-{incident_id}")
