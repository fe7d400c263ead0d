"""What an exception of the console's own database is told as."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, InterfaceError, InternalError, OperationalError

from backend.common.rest.problems import translate


@pytest.mark.parametrize(
    "error",
    [
        OperationalError(1114, "The table 'audit_auditrecord' is full"),
        InterfaceError(0, ""),
        InternalError(3, 'Error writing file (Errcode: 28 "No space left on device")'),
    ],
)
def test_database__cannot_serve__503_to_be_tried_again(error: Exception) -> None:
    """Its own file system's errors have numbers below 1000, and come as InternalError."""
    problem = translate(error)
    assert (problem.status, problem.code) == (503, "console_database_unavailable")
    assert problem.headers["Retry-After"]


def test_database__refuses_what_was_asked__500() -> None:
    assert translate(IntegrityError(1062, "Duplicate entry")).status == 500
