"""Plans and runs over HTTP."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from backend.accounts import protected_changes
from backend.accounts.principal import principal
from backend.clusters.selectors import link_get
from backend.common.rest.idempotency import HEADER
from backend.common.rest.limits import slow_call
from backend.common.rest.renderers import FirstRenderer, MarkdownRenderer
from backend.common.rest.serializers import CommentSerializer, ConflictSerializer
from backend.common.rest.views import ConsoleView, respond, respond_json, validated_body, validated_query
from backend.common.roles import Permission, may
from backend.runs import selectors, services
from backend.runs.documents import markdown
from backend.runs.rest.response_cache import run_page_response, run_response
from backend.runs.rest.serializers.plans import PlanInSerializer, PlanSerializer
from backend.runs.rest.serializers.runs import (
    ApprovalInSerializer,
    ReviewInSerializer,
    RunInSerializer,
    RunPageSerializer,
    RunQuerySerializer,
    RunSerializer,
    WaitingSerializer,
)

_MARKDOWN = {(200, "text/markdown"): OpenApiResponse(OpenApiTypes.STR, description="A Markdown document.")}


def _shows_rows(request: Request) -> bool:
    """As for orphans: their rows are business data."""
    return may(principal(request).acting_role, Permission.LOOKUP)


def _markdown(text: str, name: str) -> HttpResponse:
    response = HttpResponse(text, content_type="text/markdown; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}.md"'
    return response


class LinkPlansView(ConsoleView):
    """Plans of a link."""

    permissions = {"POST": Permission.PLAN}

    @extend_schema(operation_id="plan_create", request=PlanInSerializer, responses={201: PlanSerializer})
    @slow_call
    def post(self, request: Request, link_id: str) -> Response:
        """Make one; the servers are read, nothing is changed. A refused plan is an answer too."""
        link = link_get(link_id)
        given = validated_body(request, PlanInSerializer)
        plan = services.plan_create(
            actor=request.user.get_username(),
            link=link,
            kind=given["kind"],
            reason=given.get("reason", ""),
            options=given.get("options", {}),
            limit_s=settings.HAWSER_PLAN_LIMIT_S,
        )
        return respond(PlanSerializer, selectors.plan_view(plan, shows_rows=_shows_rows(request)), status=201)


class PlanView(ConsoleView):
    """One plan."""

    permissions = {"GET": Permission.READ}

    @extend_schema(operation_id="plan_read", responses=PlanSerializer)
    def get(self, request: Request, plan_id: str) -> Response:
        """The plan with its proof and its steps."""
        return respond(
            PlanSerializer, selectors.plan_view(selectors.plan_get(plan_id), shows_rows=_shows_rows(request))
        )


class RunbookView(ConsoleView):
    """A plan as a document to follow by hand."""

    permissions = {"GET": Permission.READ}
    renderer_classes = [MarkdownRenderer]
    content_negotiation_class = FirstRenderer

    @extend_schema(operation_id="plan_runbook", responses=_MARKDOWN)
    def get(self, request: Request, plan_id: str) -> HttpResponse:
        """Markdown; passwords masked."""
        shown = selectors.plan_view(selectors.plan_get(plan_id), shows_rows=_shows_rows(request))
        return _markdown(markdown.runbook(shown), f"runbook-{plan_id}")


class PlanRunsView(ConsoleView):
    """Runs of a plan: one at most."""

    permissions = {"POST": Permission.RUN}

    @extend_schema(
        operation_id="run_start",
        request=RunInSerializer,
        responses={202: RunSerializer, 409: ConflictSerializer},
    )
    def post(self, request: Request, plan_id: str) -> Response:
        """Run the plan just as it was shown."""
        plan = selectors.plan_get(plan_id)
        given = validated_body(request, RunInSerializer)
        run = services.run_start(
            actor=request.user.get_username(),
            plan=plan,
            idempotency_key=request.headers.get(HEADER, ""),
            **given,
        )
        return respond(
            RunSerializer, selectors.run_view(selectors.run_get(run.id), shows_rows=_shows_rows(request)), status=202
        )


class RunListView(ConsoleView):
    """Runs, newest first."""

    permissions = {"GET": Permission.READ}

    @extend_schema(operation_id="run_list", parameters=[RunQuerySerializer], responses=RunPageSerializer)
    def get(self, request: Request) -> HttpResponse:
        """One page."""
        asked = validated_query(request, RunQuerySerializer)
        runs, following = selectors.run_marks(
            link_id=asked.get("link"), state=asked.get("state"), cursor=asked.get("cursor"), limit=asked["limit"]
        )
        return respond_json(run_page_response(runs, following, shows_rows=_shows_rows(request)))


class RunView(ConsoleView):
    """One run."""

    permissions = {"GET": Permission.READ}

    @extend_schema(operation_id="run_read", responses=RunSerializer)
    def get(self, request: Request, run_id: str) -> HttpResponse:
        """The run with its steps and statements."""
        return respond_json(run_response(run_id, shows_rows=_shows_rows(request)))


class RunReportView(ConsoleView):
    """A run as an incident report."""

    permissions = {"GET": Permission.READ}
    renderer_classes = [MarkdownRenderer]
    content_negotiation_class = FirstRenderer

    @extend_schema(operation_id="run_report", responses=_MARKDOWN)
    def get(self, request: Request, run_id: str) -> HttpResponse:
        """Markdown; passwords masked."""
        run, shows_rows = selectors.run_get(run_id), _shows_rows(request)
        plan = selectors.plan_view(selectors.plan_get(run.plan_id), shows_rows=shows_rows)
        return _markdown(markdown.report(selectors.run_view(run, shows_rows=shows_rows), plan), f"report-{run_id}")


class RunApproveView(ConsoleView):
    """A second person's yes."""

    permissions = {"POST": Permission.APPROVE}

    @extend_schema(
        operation_id="run_approve",
        request=ApprovalInSerializer,
        responses={200: RunSerializer, 409: ConflictSerializer},
    )
    def post(self, request: Request, run_id: str) -> Response:
        """Approve; requester and approver are two persons."""
        run = selectors.run_get(run_id)
        done = services.run_approve(user=principal(request), run=run, **validated_body(request, ApprovalInSerializer))
        return respond(RunSerializer, selectors.run_view(done, shows_rows=_shows_rows(request)))


class RunReviewView(ConsoleView):
    """The review of a run that began without a second person."""

    permissions = {"POST": Permission.APPROVE}

    @extend_schema(
        operation_id="run_review",
        request=ReviewInSerializer,
        responses={200: RunSerializer, 409: ConflictSerializer},
    )
    def post(self, request: Request, run_id: str) -> Response:
        """Say what was found; neither the requester nor who made the exception reviews it."""
        run = selectors.run_get(run_id)
        done = services.exception_review(
            user=principal(request), run=run, **validated_body(request, ReviewInSerializer)
        )
        return respond(RunSerializer, selectors.run_view(done, shows_rows=_shows_rows(request)))


class WaitingView(ConsoleView):
    """What waits for a second person."""

    permissions = {"GET": Permission.READ}

    @extend_schema(operation_id="waiting_list", responses=WaitingSerializer)
    def get(self, request: Request) -> Response:
        """Runs, protected changes, and exceptions that nobody has reviewed."""
        shown = {
            "runs": selectors.waiting_runs(),
            "changes": protected_changes.waiting(),
            "exceptions": selectors.unreviewed_exceptions(),
        }
        return respond(WaitingSerializer, shown)


class RunAbortView(ConsoleView):
    """A way back, as long as there is one."""

    permissions = {"POST": Permission.RUN}

    @extend_schema(
        operation_id="run_abort",
        request=CommentSerializer,
        responses={200: RunSerializer, 409: ConflictSerializer},
    )
    def post(self, request: Request, run_id: str) -> Response:
        """Abort; refused past the point of no return."""
        run = selectors.run_get(run_id)
        done = services.run_abort(
            actor=request.user.get_username(), run=run, **validated_body(request, CommentSerializer)
        )
        return respond(RunSerializer, selectors.run_view(done, shows_rows=_shows_rows(request)))


class RunResumeView(ConsoleView):
    """On with a run that stopped for an operator."""

    permissions = {"POST": Permission.RUN}

    @extend_schema(
        operation_id="run_resume",
        request=CommentSerializer,
        responses={200: RunSerializer, 409: ConflictSerializer},
    )
    def post(self, request: Request, run_id: str) -> Response:
        """Resume; the node is observed before anything is sent."""
        run = selectors.run_get(run_id)
        done = services.run_resume(
            actor=request.user.get_username(), run=run, **validated_body(request, CommentSerializer)
        )
        return respond(RunSerializer, selectors.run_view(done, shows_rows=_shows_rows(request)))
