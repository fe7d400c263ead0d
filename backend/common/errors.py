"""The one error type services raise; it knows its HTTP answer (RFC 9457) but no framework."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

FieldErrors = Sequence[Mapping[str, str]]


class ProblemError(Exception):
    """Refused, with a stable `code`, a sentence that says what to do, and the fields at fault."""

    def __init__(
        self,
        status: int,
        code: str,
        detail: str,
        *,
        errors: FieldErrors = (),
        headers: Mapping[str, str] | None = None,
        **extra: Any,
    ) -> None:
        super().__init__(detail)
        self.status = status
        self.code = code
        self.detail = detail
        self.errors = [dict(error) for error in errors]
        self.headers = dict(headers or {})
        self.extra = extra


def invalid(field: str, message: str, *, code: str = "validation_failed", status: int = 400) -> ProblemError:
    """One field is wrong; the message says how to put it right."""
    return ProblemError(status, code, message, errors=[{"field": field, "message": message}])


def conflict(code: str, detail: str, **extra: Any) -> ProblemError:
    """The state of things forbids it now."""
    return ProblemError(409, code, detail, **extra)


def not_found(what: str) -> ProblemError:
    """There is no such thing, or none that may be seen."""
    return ProblemError(404, "not_found", f"There is no such {what}.")


def forbidden(code: str, detail: str, **extra: Any) -> ProblemError:
    """The caller may not, whatever his role."""
    return ProblemError(403, code, detail, **extra)
