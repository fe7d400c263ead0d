"""What every REST operation states in OpenAPI: summary, effect, role, idempotency and problem codes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from drf_spectacular.utils import extend_schema

from backend.common.rest.outputs import is_output, serializer_of
from backend.common.roles import Permission, Role, may

F = TypeVar("F", bound=Callable[..., Any])

PROBLEM_CODES = "x-problem-codes"
"""OpenAPI extension with the problem codes of one operation, besides those that every operation shares."""
UNSAFE = ("POST", "PUT", "PATCH", "DELETE")


def operation(operation_id: str, summary: str, *, codes: Sequence[str] = (), **options: Any) -> Callable[[F], F]:
    """Decorates a view's method; its docstring is the description of the effect.

    `codes` are the problem codes that callers of this operation have to expect; that of a limited call is added.
    `options` are those of `extend_schema`;
    in `responses` the dataclass of an output stands for its serializer.
    """
    if "responses" in options:
        options["responses"] = _serializers(options["responses"])

    def decorate(method: F) -> F:
        expected = [*codes, *(["too_many_calls"] if getattr(method, "is_limited", False) else [])]
        extensions = {PROBLEM_CODES: expected} if expected else {}
        described = extend_schema(operation_id=operation_id, summary=summary, extensions=extensions, **options)
        return described(method)

    return decorate


def _serializers(responses: Any) -> Any:
    if isinstance(responses, Mapping):
        return {status: _serializers(response) for status, response in responses.items()}
    return serializer_of(responses) if is_output(responses) else responses


def role_sentence(permissions: Mapping[str, Permission | None], method: str) -> str:
    """The least role whose users may call the method."""
    needed = permissions.get(method)
    if needed is None:
        return "Role: none."
    least = next(role for role in Role if may(role, needed))
    if least is Role.AUDITOR:
        return f"Role: `{least}` or `{Role.ADMIN}`."
    return f"Role: `{least}`." if least is Role.ADMIN else f"Role: `{least}` or higher."


def repeat_sentence(method: str, *, is_keyed: bool) -> str:
    """What a repeated call does."""
    if method not in UNSAFE:
        return "Safe to repeat."
    if is_keyed:
        return "A repeated call with the same `Idempotency-Key` returns the first response."
    return "`Idempotency-Key` is ignored: responses that can hold a secret are not stored."


def codes_sentence(codes: Sequence[str]) -> str:
    """The problem codes of the operation, empty if it has only those that every operation shares."""
    return f"Problem codes: {', '.join(f'`{code}`' for code in codes)}." if codes else ""
