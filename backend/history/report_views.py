"""The REST views of the readiness report and the rehearsal certificate."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.http import HttpResponse
from django.utils import timezone
from rest_framework.request import Request

from backend.clusters.selectors import link_get
from backend.common.errors import invalid
from backend.common.rest.operations import operation
from backend.common.rest.renderers import FirstRenderer, MarkdownRenderer
from backend.common.rest.reports import REPORT_RESPONSES, ReportQuerySerializer, report_response
from backend.common.rest.views import ConsoleView, validated_query
from backend.common.roles import Permission
from backend.core.reports.rehearsal_certificate import rehearsal_certificate
from backend.history.readiness import LONGEST, last_quarter, report_of
from backend.history.serializers import ReadinessQuerySerializer
from backend.operations.rehearsals.selectors import rehearsal_get, rehearsal_view
from backend.operations.runs.masking import values_masked


class ReadinessReportView(ConsoleView):
    """The readiness report of a link."""

    permissions = {"GET": Permission.READ}
    renderer_classes = [MarkdownRenderer]
    content_negotiation_class = FirstRenderer

    @operation(
        "readiness_report",
        "Get the readiness report of a link",
        parameters=[ReadinessQuerySerializer],
        responses=REPORT_RESPONSES,
    )
    def get(self, request: Request, link_id: str) -> HttpResponse:
        """Get what the link achieved in a period: recovery time and point, rehearsals, readiness, exceptions.

        Without `since` and `until` the period is the last whole quarter, in UTC.
        """
        link = link_get(link_id)
        asked = validated_query(request, ReadinessQuerySerializer)
        since, until = _period(asked)
        document, facts = report_of(link, since, until)
        name = f"readiness-{link.name}-{since:%Y-%m-%d}"
        return report_response(document, facts=facts, format=asked["format"], name=name)


def _period(asked: dict[str, Any]) -> tuple[datetime, datetime]:
    now = timezone.now()
    since, until = asked.get("since"), asked.get("until")
    if since is None and until is None:
        return last_quarter(now)
    if since is None:
        raise invalid("since", "Send since together with until.")
    until = min(until or now, now)
    if since >= until:
        raise invalid("since", "The period must begin before it ends, and not in the future.")
    if now - since > LONGEST:
        raise invalid("since", f"Rehearsals are kept for {LONGEST.days} days. Send a later start.")
    return since, until


class RehearsalCertificateView(ConsoleView):
    """A rehearsal as a certificate."""

    permissions = {"GET": Permission.READ}
    renderer_classes = [MarkdownRenderer]
    content_negotiation_class = FirstRenderer

    @operation(
        "rehearsal_certificate",
        "Get a rehearsal as a certificate",
        parameters=[ReportQuerySerializer],
        responses=REPORT_RESPONSES,
    )
    def get(self, request: Request, rehearsal_id: str) -> HttpResponse:
        """Get the result of a rehearsal as a document to file, in Markdown or as JSON."""
        rehearsal = rehearsal_get(rehearsal_id)
        chosen = validated_query(request, ReportQuerySerializer)["format"]
        shown = values_masked(rehearsal_view(rehearsal))
        document = rehearsal_certificate(shown, rehearsal.link.name)
        return report_response(document, facts=shown, format=chosen, name=f"rehearsal-{rehearsal_id}")
