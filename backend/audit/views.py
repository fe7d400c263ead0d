"""The REST views of the audit log."""

from __future__ import annotations

from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse
from rest_framework.request import Request
from rest_framework.response import Response

from backend.audit import selectors, services
from backend.audit.serializers import (
    AuditExportQuerySerializer,
    AuditPageSerializer,
    AuditQuerySerializer,
    AuditVerdictSerializer,
    AuditVerifyQuerySerializer,
    AuditWalkQuerySerializer,
    AuditWalkSerializer,
)
from backend.audit.verification import shared_walk, visible_walk
from backend.audit.verification.signed_heads import SignedHead, SignedHeadError, parse
from backend.common.errors import invalid
from backend.common.rest.limits import slow_call
from backend.common.rest.operations import operation
from backend.common.rest.renderers import CsvRenderer, FirstRenderer, JsonLinesRenderer
from backend.common.rest.scope import Where, privileges_of
from backend.common.rest.streamed_files import streamed_file
from backend.common.rest.views import ConsoleView, respond, validated_query
from backend.common.roles import Permission


class AuditListView(ConsoleView):
    """Audit records, newest first."""

    permissions = {"GET": Permission.READ}
    where = Where.READABLE

    @operation("audit_list", "List audit records", parameters=[AuditQuerySerializer], responses=AuditPageSerializer)
    def get(self, request: Request) -> Response:
        """List one page of audit records, newest first."""
        asked = validated_query(request, AuditQuerySerializer)
        links = privileges_of(request).links_with(Permission.READ)
        page = selectors.record_page(asked, links, cursor=asked.get("cursor"), limit=asked["limit"])
        return respond(AuditPageSerializer, page)


class AuditVerifyView(ConsoleView):
    """The verification of the chain of records."""

    permissions = {"GET": Permission.READ}

    @operation(
        "audit_verify",
        "Verify the audit chain",
        codes=("audit_verification_unfinished",),
        parameters=[AuditVerifyQuerySerializer],
        responses=AuditVerdictSerializer,
    )
    def get(self, request: Request) -> Response:
        """Verify the records since the last verified one.

        The monitor verifies all records in the background once a day. The verdict is recorded.
        """
        asked = validated_query(request, AuditVerifyQuerySerializer)
        verdict = shared_walk.verdict(_outside_head(asked.get("head")))
        services.record_reading(
            actor=request.user.get_username(),
            action="api:audit:verify",
            facts={name: verdict[name] for name in ("ok", "first_bad_seq", "reason")},
        )
        return respond(AuditVerdictSerializer, verdict)


class AuditVerifyAllView(ConsoleView):
    """The verification of all records from the first one, a slice a call."""

    permissions = {"GET": Permission.READ}

    @operation(
        "audit_verify_all",
        "Verify the whole audit chain",
        parameters=[AuditWalkQuerySerializer],
        responses=AuditWalkSerializer,
    )
    @slow_call
    def get(self, request: Request) -> Response:
        """Verify the next records, from the first one on. Repeat the call with `next` until it is finished.

        The result is recorded when it is finished.
        """
        walked = visible_walk.advance(validated_query(request, AuditWalkQuerySerializer).get("after"))
        if walked["is_finished"]:
            services.record_reading(
                actor=request.user.get_username(),
                action="api:audit:verify_all",
                facts={name: walked[name] for name in ("ok", "verified", "first_bad_seq", "reason")},
            )
        return respond(AuditWalkSerializer, walked)


def _outside_head(text: str | None) -> list[SignedHead]:
    try:
        return [parse(text, "The head")] if text else []
    except SignedHeadError as error:
        raise invalid("head", str(error)) from error


class AuditExportView(ConsoleView):
    """The audit log as a file, oldest first."""

    permissions = {"GET": Permission.READ}
    where = Where.READABLE
    renderer_classes = [JsonLinesRenderer, CsvRenderer]
    content_negotiation_class = FirstRenderer

    @operation(
        "audit_export",
        "Export the audit log",
        parameters=[AuditExportQuerySerializer],
        responses={
            (200, "application/jsonl"): OpenApiResponse(OpenApiTypes.STR, description="One record per line."),
            (200, "text/csv"): OpenApiResponse(OpenApiTypes.STR, description="With a header line."),
        },
    )
    def get(self, request: Request) -> StreamingHttpResponse:
        """Stream the matching audit records as a file, oldest first. The export is recorded before it starts."""
        asked = validated_query(request, AuditExportQuerySerializer)
        chosen = asked.pop("format")
        filters = {key: str(value) for key, value in asked.items()}
        services.record_reading(
            actor=request.user.get_username(),
            action="api:audit:export",
            facts={"format": chosen, "filters": filters},
        )
        rows = selectors.filtered(asked, privileges_of(request).links_with(Permission.READ))
        lines = selectors.export_csv(rows) if chosen == "csv" else selectors.export_jsonl(rows)
        return streamed_file(lines, name="hawser-audit", form=chosen)
