"""How views describe themselves in OpenAPI, and what every operation has in common."""

from __future__ import annotations

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiParameter

UNSAFE = ("post", "put", "patch", "delete")
_METHODS = {"get", *UNSAFE}


class ConsoleSchema(AutoSchema):
    """Adds the Idempotency-Key header to unsafe calls and takes no filters from anywhere else."""

    def get_override_parameters(self) -> list[Any]:
        """Headers that every unsafe call understands."""
        if self.method.lower() not in UNSAFE or not getattr(self.view, "keyed", False):
            return []
        return [
            OpenApiParameter(
                "Idempotency-Key",
                {"type": "string", "minLength": 1, "maxLength": 128, "pattern": r"^[\x21-\x7e]{1,128}$"},
                OpenApiParameter.HEADER,
                description="A repeated call under the same key gets the first answer and does nothing again.",
            )
        ]

    def get_tags(self) -> list[str]:
        """The first word of the path below the version."""
        parts = [part for part in self.path.split("/") if part]
        return [parts[2] if len(parts) > 2 else "service"]


class BearerScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """`Authorization: Bearer TOKEN`."""

    target_class = "backend.accounts.authentication.BearerAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, str]:
        """As OpenAPI names it."""
        return {"type": "http", "scheme": "bearer"}


class SessionScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """The page's session cookie."""

    target_class = "backend.accounts.authentication.ConsoleSessionAuthentication"
    name = "session"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, str]:
        """As OpenAPI names it."""
        from django.conf import settings

        return {"type": "apiKey", "in": "cookie", "name": settings.SESSION_COOKIE_NAME}


def only_versioned(endpoints: list[Any], **_: Any) -> list[Any]:
    """The service calls stand at the root too; the schema names each once."""
    return [endpoint for endpoint in endpoints if str(endpoint[0]).startswith("/api/v1")]


def add_problem_responses(result: dict[str, Any], generator: Any, request: Any, public: bool) -> dict[str, Any]:
    """Every operation may answer with a problem."""
    schema = {"$ref": "#/components/schemas/Problem"}
    answer = {
        "description": "What is wrong and what to do (RFC 9457).",
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
