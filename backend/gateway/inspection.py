"""Looking a cluster over before it is relied on: connection, TLS, grants, settings.

Every finding that is not `ok` names the statement that fixes it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from backend.core.facts.engines import OutsideTable, outside_finding, read_outside_tables
from backend.core.facts.log_settings import log_setting_findings
from backend.core.findings import Finding, Severity
from backend.core.ports import NodeError
from backend.core.topology import NodeFacts
from backend.gateway import grants
from backend.gateway.after_restart import findings_after_restart
from backend.gateway.connection.endpoint import ClusterAccess, NodeAccess, NodeEndpoint, TlsMode
from backend.gateway.connection.errors import ConnectError
from backend.gateway.connection.session import Session
from backend.gateway.polling.parallel import observe_all
from backend.gateway.reader import Reader

_READ_S = 3.0
_DAY_S = 86_400
_MUST = {"log_bin": "ON", "log_slave_updates": "ON", "binlog_format": "ROW", "wsrep_on": "ON", "repl.commit_order": "3"}
_SHOULD = {
    "sync_binlog": "1",
    "innodb_flush_log_at_trx_commit": "1",
    "relay_log_purge": "ON",
}
_AT_START = frozenset({"log_bin", "log_slave_updates", "repl.commit_order"})


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
    found += _account(access, "monitor", access.monitor)
    found += _account(access, "operator", access.operator)
    if replication is not None:
        user, password = replication
        endpoint = replace(access.monitor, user=user, password=password)
        found += _account(access, "replication", endpoint)
    return [*found, *_settings(facts), *findings_after_restart(access, facts)]


def _connection(access: NodeAccess, facts: NodeFacts) -> Iterator[Finding]:
    name = access.ref.name
    about = {"node": name, "reach": facts.reach.value}
    if not facts.is_up:
        remedy = f"Check that {access.ref.host}:{access.ref.port} is right and that the console may connect."
        yield Finding("connection", Severity.BLOCKER, f"{name}: {facts.error}.", remedy, about)
        return
    yield Finding("connection", Severity.OK, f"{name} answers ({facts.flavor} {facts.version}).", "", about)
    mode = access.monitor.tls.mode
    if mode is TlsMode.DISABLED:
        message = f"The console speaks to {name} in clear text."
        yield Finding("tls", Severity.WARNING, message, "Use TLS mode verify_identity with the CA.", about)
    elif mode is TlsMode.REQUIRED:
        message = f"The connection to {name} is encrypted, but who answers is not verified."
        yield Finding("tls", Severity.WARNING, message, "Use TLS mode verify_identity with the CA.", about)
    else:
        yield Finding("tls", Severity.OK, f"{name} showed a certificate that the CA vouches for.", "", about)


def _account(access: NodeAccess, role: str, endpoint: NodeEndpoint) -> list[Finding]:
    """Log in as that account and compare its grants with what it needs."""
    name = access.ref.name
    session = Session(name, endpoint, read_only=True, read_s=_READ_S)
    try:
        rows = session.run("SHOW GRANTS")
        account = str(session.run("SELECT CURRENT_USER() AS me")[0]["me"])
    except ConnectError as error:
        message = f"The {role} account {endpoint.user} cannot log in on {name}: {error.message}."
        return [Finding("login", Severity.BLOCKER, message, _new_account(endpoint.user), {"node": name, "role": role})]
    except NodeError as error:
        message = f"The grants of {endpoint.user} on {name} could not be read: {error.message}."
        return [Finding("grants_unknown", Severity.UNKNOWN, message, "", {"node": name, "role": role})]
    finally:
        session.close()
    held = grants.parse(str(value) for row in rows for value in row.values())
    return grants.check(name, role, account, held)


def _new_account(user: str) -> str:
    account = grants.quoted_account(user, "%")
    if account:
        return f"CREATE USER {account} IDENTIFIED BY '…'; with the grants of its role."
    return "No statement is offered: this account name cannot be quoted safely. Register the cluster with another one."


def _settings(facts: NodeFacts) -> list[Finding]:
    name = facts.node.name
    found = [
        _setting(facts, variable, value, Severity.BLOCKER)
        for variable, value in _MUST.items()
        if facts.variable(variable) != value
    ]
    found += [
        _setting(facts, variable, value, Severity.WARNING)
        for variable, value in _SHOULD.items()
        if facts.variable(variable) != value
    ]
    found += [*_retention(facts), *_restart_slave(facts)]
    if found:
        return found
    return [Finding("settings", Severity.OK, f"The settings of {name} fit.", "", {"node": name})]


def _setting(facts: NodeFacts, variable: str, wanted: str, severity: Severity) -> Finding:
    seen = facts.variable(variable)
    name = facts.node.name
    about = {"node": name, "variable": variable, "value": seen, "wanted": wanted}
    if seen is None:
        message = f"{variable} of {name} could not be read."
        return Finding("setting_unknown", Severity.UNKNOWN, message, "", about)
    if variable in _AT_START:
        remedy = f"Set {variable}={wanted} in the configuration of {name} and restart it."
    else:
        remedy = f"SET GLOBAL {variable} = {wanted}; and the same in the configuration file."
    return Finding(f"setting_{variable}", severity, f"{name} has {variable}={seen}.", remedy, about)


def _retention(facts: NodeFacts) -> list[Finding]:
    """Binlogs that vanish within a day may be gone when they are searched; 0 keeps them for ever."""
    text = facts.variable("binlog_expire_logs_seconds")
    if text is None or not text.isdigit() or int(text) == 0 or int(text) >= _DAY_S:
        return []
    message = f"{facts.node.name} keeps its binlogs for {int(text) // 3600} h only."
    remedy = f"SET GLOBAL binlog_expire_logs_seconds = {7 * _DAY_S}; and the same in the configuration file."
    about = {"node": facts.node.name, "seconds": int(text)}
    return [Finding("retention", Severity.WARNING, message, remedy, about)]


def _restart_slave(facts: NodeFacts) -> list[Finding]:
    """Back in its cluster such a node starts its channel unproven, where its own record may lie behind its data.

    Measured (docs/evidence/measured-facts.md): two of six expulsions left the place one transaction early.
    """
    if (facts.variable("wsrep_restart_slave") or "OFF").upper() not in ("ON", "1"):
        return []
    name = facts.node.name
    message = (
        f"{name} has wsrep_restart_slave=ON: back from an expulsion it starts its channel by itself, and may apply its "
        "last transaction again (error 1062, or doubled rows where a table has no unique key)."
    )
    remedy = (
        "SET GLOBAL wsrep_restart_slave = OFF; and the same in the configuration file. The console proves the place, "
        "then starts the channel (plan kind start_channel)."
    )
    return [Finding("setting_wsrep_restart_slave", Severity.WARNING, message, remedy, {"node": name})]


def _tables(shape: ClusterAccess, seen: Mapping[str, NodeFacts]) -> Iterator[Finding]:
    """Tables whose rows Galera does not replicate, and on which nodes they stand."""
    reported: dict[str, tuple[OutsideTable, ...]] = {}
    for access in shape.nodes:
        if not seen[access.ref.id].is_up:
            continue
        reader = Reader(access.ref, access.monitor)
        try:
            reported[access.ref.name] = read_outside_tables(reader)
        except NodeError as error:
            message = f"Whether {access.ref.name} has tables outside InnoDB could not be read: {error.message}."
            yield Finding("tables_unknown", Severity.UNKNOWN, message, "", {"node": access.ref.name})
        finally:
            reader.close()
    found = outside_finding(shape.name, reported, [n.variable("wsrep_mode") or "" for n in seen.values() if n.is_up])
    if found is not None:
        yield found


def _together(shape: ClusterAccess, nodes: Sequence[NodeFacts]) -> Iterator[Finding]:
    """What only the nodes together show."""
    yield from log_setting_findings([node for node in nodes if node.is_up])
    uuids = {n.wsrep.state_uuid for n in nodes if n.wsrep is not None}
    if len(uuids) > 1:
        message = f"The nodes given for {shape.name} belong to {len(uuids)} different clusters."
        yield Finding("same_cluster", Severity.BLOCKER, message, "", {"state_uuids": sorted(uuids)})
    sizes = {n.wsrep.cluster_size for n in nodes if n.wsrep is not None}
    if sizes and max(sizes) > len(nodes):
        message = f"{shape.name} has {max(sizes)} members, of which only {len(nodes)} are registered."
        yield Finding(
            "nodes_are_members", Severity.WARNING, message, "Register the others too.", {"sizes": sorted(sizes)}
        )
