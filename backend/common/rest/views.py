"""The base of every REST view: role table, idempotency, strict query parameters."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, ClassVar, NoReturn

from django.http import HttpResponse
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer
from rest_framework.views import APIView

from backend.common.models import IdempotencyRecord
from backend.common.rest import idempotency
from backend.common.rest.call_rate import count_call
from backend.common.rest.idempotency import ReplayError
from backend.common.rest.outputs import serializer_of
from backend.common.rest.proof import RecentProof, default_proof
from backend.common.rest.representation import representation_by
from backend.common.rest.scope import Where
from backend.common.roles import Permission


class ConsoleView(APIView):
    """A view states in `permissions`, by method, what a caller needs; `None` means public.

    A path that names a link, a cluster or something of them needs the permission there; `where` says where any other
    path needs it. `keyed` is off where a response must not be stored because it holds a new secret. `recent_proof`
    names methods before which a session must prove its user again, besides those of `default_proof`.
    `open_without_factor` is on where a session may be that lacks a required second factor. `record` is the call's claim
    of its key, until its response is stored.
    """

    permissions: ClassVar[Mapping[str, Permission | None]] = {}
    where: ClassVar[Where] = Where.EVERYWHERE
    recent_proof: ClassVar[Mapping[str, RecentProof]] = {}
    open_without_factor: ClassVar[bool] = False
    keyed: ClassVar[bool] = True
    record: IdempotencyRecord | None = None

    @classmethod
    def proof_for(cls, method: str, route: str) -> RecentProof | None:
        """What a session must prove before this method of this route of the URL map, if anything."""
        return cls.recent_proof.get(method) or default_proof(method, route, cls.permissions.get(method))

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Claim the idempotency key, if one was sent, after rate, authentication and permission."""
        count_call(request)
        super().initial(request, *args, **kwargs)
        if self.keyed and request.user.is_authenticated:
            self.record = idempotency.begin(request)

    def handle_exception(self, exc: Exception) -> Response:
        """Return a stored response; it is not an error."""
        if isinstance(exc, ReplayError):
            return idempotency.replay(exc.record)
        return super().handle_exception(exc)

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        """Store the response for a repeated call, and forbid caches to keep it."""
        final = super().finalize_response(request, response, *args, **kwargs)
        final.headers.setdefault("Cache-Control", "no-store")
        if self.record is not None and isinstance(final, Response):
            idempotency.finish(self.record, final)
        return final

    def permission_denied(self, request: Any, message: str | None = None, code: str | None = None) -> NoReturn:
        """Name the permission that is missing."""
        needed = self.permissions.get(str(request.method))
        text = message or (
            (f"Your role does not include the permission “{needed}”. Nothing was done. Ask an administrator.")
            if needed
            else None
        )
        super().permission_denied(request, message=text, code=code)


def validated_body(request: Request, serializer: type[Serializer[Any]]) -> dict[str, Any]:
    """The request's body, validated."""
    checked = serializer(data=request.data)
    checked.is_valid(raise_exception=True)
    return dict(checked.validated_data)


def validated_query(request: Request, serializer: type[Serializer[Any]]) -> dict[str, Any]:
    """The request's query parameters, validated; unknown and repeated ones are refused."""
    values = {
        name: given[0] if len(given := request.query_params.getlist(name)) == 1 else given
        for name in request.query_params
    }
    checked = serializer(data=values)
    checked.is_valid(raise_exception=True)
    return dict(checked.validated_data)


def respond(shape: Any, data: Any, *, status: int = 200) -> Response:
    """A response in its exact form: that of a serializer or of the dataclass of an output."""
    return Response(shape_of(shape).to_representation(data), status=status)


def render_json(serializer: type[Serializer[Any]] | None, data: Any) -> bytes:
    """The JSON of a response, to be cached; without a serializer the data has the response's exact form."""
    return bytes(JSONRenderer().render(representation_by(serializer)(data) if serializer else data))


def respond_json(answer: bytes) -> HttpResponse:
    """A response that is already JSON."""
    return HttpResponse(answer, content_type="application/json")


@cache
def shape_of(shape: Any) -> Serializer[Any]:
    """One instance for all responses: a new one copies all nested fields, which is a fifth of a read's time."""
    return serializer_of(shape)()
