"""Polls of servers that are not here, over the wire protocol, from recordings of their answers."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator

import pytest

from backend.core.binlog.groups import read_groups
from backend.core.checks.run import run_checks
from backend.core.checks.servers import check_servers
from backend.core.dialects import dialect_to_watch, plan_refusal
from backend.core.dialects.galera import CAUSAL_READ, FILTERS
from backend.core.findings import is_refused
from backend.core.plans.kinds import PLAN_KINDS
from backend.core.ports import NodeError
from backend.core.positions import FilePosition
from backend.core.topology import AcceptedServer, NodeFacts, NodeRef
from backend.gateway.binlog_dump import read_events
from backend.gateway.connection.endpoint import NodeEndpoint
from backend.gateway.connection.session import Session
from backend.gateway.polling.exchange import open_exchange
from backend.gateway.polling.poll import poll_node
from backend.gateway.reader import Reader
from backend.gateway.recorder import read_answers
from tests.core.builders.link_facts import context, link, with_node
from tests.core.dialects.recorded import events, folder, rows
from tests.fakes.replay_server import replayed

MYSQL, PXC, PXC_84 = "mysql-9.7.4", "pxc-8.0-from-documentation", "pxc-8.4-from-documentation"
BOTH = pytest.mark.parametrize(
    ("server", "version", "seqno"), [(PXC, "8.0.36-28.1", 4711), (PXC_84, "8.4.8-8.1", 1206)], ids=["8.0", "8.4"]
)
NODE = NodeRef("n1", "n1", "127.0.0.1", 3306, "c1")


def polled(server: str) -> NodeFacts:
    """The facts of one poll; no statement of it may be unknown."""
    with replayed(folder(server)) as (endpoint, replay):
        session = Session(NODE.name, endpoint, read_only=True)
        try:
            facts = poll_node(session, NODE)
        finally:
            session.close()
    assert replay.unknown == []
    assert (facts.is_up, facts.error) == (True, "")
    return facts


def test_poll__recorded_mysql__facts_of_the_real_server() -> None:
    facts = polled(MYSQL)
    assert (facts.flavor, facts.version, facts.server_id, facts.uptime_s) == ("mysql", "9.7.4-2", 11, 777)
    assert facts.wsrep is None
    assert facts.binlog is not None
    assert facts.binlog.end == FilePosition("binlog.000002", 525)
    (channel,) = facts.channels or ()
    assert (channel.name, channel.using_gtid, channel.options["TLS_CIPHERSUITES"]) == ("link1", "Auto_Position", "NULL")
    assert {facts.variable(name) for name in FILTERS} == {""}, "none is set, and none is unknown"
    assert facts.clock_offset_s is not None
    assert abs(facts.clock_offset_s) < 60


@BOTH
def test_poll__pxc_from_documentation__galera_and_its_own_settings_are_read(
    server: str, version: str, seqno: int
) -> None:
    facts = polled(server)
    assert (facts.flavor, facts.version) == ("pxc", version)
    assert facts.wsrep is not None
    assert (facts.wsrep.cluster_status, facts.wsrep.state, facts.wsrep.cluster_size) == ("Primary", "Synced", 3)
    assert (facts.wsrep.last_committed, facts.wsrep.desync_count) == (seqno, 0)
    assert (facts.variable("pxc_strict_mode"), facts.variable("pxc_maint_mode")) == ("ENFORCING", "DISABLED")
    assert "gcache.freeze_purge_at_seqno = -1" in (facts.variable("wsrep_provider_options") or "")
    assert facts.binlog is not None
    assert facts.binlog.end == FilePosition("log-1.000002", 724)
    assert {facts.variable(name) for name in FILTERS} == {""}, "none is set, and none is unknown"
    (channel,) = facts.channels or ()
    assert channel.ignore_server_ids == (11, 12, 13)
    settings = dialect_to_watch(facts.flavor, facts.version).settings_of(channel)
    assert settings.further["SOURCE_CONNECTION_AUTO_FAILOVER"] == "1"


@BOTH
def test_groups__pxc_from_documentation__numbers_are_those_of_the_cluster(
    server: str, version: str, seqno: int
) -> None:
    forms = dialect_to_watch("pxc", version).events
    assert forms.is_xid_of_cluster
    found = [(one.xid, one.server_id, one.verbs) for one in read_groups(events(server, "binlog_events"), forms=forms)]
    assert found == [(seqno - 1, 11, ("insert",)), (seqno, 12, ("delete",))]


@pytest.mark.parametrize("server", [PXC, PXC_84], ids=["8.0", "8.4"])
def test_recording__of_a_replayed_server__same_answers(server: str) -> None:
    with replayed(folder(server)) as (endpoint, replay):
        reader = Reader(NODE, endpoint)
        recorded = read_answers(reader)
        reader.close()
    assert (recorded.flavor, recorded.refused, replay.unknown) == ("pxc", {}, [])
    assert recorded.answers["binlog_end"] == rows(server, "binlog_end")
    assert len(recorded.answers["binlog_events"]) == len(rows(server, "binlog_events"))


def test_causal_read__mysql_family__its_own_statements_on_one_session() -> None:
    with replayed(folder(PXC)) as (endpoint, replay):
        reader = Reader(NODE, endpoint)
        with pytest.raises(NodeError, match="no answer to the statement"):
            reader.query(CAUSAL_READ)
        reader.close()
    assert replay.unknown == ["SELECT 1"], "SET STATEMENT, which MySQL does not know, is not sent"


def _sessions(endpoint: NodeEndpoint) -> Iterator[None]:
    """Each way in which the console opens a session: a driver's, one that is polled, and a dump of the log."""
    session = Session(NODE.name, endpoint, read_only=False)
    session.open()
    session.close()
    yield
    open_exchange(NODE.name, endpoint, read_s=2.0).close()
    yield
    with contextlib.suppress(NodeError):
        next(read_events(NODE.name, endpoint, FilePosition("binlog.000002", 4), limit_s=2.0, read_s=2.0), None)
    yield


@pytest.mark.parametrize(
    ("greeting", "has_wsrep"), [("5.5.5-10.11.19-MariaDB", True), ("8.4.8-8.1", True), ("9.7.4-2", False)]
)
def test_session__every_way_in__does_not_wait_for_the_cluster_from_its_first_statement_on(
    greeting: str, *, has_wsrep: bool
) -> None:
    with replayed(folder(PXC)) as (endpoint, replay):
        replay.version, replay.has_wsrep = greeting, has_wsrep
        for _ in _sessions(endpoint):
            own = [sql for sql in replay.heard if not sql.upper().startswith(("SET AUTOCOMMIT", "SET NAMES"))]
            assert own, replay.heard
            assert "wsrep_sync_wait=0" in own[0]
            replay.heard.clear()


@BOTH
def test_plans__pxc_from_documentation__watched_only_and_every_kind_refused_until_accepted(
    server: str, version: str, seqno: int
) -> None:
    facts = polled(server)
    assert "never tried with it on a real server" in (plan_refusal(facts.flavor, facts.version) or "")
    judged = context(with_node(link(), "b2", flavor=facts.flavor, version=facts.version))
    assert is_refused(run_checks(judged, [check_servers]))
    assert [kind for kind, one in PLAN_KINDS.items() if any(check_servers not in way for way in one.every_way)] == []
    for series in ("8.0", "8.4"):
        accepted = AcceptedServer("pxc", series, "We compared every statement in staging.", "ada", 1_800_000_000.0)
        is_covered = version.startswith(f"{series}.")
        assert (plan_refusal(facts.flavor, facts.version, accepted) is None) is is_covered


@pytest.mark.parametrize("server", [PXC, PXC_84], ids=["8.0", "8.4"])
def test_recordings__not_of_a_real_server__say_so(server: str) -> None:
    about = json.loads((folder(server) / "about.json").read_text())
    assert about["note"].startswith("WRITTEN FROM DOCUMENTATION AND NOT TRIED ON A REAL SERVER")
    counts = {one["file"]: one["rows"] for one in about["answers"]}
    assert counts == {name: len(rows(server, name.removesuffix(".tsv"))) for name in counts}


def test_replay__statement_that_was_not_recorded__refused_and_noted() -> None:
    with replayed(folder(MYSQL)) as (endpoint, replay):
        session = Session(NODE.name, endpoint, read_only=True)
        with pytest.raises(NodeError, match="no answer to the statement"):
            session.run("SELECT 2 AS two")
        session.close()
    assert replay.unknown == ["SELECT 2 AS two"]
