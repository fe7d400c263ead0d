"""What a finding or a problem code means, from the reviewed catalogues."""

from __future__ import annotations

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from backend.common.errors import not_found
from backend.common.problem_catalogue.catalogue import entry_of_problem
from backend.common.problem_catalogue.entry import ProblemEntry
from backend.common.rest.operations import operation
from backend.common.rest.scope import Where
from backend.common.rest.serializers import ShapeSerializer
from backend.common.rest.views import ConsoleView, respond
from backend.common.roles import Permission
from backend.core.finding_catalogue.catalogue import entry_of_finding
from backend.core.finding_catalogue.entry import FindingEntry


class ExplanationSerializer(ShapeSerializer):
    """What happened, what it means, what to do. Code in backticks, links in Markdown."""

    code = serializers.CharField()
    title = serializers.CharField()
    what_happened = serializers.CharField()
    what_it_means = serializers.CharField()
    what_to_do = serializers.CharField()


class FindingExplanationView(ConsoleView):
    """The catalogue of findings."""

    permissions = {"GET": Permission.READ}
    where = Where.NOTHING

    @operation("finding_explanation", "Explain a finding code", responses=ExplanationSerializer)
    def get(self, request: Request, code: str) -> Response:
        """Explain the code of a finding of a plan, a link or a check."""
        return _explained(entry_of_finding(code))


class ProblemExplanationView(ConsoleView):
    """The catalogue of problems."""

    permissions = {"GET": Permission.READ}
    where = Where.NOTHING

    @operation("problem_explanation", "Explain a problem code", responses=ExplanationSerializer)
    def get(self, request: Request, code: str) -> Response:
        """Explain the code of a problem document."""
        return _explained(entry_of_problem(code))


def _explained(entry: FindingEntry | ProblemEntry | None) -> Response:
    if entry is None:
        raise not_found("explanation")
    return respond(ExplanationSerializer, entry)
