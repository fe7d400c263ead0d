"""The REST views of plans and runs."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpResponse
from rest_framework.request import Request
from rest_framework.response import Response

from backend.clusters.selectors import registered_link_get
from backend.common.rest.idempotency import HEADER
from backend.common.rest.limits import decision, slow_call
from backend.common.rest.operations import operation
from backend.common.rest.proof import RecentProof
from backend.common.rest.renderers import FirstRenderer, MarkdownRenderer
from backend.common.rest.reports import (
    MARKDOWN_RESPONSES,
    REPORT_RESPONSES,
    ReportQuerySerializer,
    markdown_response,
    report_response,
)
from backend.common.rest.scope import Where, privileges_of, shows_rows
from backend.common.rest.serializers import CommentSerializer, ConflictSerializer
from backend.common.rest.views import ConsoleView, respond, respond_json, validated_body, validated_query
from backend.common.roles import Permission
from backend.core.history.entry import entry_of
from backend.core.reports.run_report import run_report
from backend.identity.accounts import protected_changes
from backend.identity.accounts.principal import principal
from backend.identity.accounts.second_person import SECOND_PERSON_CODES
from backend.operations.runs import selectors, services
from backend.operations.runs.documents import markdown
from backend.operations.runs.rest.response_cache import run_page_response, run_response
from backend.operations.runs.rest.serializers.plans import PlanInSerializer, PlanSerializer
from backend.operations.runs.rest.serializers.runs import (
    ApprovalInSerializer,
    ReviewInSerializer,
    RunDecisionSerializer,
    RunInSerializer,
    RunPageSerializer,
    RunQuerySerializer,
    RunSerializer,
    WaitingQuerySerializer,
    WaitingSerializer,
)
from backend.operations.runs.stored_run import stored_run


class LinkPlansView(ConsoleView):
    """Plans of a link."""

    permissions = {"POST": Permission.PLAN}

    @operation(
        "plan_create",
        "Create a plan",
        request=PlanInSerializer,
        responses={201: PlanSerializer},
        codes=("too_many_comparisons",),
    )
    @slow_call
    def post(self, request: Request, link_id: str) -> Response:
        """Create a plan. Reads both clusters and changes nothing.

        A refused plan is a 201 with `state: refused`; its findings give the reasons.
        """
        link = registered_link_get(link_id)
        given = validated_body(request, PlanInSerializer)
        plan = services.plan_create(
            actor=request.user.get_username(),
            link=link,
            kind=given["kind"],
            reason=given.get("reason", ""),
            options=given.get("options", {}),
            limit_s=settings.HAWSER_PLAN_LIMIT_S,
        )
        return respond(PlanSerializer, selectors.plan_view(plan, shows_rows=shows_rows(request)), status=201)


class PlanView(ConsoleView):
    """One plan."""

    permissions = {"GET": Permission.READ}

    @operation("plan_read", "Get a plan", responses=PlanSerializer)
    def get(self, request: Request, plan_id: str) -> Response:
        """Get a plan with its positions, their proof, and its steps."""
        return respond(PlanSerializer, selectors.plan_view(selectors.plan_get(plan_id), shows_rows=shows_rows(request)))


class RunbookView(ConsoleView):
    """A plan as a document to follow by hand."""

    permissions = {"GET": Permission.READ}
    renderer_classes = [MarkdownRenderer]
    content_negotiation_class = FirstRenderer

    @operation("plan_runbook", "Get a plan as a runbook", responses=MARKDOWN_RESPONSES)
    def get(self, request: Request, plan_id: str) -> HttpResponse:
        """Get the plan as a Markdown document to follow by hand. Passwords are masked."""
        shown = selectors.plan_view(selectors.plan_get(plan_id), shows_rows=shows_rows(request))
        return markdown_response(markdown.runbook(shown), f"runbook-{plan_id}")


class PlanRunsView(ConsoleView):
    """The run of a plan; there is at most one."""

    permissions = {"POST": Permission.RUN}
    recent_proof = {"POST": RecentProof.CONFIGURED}

    @operation(
        "run_start",
        "Start a run of a plan",
        codes=(
            "plan_expired",
            "plan_refused",
            "plan_version_mismatch",
            "wrong_digest",
            "wrong_confirmation",
            "run_unfinished",
            "plan_used",
            "facts_changed",
            "change_not_allowed",
            "override_not_permitted",
            "other_link_not_permitted",
            "no_common_approver",
        ),
        request=RunInSerializer,
        responses={202: RunSerializer, 409: ConflictSerializer},
    )
    @decision
    def post(self, request: Request, plan_id: str) -> Response:
        """Start a run of this plan. Cluster state is compared with the plan first.

        If the link needs a second person, the run waits for an approval and nothing is sent before that. Every link
        that joins a cluster on which the plan acts is asked for permission, approval and calendar: see `asked_links`.
        """
        plan = selectors.plan_get(plan_id)
        given = validated_body(request, RunInSerializer)
        services.check_permitted(principal(request), Permission.RUN, plan)
        services.check_may_override(principal(request), given["override_calendar"], plan)
        run = services.run_start(
            actor=request.user.get_username(),
            plan=plan,
            idempotency_key=request.headers.get(HEADER, ""),
            token_id=principal(request).token_id,
            **given,
        )
        return respond(
            RunSerializer, selectors.run_view(selectors.run_get(run.id), shows_rows=shows_rows(request)), status=202
        )


class RunListView(ConsoleView):
    """Runs, newest first."""

    permissions = {"GET": Permission.READ}
    where = Where.READABLE

    @operation("run_list", "List runs", parameters=[RunQuerySerializer], responses=RunPageSerializer)
    def get(self, request: Request) -> HttpResponse:
        """List one page of runs, newest first."""
        asked = validated_query(request, RunQuerySerializer)
        runs, following = selectors.run_marks(
            readable=privileges_of(request).links_with(Permission.READ),
            link_id=asked.get("link"),
            plan_id=asked.get("plan"),
            state=asked.get("state"),
            cursor=asked.get("cursor"),
            limit=asked["limit"],
        )
        return respond_json(run_page_response(runs, following, shows_rows=shows_rows(request)))


class RunView(ConsoleView):
    """One run."""

    permissions = {"GET": Permission.READ}

    @operation("run_read", "Get a run", responses=RunSerializer)
    def get(self, request: Request, run_id: str) -> HttpResponse:
        """Get a run with its steps and statements."""
        return respond_json(run_response(run_id, shows_rows=shows_rows(request)))


class RunReportView(ConsoleView):
    """A run as an incident report."""

    permissions = {"GET": Permission.READ}
    renderer_classes = [MarkdownRenderer]
    content_negotiation_class = FirstRenderer

    @operation("run_report", "Get a run as a report", parameters=[ReportQuerySerializer], responses=REPORT_RESPONSES)
    def get(self, request: Request, run_id: str) -> HttpResponse:
        """Get the run as an incident report, in Markdown or as JSON. Passwords are masked."""
        chosen = validated_query(request, ReportQuerySerializer)["format"]
        run, with_rows = selectors.run_get(run_id), shows_rows(request)
        shown = selectors.run_view(run, shows_rows=with_rows)
        plan = selectors.plan_view(selectors.plan_get(run.plan_id), shows_rows=with_rows)
        entry = entry_of(stored_run(run))
        return report_response(run_report(shown, plan, entry), facts=entry, format=chosen, name=f"report-{run_id}")


class RunApproveView(ConsoleView):
    """The approval of a run by a second person."""

    permissions = {"POST": Permission.APPROVE}

    @operation(
        "run_approve",
        "Approve a run",
        codes=(
            "approval_expired",
            "not_waiting",
            "wrong_digest",
            "plan_version_mismatch",
            "requester_not_permitted",
            "facts_changed",
            "registration_changed",
            "own_run",
            "not_named_approver",
            "already_approved",
            "other_link_not_permitted",
            "change_not_allowed",
            *SECOND_PERSON_CODES,
        ),
        request=ApprovalInSerializer,
        responses={200: RunSerializer, 409: ConflictSerializer},
    )
    @decision
    def post(self, request: Request, run_id: str) -> Response:
        """Approve a run that another user requested. Cluster state is compared with the plan first.

        If the link needs more than one approval, the run waits on until the last one.
        """
        run = selectors.run_get(run_id)
        done = services.run_approve(user=principal(request), run=run, **validated_body(request, ApprovalInSerializer))
        return respond(RunSerializer, selectors.run_view(done, shows_rows=shows_rows(request)))


class RunRejectView(ConsoleView):
    """The rejection of a run by a second person."""

    permissions = {"POST": Permission.APPROVE}

    @operation(
        "run_reject",
        "Reject a run",
        codes=(
            "approval_expired",
            "not_waiting",
            "wrong_digest",
            "own_run",
            "not_named_approver",
            *SECOND_PERSON_CODES,
        ),
        request=ApprovalInSerializer,
        responses={200: RunSerializer, 409: ConflictSerializer},
    )
    def post(self, request: Request, run_id: str) -> Response:
        """Reject a run that waits for approval. It ends; one that was to be resumed stays with its operator."""
        run = selectors.run_get(run_id)
        done = services.run_reject(user=principal(request), run=run, **validated_body(request, ApprovalInSerializer))
        return respond(RunSerializer, selectors.run_view(done, shows_rows=shows_rows(request)))


class RunDecisionView(ConsoleView):
    """What an approver sees before the decision."""

    permissions = {"GET": Permission.READ}

    @operation(
        "run_decision_read",
        "Get the decision on a run",
        responses=RunDecisionSerializer,
    )
    @slow_call
    def get(self, request: Request, run_id: str) -> Response:
        """Compare the servers with the plan now, and get who may decide, until when, and what is missing."""
        run = selectors.run_get(run_id)
        return respond(RunDecisionSerializer, services.decision_view(principal(request), run))


class RunReviewView(ConsoleView):
    """The review of a run that started without a second person."""

    permissions = {"POST": Permission.APPROVE}

    @operation(
        "run_review",
        "Review a run without an approval",
        codes=(
            "nothing_to_review",
            "own_exception",
            *SECOND_PERSON_CODES,
        ),
        request=ReviewInSerializer,
        responses={200: RunSerializer, 409: ConflictSerializer},
    )
    def post(self, request: Request, run_id: str) -> Response:
        """Record the review of a run that started without a second person.

        Neither the requester nor the user who made the exception can review it.
        """
        run = selectors.run_get(run_id)
        done = services.exception_review(
            user=principal(request), run=run, **validated_body(request, ReviewInSerializer)
        )
        return respond(RunSerializer, selectors.run_view(done, shows_rows=shows_rows(request)))


class WaitingView(ConsoleView):
    """Everything that is waiting for a second person."""

    permissions = {"GET": Permission.READ}
    where = Where.READABLE

    @operation(
        "waiting_list", "List pending decisions", parameters=[WaitingQuerySerializer], responses=WaitingSerializer
    )
    def get(self, request: Request) -> Response:
        """List runs that wait for an approval, protected changes, and exceptions without a review."""
        mine = validated_query(request, WaitingQuerySerializer)["mine"]
        links = privileges_of(request).links_with(Permission.READ)
        shown = {
            "runs": services.waiting_for(principal(request), mine=mine, readable=links),
            "changes": protected_changes.waiting(links),
            "exceptions": selectors.unreviewed_exceptions(links),
        }
        return respond(WaitingSerializer, shown)


class RunAbortView(ConsoleView):
    """The abort of a run."""

    permissions = {"POST": Permission.RUN}

    @operation(
        "run_abort",
        "Abort a run",
        codes=("abort_refused",),
        request=CommentSerializer,
        responses={200: RunSerializer, 409: ConflictSerializer},
    )
    def post(self, request: Request, run_id: str) -> Response:
        """Abort a run. Completed steps are reverted. Refused after the point of no return."""
        run = selectors.run_get(run_id)
        done = services.run_abort(
            actor=request.user.get_username(), run=run, **validated_body(request, CommentSerializer)
        )
        return respond(RunSerializer, selectors.run_view(done, shows_rows=shows_rows(request)))


class RunResumeView(ConsoleView):
    """The resumption of a run that stopped for an operator."""

    permissions = {"POST": Permission.RUN}
    recent_proof = {"POST": RecentProof.CONFIGURED}

    @operation(
        "run_resume",
        "Resume a run",
        codes=("wrong_state", "other_link_not_permitted", "no_common_approver"),
        request=CommentSerializer,
        responses={200: RunSerializer, 409: ConflictSerializer},
    )
    def post(self, request: Request, run_id: str) -> Response:
        """Resume a run that stopped for an operator. Node state is rechecked before anything is sent.

        If the link needs a second person, the run can wait for another approval first.
        """
        run = selectors.run_get(run_id)
        services.check_permitted(principal(request), Permission.RUN, run.plan)
        user, given = principal(request), validated_body(request, CommentSerializer)
        done = services.run_resume(actor=user.username, run=run, token_id=user.token_id, **given)
        return respond(RunSerializer, selectors.run_view(done, shows_rows=shows_rows(request)))
