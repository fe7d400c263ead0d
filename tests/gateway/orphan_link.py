"""The lab as one link whose side A was lost: what a plan and a worker would see and do."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator, Mapping, Sequence

import pytest

from backend.clusters.models import Cluster, Link, Node
from backend.core.binlog.events import Cursor
from backend.core.binlog.groups import foreign_to, read_groups
from backend.core.binlog.logs import BinaryLog
from backend.core.dialects import dialect_for
from backend.core.findings import Severity
from backend.core.link_facts import Divergence
from backend.core.orphans.model import OrphanList
from backend.core.orphans.report import OrphanReport, replay_params, shown_sql, undo_params
from backend.core.plan import Plan, Step
from backend.core.positions import FilePosition
from backend.core.probe import CREATE_SQL
from backend.core.runner import Outcome, Runner
from backend.core.steps.base import StepContext
from backend.gateway.connection.endpoint import ClusterAccess, LinkAccess
from backend.gateway.gateway import NodeGateway
from backend.gateway.orphan_rows import LinkRows
from backend.monitoring import link_roles
from backend.operations.runs.execution.clock import SystemClock
from backend.transactions.orphans.report import orphans_for_plan
from deploy.lab.api import Lab
from tests.fakes.console import FakeConsole
from tests.fakes.driver import Memory
from tests.fakes.journal import FakeJournal
from tests.gateway.lab import access, reset
from tests.gateway.orphan_statements import end_of_log, run, wait_until_applied
from tests.support.waiting import wait_for

TABLES = ["bank.transfers", "bank.entries", "bank.balances"]
RUN = "r_failover0001"


def transfer(name: str, account: str, delta: int) -> str:
    """One row of the lab's schema."""
    return f"INSERT INTO bank.transfers VALUES ('{name:0>32}', 1, '{account}', {delta}, 'n')"


ORPHANS = (
    ("START TRANSACTION", transfer("b1", "x", 5), transfer("b2", "x", 6), "COMMIT"),
    ("UPDATE bank.balances SET balance = balance + 11, changes = changes + 2 WHERE account = 'x'",),
    (f"DELETE FROM bank.transfers WHERE write_id = '{'a1':0>32}'",),
    (f"INSERT INTO bank.entries VALUES ('{'a1':0>32}', 1, 'twin'), ('{'a1':0>32}', 1, 'twin')",),
    ("UPDATE bank.balances SET balance = balance * 2 WHERE account = 'x'",),
)


class DivergedSites:
    """The lab as one link whose side A was lost at some moment."""

    def __init__(self, lab: Lab) -> None:
        self.lab = lab
        self.divergence: Divergence | None = None
        sides = [self._shape(site) for site in ("a", "b")]
        self.shape = LinkAccess("l_way", "way", "", active=sides[1], standby=sides[0])
        self.gateway = self.fresh_gateway()
        self.link = self._register()

    def _shape(self, site: str) -> ClusterAccess:
        nodes = [node for node in self.lab.nodes if node.site == site]
        accesses = tuple(access(self.lab, node.name) for node in nodes)
        ids = {node.name: node.server_id for node in nodes}
        return ClusterAccess(f"c_{site}", f"side-{site}", site, accesses, known_server_ids=ids)

    def _register(self) -> Link:
        sides = []
        for shape in (self.shape.active, self.shape.standby):
            cluster = Cluster.objects.create(id=shape.id, name=shape.name, site=shape.site, tls_mode="disabled")
            for one in shape.nodes:
                Node.objects.create(
                    id=one.ref.id, cluster=cluster, name=one.ref.name, host=one.ref.host, port=one.ref.port
                )
            sides.append(cluster)
        return Link.objects.create(id="l_way", name="way", active_cluster=sides[0], standby_cluster=sides[1])

    def fresh_gateway(self) -> NodeGateway:
        """As a new process has it."""
        return NodeGateway(self.shape, divergence=lambda: self.divergence)

    def kill(self) -> None:
        """From here on B receives nothing; what it has of A is recorded."""
        self._drain()
        (channel,) = [row for row in self.lab.sql("db-b1", "SHOW ALL SLAVES STATUS") if row["Master_Host"]]
        run(self.lab, "db-b1", "STOP ALL SLAVES")
        log = BinaryLog(self.gateway.reader("db-b1"), dialect_for("mariadb", "10.11.19"))
        start = log.files()[0][0]
        groups = [
            g for g in read_groups(Cursor(log).events_from(FilePosition(start, 4))) if foreign_to(self._ids("b"))(g)
        ]
        self.divergence = Divergence(
            lost_cluster_id="c_a",
            survivor_cluster_id="c_b",
            lost_state_uuid=None,
            at_s=time.time(),
            run_id=RUN,
            source_node_id="db-a1",
            applied_file=channel["Relay_Master_Log_File"],
            applied_offset=int(channel["Exec_Master_Log_Pos"]),
            seam=tuple(g.content for g in groups[-8:]),
        )
        link_roles.record_divergence(self.link.id, self.divergence)

    def _ids(self, site: str) -> list[int]:
        return [node.server_id for node in self.lab.nodes if node.site == site]

    def _drain(self) -> None:
        def is_level() -> bool:
            end = end_of_log(self.lab, "db-a1")
            (row,) = [r for r in self.lab.sql("db-b1", "SHOW ALL SLAVES STATUS") if r["Master_Host"]]
            return (row["Relay_Master_Log_File"], int(row["Exec_Master_Log_Pos"])) == (end.file, end.offset)

        wait_for(is_level, "B to catch up")

    def write_alone(self) -> None:
        """What no node at B will ever receive, on both nodes of A."""
        for i, statements in enumerate(ORPHANS):
            run(self.lab, "db-a1" if i % 2 else "db-a2", *statements)
        wait_until_applied(self.lab, "db-a1", "db-a2")

    def report(self, choice: str, decisions: Sequence[Mapping[str, object]] = ()) -> OrphanReport:
        """What a plan would be told."""
        facts = self.gateway.observe_link(is_patient=True)
        return orphans_for_plan(
            self.link,
            self.gateway,
            facts,
            choice=choice,
            replay_node_id="db-b1",
            undo_node_id="db-a2",
            decisions=decisions,
        )

    def plan(self, report: OrphanReport, *codes: str, skip_conflicts: bool = False) -> Plan:
        """The steps of that choice."""
        params = {
            "replay": replay_params(report, skip_conflicts=skip_conflicts),
            "undo_orphans": undo_params(report, "db-b1", replays="replay" in codes, skip_conflicts=skip_conflicts),
        }
        nodes = {"replay": "db-b1", "undo_orphans": "db-a2"}
        steps = tuple(
            Step(i, code, code, nodes[code], nodes[code], sql=shown_sql(report, code[:6]), params=params[code],
                 point_of_no_return=not i)
            for i, code in enumerate(codes)
        )  # fmt: skip
        return Plan("reprotect", "l_way", "way", time.time(), "Way", (), (), {}, steps, {}, {}, {})

    def walk(self, memory: Memory, *, orphans: OrphanList, dies_at_outcome: int | None = None) -> None:
        """One worker's go, over a gateway of its own; perhaps killed right after a transaction."""
        gateway = self.fresh_gateway()
        ctx = StepContext(
            plan=memory.plan,
            gateway=gateway,
            clock=SystemClock(),
            locate=lambda question, link: pytest.fail("nothing to locate"),
            results=dict(memory.done),
            console=FakeConsole(),
            journal=FakeJournal(),
            orphans=lambda _: orphans,
            rows=LinkRows(gateway),
        )
        runner = Runner(
            ctx, memory.progress(), secrets=lambda _: {}, is_abort_requested=lambda: False, pass_return=lambda: True
        )
        outcomes = 0
        for transition in runner.walk():
            outcomes += isinstance(transition, Outcome)
            if dies_at_outcome is not None and outcomes == dies_at_outcome:
                os.kill(os.getpid(), signal.SIGKILL)
            memory.keep(transition)
        gateway.close()


@pytest.fixture(scope="module", autouse=True)
def fresh_afterwards(lab: Lab) -> Iterator[None]:
    """The next module finds the lab as it was."""
    yield
    reset(lab)


@pytest.fixture
def testbed(lab: Lab) -> Iterator[DivergedSites]:
    """Both sides equal, then A is lost and writes on alone."""
    reset(lab)
    run(
        lab, "db-a1", transfer("a1", "x", 1), transfer("a2", "x", 2),
        "INSERT INTO bank.balances VALUES ('x', 3, 2), ('y', 0, 0)",
        *(f"INSERT INTO bank.entries VALUES ('{i:0>32}', 1, 'p{i}')" for i in range(10)),
        "CREATE DATABASE IF NOT EXISTS hawser",
    )  # fmt: skip
    run(lab, "db-a1", *CREATE_SQL)
    run(lab, "db-a1", "INSERT INTO bank.markers VALUES ('last', 'a')")
    found = DivergedSites(lab)
    found.kill()
    found.write_alone()
    yield found
    found.gateway.close()


def severities(report: OrphanReport, choice: str, **options: bool) -> list[tuple[str, Severity]]:
    """Codes and weights of the findings."""
    return [(finding.code, finding.severity) for finding in report.findings(choice, **options)]
