"""The searched lab: one node a site, one of them with a very long binlog and a replica close behind.

One node a site, because only the searched server's own binlog and commits are compared. The lab
ends up as after a planned stop: the replica holds everything up to a group late in the file.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from backend.core.binlog.events import Cursor
from backend.core.binlog.groups import read_groups
from backend.core.link_facts import RecordedChannel
from backend.core.locate.evidence import SeqnoClue
from backend.core.locate.model import Search
from backend.core.locate.requests import LocateRequest
from backend.core.locate.search_inputs import build_search
from backend.core.ports import Journal
from backend.core.positions import FilePosition
from backend.core.topology import Direction, NodeRef
from backend.gateway.connection.endpoint import ClusterAccess, LinkAccess, NodeAccess, NodeEndpoint, Tls, TlsMode
from backend.gateway.gateway import NodeGateway
from bench import fill
from bench.fill import Filled
from bench.journal import MemoryJournal, Sampling
from deploy.lab.api import Lab
from deploy.lab.layout import Settings

SOURCE, REPLICA = "db-a1", "db-b1"
MAX_BINLOG = "1G"
TRADE_S = 8.0
SINCE_SAMPLE_S = 1.0
"""The monitor samples each second, so this is how old its newest sample is at worst."""


@dataclass
class Testbed:
    """What a search needs: the lab, the file, both journals' worth of samples, the Xid looked for."""

    lab: Lab
    filled: Filled
    journal: MemoryJournal
    gateway: NodeGateway
    xid: int = 0
    checkpoint: FilePosition | None = None

    def take_target(self) -> None:
        """The number to look up, and the sample nearest before it."""
        search = self.search(self.journal)
        if not isinstance(search.seqno_clue, SeqnoClue):
            raise TypeError(f"the lab gives no number to look up: {search.seqno_clue}")
        self.xid = search.seqno_clue.xid
        self.checkpoint = next(iter(search.source_checkpoints(self.xid)), None)
        if self.checkpoint is None:
            raise RuntimeError("the monitor took no sample before the Xid looked for")

    def events_since_sample(self) -> int:
        """How many events lie between the sample and the end of the group looked for."""
        if self.checkpoint is None:
            raise RuntimeError("no target was taken yet")
        search = self.search(self.journal)
        groups = read_groups(Cursor(search.source_log).events_from(self.checkpoint))
        count = 0
        for group in groups:
            count += group.event_count
            if group.xid is not None and group.xid >= self.xid:
                break
        return count

    def search(self, journal: Journal) -> Search:
        """The question a relocate asks: where does the replica's last applied group stand on the source?"""
        link = self.gateway.observe_link()
        question = LocateRequest(Direction.FORWARD, SOURCE, REPLICA, REPLICA, SOURCE, is_moving=False)
        return build_search(question, link, self.gateway, journal)


def build(lab: Lab, size: int) -> Testbed:
    """Bring the lab up, fill its binlog, replicate the last seconds of a paced load, stop the replica."""
    lab.up(Settings(sizes=(1, 1), overrides={"max_binlog_size": MAX_BINLOG}))
    seen: list[RecordedChannel] = []
    gateway = NodeGateway(_shape(lab), lambda: tuple(seen))
    journal = MemoryJournal()
    fill.prepare(lab, SOURCE)
    _wait_applied(lab)
    lab.sql(REPLICA, "STOP SLAVE")
    for name in (SOURCE, REPLICA):
        fill.set_flushing(lab, name, fill.RELAXED)
    filled = fill.fill(lab, SOURCE, size)
    _follow_from_end(lab)
    with fill.PacedLoad(lab, SOURCE):
        with Sampling(journal, gateway.shape.nodes):
            time.sleep(TRADE_S)
        time.sleep(SINCE_SAMPLE_S)
    _wait_applied(lab)
    seen.append(_as_recorded(gateway))
    lab.sql(REPLICA, "STOP SLAVE")
    for name in (SOURCE, REPLICA):
        fill.set_flushing(lab, name, fill.DURABLE)
    fill.settle_disk(lab, SOURCE, filled.file)
    ground = Testbed(lab, filled, journal, gateway)
    ground.take_target()
    return ground


def _as_recorded(gateway: NodeGateway) -> RecordedChannel:
    """The channel as the monitor saw it run; what a stopped one says of itself counts in full only behind that."""
    (holder,) = gateway.observe_link().holders(Direction.FORWARD)
    return RecordedChannel(Direction.FORWARD, holder.replica.node.id, holder.source.id, holder.channel, time.time())


def _follow_from_end(lab: Lab) -> None:
    """Let the replica begin where the filling ended: the filler itself need not be applied."""
    file, position = fill.end_of_log(lab, SOURCE)
    lab.sql(REPLICA, f"CHANGE MASTER TO MASTER_LOG_FILE='{file}', MASTER_LOG_POS={position}")
    lab.sql(REPLICA, "START SLAVE")


def _wait_applied(lab: Lab, limit_s: float = 60.0) -> None:
    """Until the replica has applied all that the source holds."""
    file, position = fill.end_of_log(lab, SOURCE)
    row = lab.sql(REPLICA, f"SELECT MASTER_POS_WAIT('{file}', {position}, {limit_s:.0f}) AS waited")[0]
    if row["waited"] is None or row["waited"] < 0:
        raise RuntimeError(f"the replica did not reach {file}:{position} within {limit_s} s")


def _shape(lab: Lab) -> LinkAccess:
    description = lab.describe()
    by_name = {cluster["name"]: _cluster(cluster) for cluster in description["clusters"]}
    link = description["link"]
    return LinkAccess("bench", link["name"], link["channel_name"], by_name[link["active"]], by_name[link["standby"]])


def _cluster(description: dict[str, Any]) -> ClusterAccess:
    tls = Tls(TlsMode(description["tls"]["mode"]), description["ca_pem"])

    def account(node: dict[str, Any], role: str) -> NodeEndpoint:
        given = description["credentials"][role]
        return NodeEndpoint(node["host"], node["port"], given["user"], given["password"], tls)

    nodes = tuple(
        NodeAccess(
            NodeRef(node["name"], node["name"], node["host"], node["port"], description["name"]),
            account(node, "monitor"),
            account(node, "operator"),
        )
        for node in description["nodes"]
    )
    ids = {node["name"]: int(node["server_id"]) for node in description["nodes"]}
    return ClusterAccess(description["name"], description["name"], description["site"], nodes, known_server_ids=ids)
