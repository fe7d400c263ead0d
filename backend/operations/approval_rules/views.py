"""The REST views of approval rules."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from backend.clusters.selectors import link_get, registered_link_get
from backend.common.rest.operations import operation
from backend.common.rest.views import ConsoleView, respond, validated_body
from backend.common.roles import Permission
from backend.operations.approval_rules import selectors, services
from backend.operations.approval_rules.serializers import ApprovalRuleInSerializer, ApprovalRuleSerializer


class LinkApprovalRuleView(ConsoleView):
    """The approval rule of a link."""

    permissions = {"GET": Permission.READ, "PUT": Permission.LINKS}

    @operation("approval_rule_read", "Get the approval rule of a link", responses=ApprovalRuleSerializer)
    def get(self, request: Request, link_id: str) -> Response:
        """Get how many persons approve a run of the link, and who may."""
        return respond(ApprovalRuleSerializer, selectors.rule_view(link_get(link_id)))

    @operation(
        "approval_rule_update",
        "Change the approval rule of a link",
        codes=("too_few_approvers",),
        request=ApprovalRuleInSerializer,
        responses=ApprovalRuleSerializer,
    )
    def put(self, request: Request, link_id: str) -> Response:
        """Change the rule for runs that are requested from now on.

        A weaker rule waits for a second administrator or its waiting time; until then it is `pending`.
        """
        link = registered_link_get(link_id)
        given = validated_body(request, ApprovalRuleInSerializer)
        services.rule_update(actor=request.user.get_username(), link=link, **given)
        return respond(ApprovalRuleSerializer, selectors.rule_view(link))
