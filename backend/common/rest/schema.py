"""How views describe themselves in OpenAPI, and what all operations have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiParameter

from backend.common.rest.operations import PROBLEM_CODES, UNSAFE, codes_sentence, repeat_sentence, role_sentence

if TYPE_CHECKING:
    from backend.common.rest.views import ConsoleView

_METHODS = {"get", *(method.lower() for method in UNSAFE)}
_SERVICE = "service"
_SERVICE_PATHS = {"healthz", "readyz", "metrics"}


class ConsoleSchema(AutoSchema):
    """Adds role, idempotency and problem codes to descriptions, and the Idempotency-Key header to unsafe calls."""

    def get_description(self) -> str:  # type: ignore[override]  # the stubs have the arguments of an older version
        """The effect, from the docstring of the view's method, and what the view states of role and idempotency."""
        view = self._console_view()
        role = role_sentence(view.permissions, self.method)
        repeats = repeat_sentence(self.method, is_keyed=view.keyed)
        codes = codes_sentence(self.get_extensions().get(PROBLEM_CODES, ()))
        return "\n\n".join(part for part in (super().get_description(), f"{role} {repeats}", codes) if part)

    def get_override_parameters(self) -> list[Any]:
        """The Idempotency-Key header of unsafe calls."""
        if self.method not in UNSAFE or not self._console_view().keyed:
            return []
        return [
            OpenApiParameter(
                "Idempotency-Key",
                {"type": "string", "minLength": 1, "maxLength": 128, "pattern": r"^[\x21-\x7e]{1,128}$"},
                OpenApiParameter.HEADER,
                description="A repeated call with the same key returns the first response and does nothing again.",
            )
        ]

    def _console_view(self) -> ConsoleView:
        return cast("ConsoleView", self.view)

    def get_tags(self) -> list[str]:
        """The first part of the path below the version."""
        parts = [part for part in self.path.split("/") if part]
        return [_SERVICE if len(parts) < 3 or parts[2] in _SERVICE_PATHS else parts[2]]


class BearerScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """`Authorization: Bearer TOKEN`."""

    target_class = "backend.identity.accounts.authentication.BearerAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, str]:
        """The scheme in OpenAPI's terms."""
        return {"type": "http", "scheme": "bearer"}


class SessionScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """The session cookie of the page."""

    target_class = "backend.identity.accounts.authentication.ConsoleSessionAuthentication"
    name = "session"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, str]:
        """The scheme in OpenAPI's terms."""
        from django.conf import settings

        return {"type": "apiKey", "in": "cookie", "name": settings.SESSION_COOKIE_NAME}


def only_versioned(endpoints: list[Any], **_: Any) -> list[Any]:
    """Without the service paths at the root, which are the same operations as below the version."""
    return [endpoint for endpoint in endpoints if str(endpoint[0]).startswith("/api/v1")]


def add_problem_responses(result: dict[str, Any], generator: Any, request: Any, public: bool) -> dict[str, Any]:
    """Adds the problem response that every operation can return."""
    schema = {"$ref": "#/components/schemas/Problem"}
    answer = {
        "description": "A problem (RFC 9457): what happened and what to do.",
        "content": {"application/problem+json": {"schema": schema}},
    }
    for operations in result["paths"].values():
        for method, operation in operations.items():
            if method in _METHODS:
                operation["responses"]["default"] = answer
                _as_problem(operation["responses"])
    return result


def _as_problem(responses: dict[str, Any]) -> None:
    for status, response in responses.items():
        content = response.get("content", {})
        if status.startswith(("4", "5")) and "application/json" in content:
            content["application/problem+json"] = content.pop("application/json")


__all__ = [
    "BearerScheme",
    "ConsoleSchema",
    "SessionScheme",
    "add_problem_responses",
    "only_versioned",
]
