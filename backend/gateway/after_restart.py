"""Checks what a node does after a restart: whether it is writable, and whether its channels start with it.

A running server shows the origin of a setting (`GLOBAL_VALUE_ORIGIN`): COMPILE-TIME and CONFIG values return with a
restart, SQL hides the configured value. MariaDB 10.11 has no variable `skip_slave_start` (observed on 10.11.19).
"""

from __future__ import annotations

from backend.core.findings import Finding, Severity
from backend.core.ports import NodeError
from backend.core.topology import NodeFacts
from backend.gateway.connection.endpoint import NodeAccess
from backend.gateway.connection.session import Session

ORIGIN_SQL = (
    "SELECT GLOBAL_VALUE AS value, GLOBAL_VALUE_ORIGIN AS origin FROM information_schema.SYSTEM_VARIABLES "
    "WHERE VARIABLE_NAME='READ_ONLY'"
)
_READ_S = 3.0
_OPENED = (
    "After a restart of a node of the active side, run SET GLOBAL read_only=OFF on it. First check that it is Synced "
    "and that its side is still the active one."
)


def findings_after_restart(access: NodeAccess, facts: NodeFacts) -> list[Finding]:
    """Both findings for one node that is up."""
    return [_writable(access), channels_finding(facts)]


def _writable(access: NodeAccess) -> Finding:
    name = access.ref.name
    session = Session(name, access.monitor, read_only=True, read_s=_READ_S)
    try:
        rows = session.run(ORIGIN_SQL)
    except NodeError as error:
        return _unknown(name, f"read_only could not be read ({error.message})", {"node": name})
    finally:
        session.close()
    value, origin = (str(rows[0][key]).upper() for key in ("value", "origin")) if rows else ("", "")
    return writable_finding(name, value, origin)


def writable_finding(name: str, value: str, origin: str) -> Finding:
    """The finding from the current value and its origin."""
    facts = {"node": name, "read_only": value, "origin": origin}
    if origin not in ("COMPILE-TIME", "CONFIG"):
        return _unknown(name, "read_only was set at run time, which hides the configured value", facts)
    if value == "ON":
        return Finding("starts_closed", Severity.OK, f"{name} is read-only after a restart (read_only=ON).", "", facts)
    return Finding(
        "starts_writable",
        Severity.WARNING,
        f"{name} is writable as soon as it starts, even if its side was lost and failed over in the meantime.",
        f"Set read_only=ON in section [mariadb] of the configuration of {name}. {_OPENED}",
        facts,
    )


def _unknown(name: str, why: str, facts: dict[str, str]) -> Finding:
    return Finding(
        "start_unknown",
        Severity.UNKNOWN,
        f"It is unknown whether {name} is writable after a restart: {why}.",
        f"Make sure that read_only=ON is set in section [mariadb] of the configuration of {name}. {_OPENED}",
        facts,
    )


def channels_finding(facts: NodeFacts) -> Finding:
    """Whether the channels start with the server: they would apply before their position is checked."""
    name, value = facts.node.name, (facts.variable("skip_slave_start") or "").upper()
    remedy = f"Set skip_slave_start=ON in section [mariadb] of the configuration of {name}."
    if value == "ON":
        message = f"{name} does not start its channels automatically (skip_slave_start=ON)."
        return Finding("channels_stay_stopped", Severity.OK, message, "", {"node": name})
    if value == "OFF":
        message = f"{name} starts its channels automatically after a restart."
        return Finding("starts_channels", Severity.WARNING, message, remedy, {"node": name})
    message = (
        f"It is unknown whether {name} starts its channels automatically after a restart: a running MariaDB server "
        "does not show skip_slave_start."
    )
    return Finding("channel_start_unknown", Severity.INFO, message, remedy, {"node": name})
