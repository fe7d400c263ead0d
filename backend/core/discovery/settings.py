"""Settings that differ from what Hawser needs: value, needed value, why, the statement, and what hinders it now.

A value that a server did not report is unknown, and never counts as right.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar

from backend.core.dialects import detect_flavor
from backend.core.discovery.servers import DiscoveredServer
from backend.core.facts.judged_settings import needed_on
from backend.core.facts.variables import how_to_read
from backend.core.findings import Severity
from backend.core.server_settings.table import NeededSetting

DAY_S = 86_400
_NEXT_SESSIONS = "Sessions that are open keep the old value until they connect again."
_HOLDS_CHANNEL = (
    "Channels name the server_ids that they ignore. Change it in the configuration, restart the node, and set "
    "IGNORE_SERVER_IDS of the cluster's own channel again before it starts."
)


@dataclass(frozen=True, slots=True)
class SettingChange:
    """A setting that differs from what is needed, or is unknown (`current` null)."""

    component: ClassVar[str] = "DraftSetting"
    node: str
    variable: str
    current: str | None
    needed: str
    severity: Severity
    why: str
    statement: Annotated[str, "blank: only a restart sets it"] = ""
    config: Annotated[str, "line of the configuration file"] = ""
    obstacle: Annotated[str, "why it cannot take effect now, or not at once"] = ""


def setting_changes(servers: Sequence[DiscoveredServer]) -> tuple[SettingChange, ...]:
    """Of every server of a cluster, in order."""
    return tuple(change for server in servers for change in _of_server(server))


def _of_server(server: DiscoveredServer) -> Iterator[SettingChange]:
    if not server.is_up:
        why = f"It was not read: {server.error or 'not connected'}."
        yield SettingChange(
            *(server.shown, "all settings", None, "as on the other nodes", Severity.UNKNOWN, why),
            obstacle="Connect to the node first.",
        )
        return
    flavor = detect_flavor(server.version or "", has_wsrep="wsrep_on" in server.variables) if server.version else None
    for needed in needed_on(flavor, server.version):
        change = _needed(server, needed)
        if change is not None:
            yield change
    yield from _retention(server)


def _needed(server: DiscoveredServer, needed: NeededSetting) -> SettingChange | None:
    value = server.variables.get(needed.variable)
    if value is not None and needed.needed.is_met(value):
        return None
    severity = Severity.BLOCKER if needed.is_required else Severity.WARNING
    shown = (server.shown, needed.variable, value, needed.needed.value)
    if value is None:
        return SettingChange(
            *(*shown, Severity.UNKNOWN, f"{needed.needed.why}."), obstacle=how_to_read(server.shown, (needed.variable,))
        )
    texts = (f"{needed.needed.why}.", needed.statement, needed.line, needed.needed.obstacle)
    return SettingChange(*(*shown, severity, *texts))


def _retention(server: DiscoveredServer) -> Iterator[SettingChange]:
    variable, needed = "binlog_expire_logs_seconds", 7 * DAY_S
    value = server.variables.get(variable)
    why = "A binary log that is purged within a day may be missing when it is searched for a position."
    if value is None:
        days = server.variables.get("expire_logs_days")
        if days is not None and days.isdigit() and (int(days) == 0 or int(days) >= 1):
            return
        yield SettingChange(
            *(server.shown, variable, None, str(needed), Severity.UNKNOWN, why),
            obstacle=how_to_read(server.shown, (variable,)),
        )
    elif not value.isdigit() or 0 < int(value) < DAY_S:
        yield SettingChange(
            *(server.shown, variable, value, f"at least {DAY_S}", Severity.WARNING, why),
            statement=f"SET GLOBAL {variable} = {needed};",
            config=f"{variable} = {needed}",
        )


def pair_changes(first: Sequence[DiscoveredServer], second: Sequence[DiscoveredServer]) -> tuple[SettingChange, ...]:
    """What only both clusters together show: server_ids, auto_increment, GTID domains."""
    return (*_server_ids(first, second), *_auto_increment(first, second), *_domains(first, second))


def _server_ids(first: Sequence[DiscoveredServer], second: Sequence[DiscoveredServer]) -> Iterator[SettingChange]:
    used = {one.server_id for one in (*first, *second) if one.server_id is not None}
    taken = {one.server_id for one in first if one.server_id is not None}
    why = "Both clusters use it. IGNORE_SERVER_IDS would drop the transactions of the other side."
    for server in second:
        if server.server_id in taken:
            free = next(number for number in range(max(used) + 1, max(used) + len(used) + 2) if number not in used)
            used.add(free)
            yield SettingChange(
                *(server.shown, "server_id", str(server.server_id), str(free), Severity.BLOCKER, why),
                config=f"server_id = {free}",
                obstacle=_HOLDS_CHANNEL,
            )
    for server in (*first, *second):
        if server.is_up and server.server_id is None:
            unknown = "A replication loop cannot be ruled out while it is unknown."
            yield SettingChange(
                *(server.shown, "server_id", None, "one that no other cluster uses", Severity.UNKNOWN, unknown),
                obstacle=how_to_read(server.shown, ("server_id",)),
            )


def _auto_increment(first: Sequence[DiscoveredServer], second: Sequence[DiscoveredServer]) -> Iterator[SettingChange]:
    """Numbers of the two sides must never meet; all nodes together get one step and an offset each."""
    if not first or not second:
        return
    ways = [{_numbers(one) for one in side if one.is_up} for side in (first, second)]
    unknown = any(None in side for side in ways)
    if not unknown and not _meet(ways[0], ways[1]):
        return
    severity = Severity.UNKNOWN if unknown else Severity.WARNING
    why = "Inserts at both sites take the same numbers, and collide."
    servers = [*first, *second]
    for offset, server in enumerate(servers, 1):
        current = _shown(server)
        statement = (
            "SET GLOBAL wsrep_auto_increment_control = OFF; "
            f"SET GLOBAL auto_increment_increment = {len(servers)}; SET GLOBAL auto_increment_offset = {offset};"
        )
        needed = f"{len(servers)}, offset {offset}"
        yield SettingChange(
            *(server.shown, "auto_increment_increment", current, needed, severity, why),
            statement=statement,
            config=statement.replace("SET GLOBAL ", "").replace("; ", "\n").rstrip(";"),
            obstacle=_NEXT_SESSIONS,
        )


def _numbers(server: DiscoveredServer) -> tuple[int, int] | None:
    step, offset = (server.variables.get(f"auto_increment_{part}", "") for part in ("increment", "offset"))
    return (int(step), int(offset) % int(step)) if step.isdigit() and offset.isdigit() and int(step) else None


def _meet(one: set[tuple[int, int] | None], other: set[tuple[int, int] | None]) -> bool:
    """Whether any two sequences share a number: with different steps they may, and count as meeting."""
    steps = {pair[0] for pair in one | other if pair}
    return len(steps) > 1 or bool(one & other)


def _shown(server: DiscoveredServer) -> str | None:
    step, offset = (server.variables.get(f"auto_increment_{part}") for part in ("increment", "offset"))
    return None if step is None or offset is None else f"{step}, offset {offset}"


def _domains(first: Sequence[DiscoveredServer], second: Sequence[DiscoveredServer]) -> Iterator[SettingChange]:
    """Where channels use GTIDs, both clusters number cluster-wide, with domains of their own."""
    by_gtid = any(one.using_gtid.lower() != "no" for server in (*first, *second) for one in server.channels or ())
    if not by_gtid:
        return
    for server in (*first, *second):
        mode = server.variables.get("wsrep_gtid_mode")
        if server.is_up and (mode is None or mode.upper() not in ("ON", "1")):
            yield SettingChange(
                *(server.shown, "wsrep_gtid_mode", mode, "ON", Severity.UNKNOWN if mode is None else Severity.BLOCKER),
                "A channel uses GTIDs, and each node numbers for itself: one GTID names different transactions.",
                statement="" if mode is None else "SET GLOBAL wsrep_gtid_mode = ON;",
                config="wsrep_gtid_mode = ON",
                obstacle="Set it on every node of both clusters, or use channels by position (MASTER_USE_GTID=no).",
            )
    domains = [{one.variables.get("wsrep_gtid_domain_id") for one in side if one.is_up} for side in (first, second)]
    if domains[0] & domains[1]:
        for server in second:
            yield SettingChange(
                *(server.shown, "wsrep_gtid_domain_id", server.variables.get("wsrep_gtid_domain_id")),
                *("another one than the first cluster", Severity.BLOCKER, "Both clusters number in one GTID domain."),
                obstacle="Choose one domain for all nodes of a cluster, and another one for the other cluster.",
            )
