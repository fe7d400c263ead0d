"""Inspects a cluster before it is relied on: connection, TLS, grants, settings.

Every finding that is not `ok` names the statement that fixes it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from backend.core.discovery.settings import DAY_S
from backend.core.facts.engines import OutsideTable, outside_finding, read_outside_tables
from backend.core.facts.judged_settings import (
    how_to_set,
    refusing_settings,
    settings_of,
    told_settings,
    unequal_settings,
)
from backend.core.facts.variables import PLANNED, how_to_read
from backend.core.findings import Finding, Severity
from backend.core.plural import pluralize
from backend.core.ports import NodeError
from backend.core.server_settings.table import NEEDED, NeededSetting
from backend.core.topology import NodeFacts
from backend.gateway import grants
from backend.gateway.accounts_view import accounts_view_finding
from backend.gateway.after_restart import findings_after_restart
from backend.gateway.connection.endpoint import ClusterAccess, NodeAccess, NodeEndpoint, TlsMode
from backend.gateway.connection.errors import ConnectError
from backend.gateway.connection.session import Session
from backend.gateway.polling.parallel import observe_all
from backend.gateway.reader import Reader

_READ_S = 3.0
_OWN_FINDING = "wsrep_restart_slave"
_TOLD_HERE = tuple(one for one in NEEDED if one.needed.told_by and one.variable != _OWN_FINDING)
"""Needed values that a link's page does not tell."""


def inspect_cluster(shape: ClusterAccess, replication: tuple[str, str] | None = None) -> list[Finding]:
    """Findings of all nodes in their order; `replication` is that account's user and password."""
    seen = observe_all(shape.nodes)
    found: list[Finding] = []
    for access in shape.nodes:
        found += inspect_node(access, seen[access.ref.id], replication)
    return [*found, *_together(shape, list(seen.values())), *_tables(shape, seen)]


def inspect_node(access: NodeAccess, facts: NodeFacts, replication: tuple[str, str] | None = None) -> list[Finding]:
    """Findings of one node from its facts and from logging in under each account."""
    found = list(_connection(access, facts))
    if not facts.is_up:
        return found
    found += _accounts(access, facts, replication)
    return [*found, *_settings(facts), *findings_after_restart(access, facts)]


def _accounts(access: NodeAccess, facts: NodeFacts, replication: tuple[str, str] | None) -> Iterator[Finding]:
    endpoints = {"monitor": access.monitor, "operator": access.operator}
    if replication is not None:
        user, password = replication
        endpoints["replication"] = replace(access.monitor, user=user, password=password)
    seen = {role: _read_grants(access, role, endpoint) for role, endpoint in endpoints.items()}
    runs_events = (facts.variable("event_scheduler") or "").upper() == "ON"
    for role, read in seen.items():
        if isinstance(read, Finding):
            yield read
        else:
            yield from grants.check(
                access.ref.name, role, read.name, read.held, runs_events=runs_events, flavor=facts.flavor
            )
    monitor, operator = seen["monitor"], seen["operator"]
    if isinstance(monitor, _Grants) and isinstance(operator, _Grants) and not operator.held.lacks(("READ_ONLY ADMIN",)):
        listed = accounts_view_finding(access, monitor.held, operator.name)
        yield from [listed] if listed else ()


def _connection(access: NodeAccess, facts: NodeFacts) -> Iterator[Finding]:
    name = access.ref.name
    about = {"node": name, "reach": facts.reach.value}
    if not facts.is_up:
        remedy = f"Check that {access.ref.host}:{access.ref.port} is correct and that the console may connect to it."
        yield Finding("connection", Severity.BLOCKER, f"{name}: {facts.error}.", remedy, about)
        return
    yield Finding("connection", Severity.OK, f"{name} is reachable ({facts.flavor} {facts.version}).", "", about)
    mode = access.monitor.tls.mode
    if mode is TlsMode.DISABLED:
        message = f"The connection to {name} is not encrypted."
        yield Finding("tls", Severity.WARNING, message, "Use TLS mode verify_identity with the CA.", about)
    elif mode is TlsMode.REQUIRED:
        message = f"The connection to {name} is encrypted, but the server's identity is not verified."
        yield Finding("tls", Severity.WARNING, message, "Use TLS mode verify_identity with the CA.", about)
    else:
        yield Finding("tls", Severity.OK, f"The certificate of {name} was verified with the CA.", "", about)


@dataclass(frozen=True, slots=True)
class _Grants:
    """An account as the server names it, and its privileges."""

    name: str
    held: grants.HeldPrivileges


def _read_grants(access: NodeAccess, role: str, endpoint: NodeEndpoint) -> _Grants | Finding:
    """Log in with the account and read its grants; the finding where that is not possible."""
    name = access.ref.name
    session = Session(name, endpoint, read_only=True, read_s=_READ_S)
    try:
        rows = session.run("SHOW GRANTS")
        account = str(session.run("SELECT CURRENT_USER() AS me")[0]["me"])
    except ConnectError as error:
        message = f"The {role} account {endpoint.user} cannot log in on {name}: {error.message}."
        return Finding("login", Severity.BLOCKER, message, _new_account(endpoint.user), {"node": name, "role": role})
    except NodeError as error:
        message = f"The grants of {endpoint.user} on {name} could not be read: {error.message}."
        remedy = "No privilege is needed for SHOW GRANTS. Check again."
        return Finding("grants_unknown", Severity.UNKNOWN, message, remedy, {"node": name, "role": role})
    finally:
        session.close()
    return _Grants(account, grants.parse(str(value) for row in rows for value in row.values()))


def _new_account(user: str) -> str:
    account = grants.quoted_account(user, "%")
    if account:
        created = f"CREATE USER {account} IDENTIFIED BY '…';"
        return f"Check the password, or create the account with the grants of its role: {created}"
    return "Register the cluster with another account: the name of this one cannot be quoted safely in a statement."


def _settings(facts: NodeFacts) -> list[Finding]:
    name = facts.node.name
    found = refusing_settings(facts)
    found += [_setting(facts, one) for one in _TOLD_HERE if one.row in settings_of(facts) and not _is_met(facts, one)]
    found += [*_unread(facts), *_retention(facts), *_restart_slave(facts)]
    if found:
        return found
    return [Finding("settings", Severity.OK, f"The settings of {name} are as required.", "", {"node": name})]


def _is_met(facts: NodeFacts, one: NeededSetting) -> bool:
    value = facts.variable(one.variable)
    return value is not None and one.needed.is_met(value)


def _setting(facts: NodeFacts, one: NeededSetting) -> Finding:
    name, variable, wanted, seen = facts.node.name, one.variable, one.needed.value, facts.variable(one.variable)
    about = {"node": name, "variable": variable, "value": seen, "wanted": wanted}
    if seen is None:
        message = f"{variable} of {name} could not be read."
        return Finding("setting_unknown", Severity.UNKNOWN, message, how_to_read(name, (variable,)), about)
    remedy = f"{how_to_set(one.row, one.needed, [name])}."
    word = "required" if one.is_required else "recommended"
    message = f"{name} has {variable}={seen}; {word}: {wanted}."
    return Finding(f"setting_{variable}", one.needed.severity, message, f"{remedy[0].upper()}{remedy[1:]}", about)


def _unread(facts: NodeFacts) -> Iterator[Finding]:
    """Variables that a plan needs and the server does not report: the plan would be refused."""
    name = facts.node.name
    unread = [variable for variable in PLANNED if facts.variable(variable) is None]
    if unread:
        message = f"{', '.join(unread)} of {name} could not be read. Plans that need {name} are refused."
        about = {"node": name, "variables": unread}
        yield Finding("setting_unknown", Severity.UNKNOWN, message, how_to_read(name, unread), about)


def _retention(facts: NodeFacts) -> list[Finding]:
    """Binlogs purged within a day may be missing when they are searched; 0 retains them for ever."""
    text = facts.variable("binlog_expire_logs_seconds")
    if text is None or not text.isdigit() or int(text) == 0 or int(text) >= DAY_S:
        return []
    name = facts.node.name
    message = f"{name} retains its binary logs for only {int(text) // 3600} h; at least 24 h are needed."
    statement = f"SET GLOBAL binlog_expire_logs_seconds = {7 * DAY_S};"
    remedy = f"Run {statement} on {name} and set it in the configuration file, too."
    about = {"node": facts.node.name, "seconds": int(text)}
    return [Finding("retention", Severity.WARNING, message, remedy, about)]


def _restart_slave(facts: NodeFacts) -> list[Finding]:
    """After an expulsion such a node starts its channel unproven, where its stored position may be behind its data.

    Measured (docs/evidence/measured-facts.md): after two of six expulsions the position was one transaction early.
    """
    if (facts.variable("wsrep_restart_slave") or "OFF").upper() not in ("ON", "1"):
        return []
    name = facts.node.name
    message = (
        f"{name} has wsrep_restart_slave=ON. After an expulsion it starts its channel automatically and may apply its "
        "last transaction again (error 1062, or duplicate rows in a table without a unique key)."
    )
    remedy = (
        f"Run SET GLOBAL wsrep_restart_slave = OFF; on {name} and set it in the configuration file, too. "
        "After an expulsion, start the channel with Hawser, which proves the position first (plan kind start_channel)."
    )
    return [Finding("setting_wsrep_restart_slave", Severity.WARNING, message, remedy, {"node": name})]


def _tables(shape: ClusterAccess, seen: Mapping[str, NodeFacts]) -> Iterator[Finding]:
    """Tables whose rows Galera does not replicate, and the nodes that have them."""
    reported: dict[str, tuple[OutsideTable, ...]] = {}
    for access in shape.nodes:
        if not seen[access.ref.id].is_up:
            continue
        reader = Reader(access.ref, access.monitor)
        try:
            reported[access.ref.name] = read_outside_tables(reader)
        except NodeError as error:
            message = f"It is unknown whether {access.ref.name} has tables outside InnoDB: {error.message}."
            remedy = "Grant REFERENCES to the monitor account if it lacks it, then check again."
            yield Finding("tables_unknown", Severity.UNKNOWN, message, remedy, {"node": access.ref.name})
        finally:
            reader.close()
    found = outside_finding(shape.name, reported, [n.variable("wsrep_mode") or "" for n in seen.values() if n.is_up])
    if found is not None:
        yield found


def _together(shape: ClusterAccess, nodes: Sequence[NodeFacts]) -> Iterator[Finding]:
    """Findings that only all nodes together show."""
    alive = [node for node in nodes if node.is_up]
    yield from told_settings(alive)
    yield from unequal_settings([alive])
    uuids = {n.wsrep.state_uuid for n in nodes if n.wsrep is not None}
    if len(uuids) > 1:
        message = f"The nodes registered for {shape.name} belong to {len(uuids)} different clusters."
        yield Finding("same_cluster", Severity.BLOCKER, message, "", {"state_uuids": sorted(uuids)})
    sizes = {n.wsrep.cluster_size for n in nodes if n.wsrep is not None}
    if sizes and max(sizes) > len(nodes):
        message = f"{shape.name} has {pluralize(max(sizes), 'member')}; registered: {len(nodes)}."
        yield Finding(
            "nodes_are_members", Severity.WARNING, message, "Register the other nodes, too.", {"sizes": sorted(sizes)}
        )
