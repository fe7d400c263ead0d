"""Runs the checks of a plan in the order in which operators read them; an exception in one refuses the plan."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from backend.core.checks.context import CheckContext
from backend.core.findings import Finding, Severity

Check = Callable[[CheckContext], Iterable[Finding]]


def run_checks(ctx: CheckContext, checks: Iterable[Check]) -> tuple[Finding, ...]:
    """Every check's findings; a check that raises yields an unknown, which refuses the plan."""
    found: list[Finding] = []
    for check in checks:
        try:
            found.extend(check(ctx))
        except Exception as error:  # noqa: BLE001 - any fault inside a check refuses the plan
            found.append(
                Finding(
                    "check_failed",
                    Severity.UNKNOWN,
                    f"Check {check.__name__} failed with an internal error: {type(error).__name__}: {error}. "
                    "The plan is refused as a precaution.",
                    "Report this error.",
                )
            )
    return tuple(found)
