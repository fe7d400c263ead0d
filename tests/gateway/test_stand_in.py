"""The stand-ins of the measurements answer a failover as a server does."""

from __future__ import annotations

from backend.core import probe
from backend.core.dialects import dialect_to_watch
from backend.core.topology import Direction
from bench.fleet.stand_in.changes import Channel, Probes
from bench.fleet.stand_in.node import RECORDED, Node
from bench.fleet.stand_in.record import statements
from bench.fleet.stand_in.serve import Host, addresses, lose


def test_channel__stopped_and_removed__is_shown_so() -> None:
    channel = Channel()
    channel.lose_source()
    assert channel.columns() == {"Slave_IO_Running": "Connecting", "Slave_SQL_Running": "Yes"}
    assert channel.change("STOP SLAVE")
    assert channel.columns() == {"Slave_IO_Running": "No", "Slave_SQL_Running": "No"}
    assert channel.change("RESET SLAVE ALL")
    assert channel.is_removed
    assert not channel.change("SHOW WARNINGS")


def test_probe__written__is_read_back_on_its_link_alone() -> None:
    probes = Probes()
    assert probes.change(probe.write_sql("l_1", Direction.FORWARD, "db-b1", "r_1"))
    read = [probes.answer(probe.read_sql(link, Direction.FORWARD)) for link in ("l_1", "l_2")]
    assert [len(answer.bodies({}, more=False)) for answer in read if answer] == [5, 4]


def test_side__lost__hangs_and_its_writes_end() -> None:
    hosts = {address.host: Host(Node(address)) for address in addresses("127.64", links=2, nodes=6, rate=1e6)}
    first, *_ = hosts
    lose(hosts, first)
    assert [host for host, one in hosts.items() if one.is_hung] == list(hosts)[:3]
    channels = [one.node.channel for one in hosts.values() if one.node.channel]
    assert [channel.receives for channel in channels] == ["Yes", "Connecting", "Yes", "Yes"]
    writes = hosts[first].node.address.writes
    assert writes.count == writes.count


def test_recording__of_the_stand_in__answers_every_statement_of_a_poll() -> None:
    """Answers are found by the text of the statement: whoever polls one name more records them anew, or adds it."""
    assert set(statements(RECORDED["version"])) <= RECORDED["answers"].keys()


def test_readers__of_the_stand_in__one_for_each_end_of_a_channel() -> None:
    nodes = [Node(address) for address in addresses("127.64", links=1, nodes=6, rate=1e6)]
    dialect = dialect_to_watch("mariadb", RECORDED["version"])
    read = [node.answer(str(dialect.log_readers_query())) for node in nodes]
    heads = 3 + 1 + 2  # the columns, and the ends of columns and rows
    found = [len(answer.bodies({}, more=False)) - heads for answer in read if answer]
    assert found == [2 if node.channel else 1 for node in nodes]
