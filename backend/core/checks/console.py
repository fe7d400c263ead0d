"""Checks of the console's own state: another run, approval, and the account that the channels will use."""

from __future__ import annotations

from collections.abc import Iterator

from backend.core.checks.context import CheckContext
from backend.core.findings import Finding, Severity


def check_no_other_run(ctx: CheckContext) -> Iterator[Finding]:
    """At most one unfinished run per link."""
    if ctx.unfinished_run_id is not None:
        yield Finding(
            "run_unfinished",
            Severity.BLOCKER,
            f"Run {ctx.unfinished_run_id} on this link is not finished.",
            "Finish, resume or abort that run first.",
            {"run_id": ctx.unfinished_run_id},
        )


def check_approval(ctx: CheckContext) -> Iterator[Finding]:
    """The plan says beforehand that its run requires an approval."""
    if ctx.requires_approval:
        yield Finding("approval_needed", Severity.INFO, "This link requires the approval of a second user.")


def check_replication_login(ctx: CheckContext) -> Iterator[Finding]:
    """The replication account can log in to each new source, with the TLS the channel will use.

    The login is tested from the console's host. The source may still refuse the replica's own address: that shows as
    an I/O error right after the start.
    """
    for move in ctx.moves:
        name = move.source.node.name
        if move.source.node.id not in ctx.replication_logins:
            yield Finding(
                "replication_login_unknown",
                Severity.UNKNOWN,
                f"The login of the replication account to {name} was not tested.",
                "Create the plan again.",
            )
            continue
        error = ctx.replication_logins[move.source.node.id]
        if error is None:
            yield Finding("replication_login_works", Severity.OK, f"The replication account can log in to {name}.")
        else:
            yield Finding(
                "replication_login_refused",
                Severity.BLOCKER,
                f"The replication account cannot log in to {name}: {error}",
                "Check the account, its host pattern and its password on the new source.",
                {"node": name},
            )
