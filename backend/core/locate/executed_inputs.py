"""Reads the sets of GTIDs of both sides of a channel with SOURCE_AUTO_POSITION=1, in an order that makes them compare.

The receiving side first, then the source once it has all that its cluster committed: what came in between makes the
source's sets larger, never the applied ones. What the receiving side itself writes is read again behind it: with
writes on both sides the source may have it within a millisecond (found by writing between the two).
"""

from __future__ import annotations

from collections.abc import Iterator

from backend.core.dialects import dialect_to_watch
from backend.core.dialects.base import DialectError
from backend.core.dialects.galera import CAUSAL_READ
from backend.core.gtid_sets import MysqlGtidSet
from backend.core.link_facts import LinkFacts
from backend.core.locate.executed_sets import AutoPosition, ExecutedSets
from backend.core.ports import Gateway
from backend.core.positions import PositionError
from backend.core.topology import ClusterFacts, Direction, NodeFacts

_INVERTED = str.maketrans("0123456789abcdef", "fedcba9876543210")


def read_auto_position(
    link: LinkFacts, direction: Direction, source_id: str, replica_id: str, gateway: Gateway, *, is_moving: bool
) -> AutoPosition:
    """The sets as they are now; raises NodeError where a node does not respond.

    While the channel moves its neighbours may be one transaction apart, so only the replica's set is read then.
    """
    source, replica = link.node(source_id), link.node(replica_id)
    receiving, sending = link.receiving_cluster(direction), link.source_cluster(direction)
    nodes = [replica] if is_moving else [replica, *_neighbours(receiving, replica)]
    applied = {node.node.name: _read(gateway, node)[0] for node in nodes}
    executed, purged = _read(gateway, source)
    own = origins(receiving)
    first, last = applied[replica.node.name], _read(gateway, replica)[0]
    if first is not None:
        written = None if last is None else first.without_sources(own).plus(last.of_sources(own))
        applied[replica.node.name] = written
    known = {name: found for name, found in applied.items() if found is not None}
    sets = ExecutedSets(
        replica=replica.node.name,
        source=source.node.name,
        receiving=receiving.name,
        applied=known if len(known) == len(applied) else None,
        executed=executed,
        purged=purged,
        own=own,
        theirs=origins(sending),
        local=frozenset(_server_uuids(sending)) if source.wsrep is not None else frozenset(),
    )
    return AutoPosition(sets, is_moving)


def origins(cluster: ClusterFacts) -> frozenset[str]:
    """Every UUID under which this side may write: its servers' own, and with Galera that of the cluster.

    The wsrep patch writes a cluster's transactions under its state UUID with every bit inverted, by its source; not
    tried on a real server, so the UUID itself counts, too.
    """
    states = {node.wsrep.state_uuid for node in cluster.nodes if node.wsrep} | {cluster.recorded_state_uuid}
    of_cluster = {uuid.lower() for uuid in states if uuid}
    return frozenset({*_server_uuids(cluster), *of_cluster, *(uuid.translate(_INVERTED) for uuid in of_cluster)})


def _server_uuids(cluster: ClusterFacts) -> Iterator[str]:
    return (uuid.lower() for node in cluster.nodes if (uuid := node.variable("server_uuid")))


def _neighbours(cluster: ClusterFacts, replica: NodeFacts) -> list[NodeFacts]:
    """The other working nodes; one that is joining or has left has nothing to compare."""
    peers = (node for node in cluster.nodes if node.node.id != replica.node.id)
    return [node for node in peers if node.is_up and node.wsrep is not None and node.wsrep.ready]


def _read(gateway: Gateway, node: NodeFacts) -> tuple[MysqlGtidSet | None, MysqlGtidSet | None]:
    """gtid_executed and gtid_purged, once the node has applied all that its cluster committed."""
    reader = gateway.reader(node.node.id)
    if node.wsrep is not None:
        reader.query(CAUSAL_READ)
    try:
        row = reader.query(dialect_to_watch(node.flavor, node.version).gtid_sets_query())[0]
        return _parsed(row["executed"]), _parsed(row["purged"])
    except (DialectError, PositionError):
        return None, None


def _parsed(value: object) -> MysqlGtidSet | None:
    return None if value is None else MysqlGtidSet.parse(str(value))
