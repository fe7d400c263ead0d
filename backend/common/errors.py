"""`ProblemError`, the one error type that services raise. It knows its HTTP response (RFC 9457) but no framework."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

FieldErrors = Sequence[Mapping[str, str]]


class ProblemError(Exception):
    """A refused call, with a stable `code`, a detail that says what to do, and the fields at fault."""

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
    """A field of the request is wrong; the message says how to correct it."""
    return ProblemError(status, code, message, errors=[{"field": field, "message": message}])


def conflict(code: str, detail: str, **extra: Any) -> ProblemError:
    """The current state does not allow the call."""
    return ProblemError(409, code, detail, **extra)


def not_found(what: str) -> ProblemError:
    """The object does not exist, or the caller cannot see it."""
    return ProblemError(404, "not_found", f"No such {what} exists, or you have no access to it.")


def forbidden(code: str, detail: str, **extra: Any) -> ProblemError:
    """The caller is not permitted, whatever the role."""
    return ProblemError(403, code, detail, **extra)
