"""Checks that the accounts which bypass `read_only` can be listed: without the list a switchover is refused."""

from __future__ import annotations

from backend.core.facts.activity import WRITE_THROUGH_REMEDY, WRITE_THROUGH_SQL
from backend.core.findings import Finding, Severity
from backend.core.ports import NodeError
from backend.gateway.connection.endpoint import NodeAccess
from backend.gateway.grants import HeldPrivileges
from backend.gateway.reader import Reader

_REFUSED = "A switchover or failback is refused (accounts_unknown), unless you attest that no such account writes."


def accounts_view_finding(access: NodeAccess, monitor: HeldPrivileges, operator: str) -> Finding | None:
    """The finding of one node; None where the grant is missing that reads the view, which has its own finding.

    `operator`: the operator account as the server names it. It bypasses `read_only`, so a list without it lacks more.
    """
    if monitor.lacks(("SELECT",), "hawser"):
        return None
    name, about = access.ref.name, {"node": access.ref.name}
    reader = Reader(access.ref, access.monitor)
    try:
        listed = {str(row["grantee"]).replace("'", "") for row in reader.query(WRITE_THROUGH_SQL)}
    except NodeError as error:
        message = f"The accounts that bypass read_only cannot be listed on {name}: {error.message}. {_REFUSED}"
        return Finding("accounts_not_listed", Severity.WARNING, message, WRITE_THROUGH_REMEDY, about)
    finally:
        reader.close()
    if operator not in listed:
        message = (
            f"hawser.write_through on {name} does not list {operator}, which bypasses read_only. Its definer may not "
            "see other accounts, so a switchover would not name all that can write on the fenced side."
        )
        remedy = f"Use an administrator with SELECT on mysql.*. {WRITE_THROUGH_REMEDY}"
        return Finding("accounts_listed_in_part", Severity.WARNING, message, remedy, about)
    return Finding("accounts_listed", Severity.OK, f"{name} lists the accounts that bypass read_only.", "", about)
