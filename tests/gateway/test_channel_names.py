"""Channels of every name a server takes, walked on a real one by the statements of a run."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from backend.core.binlog.logs import RelayLog
from backend.core.dialects.base import ChangeSource, ChannelSettings, ChannelTls, Thread
from backend.core.dialects.mariadb import MariadbDialect
from backend.core.positions import FIRST_EVENT_OFFSET, FilePosition
from backend.core.topology import ChannelFacts
from backend.gateway.polling.parallel import observe_once
from backend.gateway.reader import Reader
from backend.gateway.writer import Writer
from deploy.lab.api import Lab
from tests.gateway.lab import access

pytestmark = pytest.mark.server
NODE = "db-a2"
DIALECT = MariadbDialect()
NAMES = [
    "dr_east-1",
    " two  blanks ",
    'o\'hare "x" `y`',
    "back\\slash\\",
    "x'; SET GLOBAL read_only=ON; -- /* #",
    "Höhe 日本",
    "../../%s {{secret:replication}} {{forward.file}}",
    "ALL",
    "x" * 191,
]


@pytest.fixture
def writer(lab: Lab) -> Iterator[Writer]:
    there = access(lab, NODE)
    session = Writer(there.ref, there.operator)
    yield session
    session.close()


def channel_named(lab: Lab, name: str) -> ChannelFacts | None:
    """As a poll finds it."""
    return observe_once(access(lab, NODE)).channel(name)


def send(writer: Writer, sql: str) -> None:
    """As a run sends it."""
    writer.execute(sql, secrets={"replication": "hunter2 'secret"}, timeout_s=10)


@pytest.mark.parametrize("name", NAMES, ids=lambda name: name[:12])
def test_channel__any_name__set_up_read_and_forgotten(lab: Lab, writer: Writer, name: str) -> None:
    settings = ChannelSettings(60, "2.500", 0, ChannelTls())
    at = FilePosition("unknown-bin.000003", 4)
    send(writer, DIALECT.change_source(ChangeSource(name, "127.0.0.1", 1, "unknown", at, (11,), settings)))
    channel = channel_named(lab, name)
    assert channel is not None
    assert (channel.name, channel.exec_position, channel.ignore_server_ids) == (name, at, (11,))

    send(writer, DIALECT.start_slave(name, Thread.SQL))
    channel = channel_named(lab, name.swapcase())
    assert channel is not None, "case does not count"
    assert channel.sql_running == "Yes"
    log = RelayLog(Reader(access(lab, NODE).ref, access(lab, NODE).monitor), DIALECT, name)
    assert log.events(channel.relay_file, FIRST_EVENT_OFFSET, limit=5)[0].type == "Format_desc"

    send(writer, DIALECT.stop_slave(name))
    send(writer, DIALECT.reset_slave_all(name))
    assert channel_named(lab, name) is None
    assert lab.sql(NODE, "SELECT @@GLOBAL.read_only AS is_fenced")[0]["is_fenced"] == 0
