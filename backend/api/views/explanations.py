"""What a finding or a problem code means, from the pages of the reference."""

from __future__ import annotations

from collections.abc import Mapping

from rest_framework.request import Request
from rest_framework.response import Response

from backend.common.code_pages import FINDINGS, PROBLEMS, Explanation
from backend.common.errors import not_found
from backend.common.rest.operations import operation
from backend.common.rest.scope import Where
from backend.common.rest.views import ConsoleView, respond
from backend.common.roles import Permission


class FindingExplanationView(ConsoleView):
    """The catalogue of findings."""

    permissions = {"GET": Permission.READ}
    where = Where.NOTHING

    @operation("finding_explanation", "Explain a finding code", responses=Explanation)
    def get(self, request: Request, code: str) -> Response:
        """Explain the code of a finding of a plan, a link or a check."""
        return _explained(FINDINGS, code)


class ProblemExplanationView(ConsoleView):
    """The catalogue of problems."""

    permissions = {"GET": Permission.READ}
    where = Where.NOTHING

    @operation("problem_explanation", "Explain a problem code", responses=Explanation)
    def get(self, request: Request, code: str) -> Response:
        """Explain the code of a problem document."""
        return _explained(PROBLEMS, code)


def _explained(page: Mapping[str, Explanation], code: str) -> Response:
    if code not in page:
        raise not_found("explanation")
    return respond(Explanation, page[code])
