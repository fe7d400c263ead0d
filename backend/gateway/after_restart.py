"""What a node does after a restart: does it begin writable, and do its channels start with it?

A running server tells where a setting of its own came from (`GLOBAL_VALUE_ORIGIN`): COMPILE-TIME and CONFIG come back
with a restart, SQL hides what the files say. MariaDB 10.11 has no variable `skip_slave_start` (seen, 10.11.19).
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
    "A node of the side that takes writes is opened again after its restart by SET GLOBAL read_only=OFF, once it is "
    "Synced and its side still is the active one."
)


def findings_after_restart(access: NodeAccess, facts: NodeFacts) -> list[Finding]:
    """Both answers for one node that is up."""
    return [_writable(access), channels_finding(facts)]


def _writable(access: NodeAccess) -> Finding:
    name = access.ref.name
    session = Session(name, access.monitor, read_only=True, read_s=_READ_S)
    try:
        rows = session.run(ORIGIN_SQL)
    except NodeError as error:
        return _unknown(name, f"it could not be read ({error.message})", {"node": name})
    finally:
        session.close()
    value, origin = (str(rows[0][key]).upper() for key in ("value", "origin")) if rows else ("", "")
    return writable_finding(name, value, origin)


def writable_finding(name: str, value: str, origin: str) -> Finding:
    """From the value that holds now and where it came from."""
    facts = {"node": name, "read_only": value, "origin": origin}
    if origin not in ("COMPILE-TIME", "CONFIG"):
        return _unknown(name, "read_only was set at run time, which hides what its configuration says", facts)
    if value == "ON":
        return Finding(
            "starts_closed", Severity.OK, f"{name} takes no writes after a restart (read_only=ON).", "", facts
        )
    return Finding(
        "starts_writable",
        Severity.WARNING,
        f"{name} takes writes as soon as it is started, also where its side was lost and failed over meanwhile.",
        f"Put read_only=ON below [mariadb] in the configuration of {name}. {_OPENED}",
        facts,
    )


def _unknown(name: str, why: str, facts: dict[str, str]) -> Finding:
    return Finding(
        "start_unknown",
        Severity.UNKNOWN,
        f"Whether {name} takes writes after a restart is not known: {why}.",
        f"See that read_only=ON stands below [mariadb] in the configuration of {name}. {_OPENED}",
        facts,
    )


def channels_finding(facts: NodeFacts) -> Finding:
    """A replica that starts by itself applies before anybody has looked where it stands."""
    name, value = facts.node.name, (facts.variable("skip_slave_start") or "").upper()
    remedy = f"Put skip_slave_start=ON below [mariadb] in the configuration of {name}."
    if value == "ON":
        message = f"{name} does not start its channels by itself (skip_slave_start=ON)."
        return Finding("channels_stay_stopped", Severity.OK, message, "", {"node": name})
    if value == "OFF":
        message = f"{name} starts its channels by itself after a restart."
        return Finding("starts_channels", Severity.WARNING, message, remedy, {"node": name})
    message = f"Whether {name} starts its channels by itself after a restart is told by no running MariaDB."
    return Finding("channel_start_unknown", Severity.INFO, message, f"See to it: {remedy}", {"node": name})
