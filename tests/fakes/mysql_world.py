"""The same two clusters as Percona XtraDB Cluster would run them, written from documentation: not a real server.

Statements and questions are read in MySQL's words and carried out as MariaDB's; a channel asks by its executed set.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from backend.core.link_facts import LinkFacts
from backend.core.ports import NodeError
from backend.core.positions import MariadbGtid
from backend.core.topology import AUTO_POSITION, AcceptedServer, ChannelFacts, ClusterFacts, NodeFacts
from tests.fakes.cluster import FakeNode
from tests.fakes.log import FakeLog
from tests.fakes.transactions import mysql_gtid, server_uuid
from tests.fakes.world import FakeWorld

ACCEPTED = AcceptedServer("pxc", "8.0", "We compared every statement in staging.", "ada", 1_800_000_000.0)
SETS = "SELECT @@GLOBAL.gtid_executed AS executed, @@GLOBAL.gtid_purged AS purged"
_THREADS = re.compile(r"(START|STOP) REPLICA( IO_THREAD| SQL_THREAD)? FOR CHANNEL '(\w*)'")
_RESET = re.compile(r"RESET REPLICA ALL FOR CHANNEL '(\w*)'")
_CHANGE = re.compile(r"CHANGE REPLICATION SOURCE TO\n(.+)\n FOR CHANNEL '(\w*)'", re.DOTALL)
_RELAY = re.compile(r"SHOW RELAYLOG EVENTS (.+) FOR CHANNEL '(\w*)'")
_SHOWN = {
    "CONNECTION_RETRY_INTERVAL": "Connect_Retry",
    "HEARTBEAT_INTERVAL": "Slave_heartbeat_period",
    "DESIRED_DELAY": "SQL_Delay",
    "SSL_ALLOWED": "Master_SSL_Allowed",
    "SSL_CA_FILE": "Master_SSL_CA_File",
    "SSL_CA_PATH": "Master_SSL_CA_Path",
    "SSL_CERTIFICATE": "Master_SSL_Cert",
    "SSL_CIPHER": "Master_SSL_Cipher",
    "SSL_KEY": "Master_SSL_Key",
    "SSL_VERIFY_SERVER_CERTIFICATE": "Master_SSL_Verify_Server_Cert",
    "SSL_CRL_FILE": "Master_SSL_Crl",
    "SSL_CRL_PATH": "Master_SSL_Crlpath",
}
_FURTHER = {
    "NETWORK_INTERFACE": "",
    "CONNECTION_RETRY_COUNT": "10",
    "TLS_VERSION": "",
    "PUBLIC_KEY_PATH": "",
    "GET_PUBLIC_KEY": "NO",
    "NETWORK_NAMESPACE": "",
    "COMPRESSION_ALGORITHM": "uncompressed",
    "ZSTD_COMPRESSION_LEVEL": "3",
    "TLS_CIPHERSUITES": "NULL",
    "SOURCE_CONNECTION_AUTO_FAILOVER": "0",
    "GTID_ONLY": "0",
    "PRIVILEGE_CHECKS_USER": "NULL",
    "REQUIRE_ROW_FORMAT": "NO",
    "REQUIRE_TABLE_PRIMARY_KEY_CHECK": "STREAM",
    "ASSIGN_GTIDS_TO_ANONYMOUS_TRANSACTIONS_TYPE": "OFF",
    "ASSIGN_GTIDS_TO_ANONYMOUS_TRANSACTIONS_VALUE": "",
}


@dataclass(slots=True)
class MysqlWorld(FakeWorld):
    """Channels use auto-position, and the nodes of a cluster log one GTID for one transaction."""

    def __post_init__(self) -> None:
        self.has_gtid_mode, self.has_gtid_channels = True, False  # each node has a server_id of its own
        FakeWorld.__post_init__(self)
        self.has_gtid_channels = True
        for node in self.nodes:
            node.ref = replace(node.ref, accepted=ACCEPTED)
            dress = replace(node.log.dress, is_mysql=True)
            number = int(node.log.end.file.rpartition(".")[2])
            node.log = FakeLog(number=number, server_id=node.server_id, dress=dress)
            node.version = "8.0.36-28.1"
            node.variables |= {"gtid_mode": "ON", "server_uuid": server_uuid(node.server_id)}

    # -- what is asked

    def answer(self, node: FakeNode, sql: str) -> list[dict[str, object]] | None:
        """The sets of GTIDs."""
        if sql != SETS:
            return None
        return [{"executed": _text(node.log.executed()), "purged": _text(node.log.purged())}]

    def translated(self, sql: str) -> str:
        """In MariaDB's words; NodeError as the server refuses a list of ignored servers."""
        if match := _THREADS.fullmatch(sql):
            return f"{match[1]} SLAVE '{match[3]}'{match[2] or ''}"
        if match := _RESET.fullmatch(sql):
            return f"RESET SLAVE '{match[1]}' ALL"
        if match := _RELAY.fullmatch(sql):
            return f"SHOW RELAYLOG '{match[2]}' EVENTS {match[1]}"
        match = _CHANGE.fullmatch(sql)
        return _change_master(match[2], match[1]) if match else sql

    # -- what is shown

    def facts(self, active_id: str | None = None) -> LinkFacts:
        """The link in the words of this family."""
        found = FakeWorld.facts(self, active_id)
        return replace(found, active=self._side(found.active), standby=self._side(found.standby))

    def node_facts(self, node: FakeNode) -> NodeFacts:
        """One node now."""
        return self._shown(FakeWorld.node_facts(self, node))

    def _side(self, cluster: ClusterFacts) -> ClusterFacts:
        return replace(cluster, nodes=tuple(self._shown(node) for node in cluster.nodes))

    def _shown(self, facts: NodeFacts) -> NodeFacts:
        if not facts.is_up:
            return facts
        log = self.node(facts.node.id).log
        sets = {"gtid_executed": _text(log.executed()), "gtid_purged": _text(log.purged())}
        channels = None if facts.channels is None else tuple(map(_channel, facts.channels))
        return replace(facts, flavor="pxc", variables={**facts.variables, **sets}, channels=channels)


def _text(gtids: set[MariadbGtid]) -> str:
    return ",\n".join(sorted(map(mysql_gtid, gtids)))


def _channel(channel: ChannelFacts) -> ChannelFacts:
    """Filters keep their names; settings have those of performance_schema, and switches are upper case."""
    shown = {name: channel.options[of] for name, of in _SHOWN.items()}
    shown |= {name: value.upper() for name, value in shown.items() if value in ("Yes", "No")}
    filters = {
        name: value for name, value in channel.options.items() if name.startswith("Replicate_") and "Domain" not in name
    }
    mode = AUTO_POSITION if channel.using_gtid == "Slave_Pos" else channel.using_gtid
    return replace(channel, using_gtid=mode, options=filters | shown | _FURTHER)


def _change_master(name: str, parts: str) -> str:
    if "IGNORE_SERVER_IDS=()" not in parts:
        raise NodeError(
            name, "error 3139: CHANGE REPLICATION SOURCE … IGNORE_SERVER_IDS with GTID_MODE = ON", code=3139
        )
    assert "SOURCE_AUTO_POSITION=1" in parts
    assert "SOURCE_LOG_FILE" not in parts, "1776"
    renamed = re.sub(r"\bSOURCE_", "MASTER_", parts).replace("MASTER_AUTO_POSITION=1", "MASTER_USE_GTID=slave_pos")
    return f"CHANGE MASTER '{name}' TO\n{renamed}, DO_DOMAIN_IDS=(), IGNORE_DOMAIN_IDS=()"
