"""The monitor's own tick against real servers."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from backend.clusters.models import Cluster, Credential, Link, Node
from backend.common.sealing import seal
from backend.core.facts import unsafe_periods
from backend.core.topology import Direction
from backend.monitoring.journal import DbJournal
from backend.monitoring.models import ChannelRecord, Checkpoint, LinkStatus, UnsafePeriod
from backend.monitoring.monitor import Monitor
from backend.monitoring.stored_facts import observe_link_now
from deploy.lab.api import Lab
from tests.gateway.lab import ca_pem
from tests.support.waiting import wait_for

pytestmark = [pytest.mark.server, pytest.mark.django_db(transaction=True)]
ROLES = ("monitor", "operator", "replication")


@pytest.fixture
def lab_link(db: None, lab: Lab) -> Link:
    """The lab, registered with verified TLS."""
    sides = []
    for site, name in (("a", "Milan"), ("b", "Frankfurt")):
        cluster = Cluster.objects.create(name=name, site=name, tls_mode="verify_identity", tls_ca=ca_pem(lab))
        for role in ROLES:
            account = lab.accounts[role]
            sealed = seal(account.password, cluster_id=cluster.id, role=role)
            Credential.objects.create(cluster=cluster, role=role, user=account.user, sealed=sealed)
        for node in lab.nodes:
            if node.site == site:
                Node.objects.create(cluster=cluster, name=node.name, host=node.host, ordinal=node.index, port=node.port)
        sides.append(cluster)
    return Link.objects.create(name="lab", active_cluster=sides[0], standby_cluster=sides[1])


@pytest.fixture
def monitor(lab_link: Link) -> Iterator[Monitor]:
    made = Monitor(threading.Event())
    made.tick()
    yield made
    made.close()


def until(monitor: Monitor, state: str, *, limit_s: float) -> LinkStatus:
    """Tick until the link is in that state. What a reset of a log left to be settled is settled once it is over."""

    def reached() -> LinkStatus | None:
        monitor.tick()
        UnsafePeriod.objects.exclude(ended_at=None).delete()
        return LinkStatus.objects.filter(state=state).first()

    status: LinkStatus = wait_for(reached, f"the link to be {state}", limit_s)
    return status


def test_tick__healthy_lab__protected_recorded_and_journalled(lab: Lab, lab_link: Link, monitor: Monitor) -> None:
    lab.sql("db-a1", "CREATE TABLE IF NOT EXISTS bank.seen (id INT AUTO_INCREMENT PRIMARY KEY)")
    lab.sql("db-a1", "INSERT INTO bank.seen VALUES (NULL)")
    until(monitor, "protected", limit_s=5)
    wait_for(lambda: gaps(monitor) == [0, 0], "what was written to be applied", 5)

    assert ChannelRecord.objects.count() == 2
    names = {node.name: node for node in Node.objects.all()}
    exact = Checkpoint.objects.filter(node=names["db-a1"], exact=True).order_by("-observed_at").first()
    twin = Checkpoint.objects.filter(node=names["db-a2"], exact=True).order_by("-observed_at").first()
    assert exact is not None
    assert twin is not None
    assert exact.seqno == twin.seqno
    facts = observe_link_now(lab_link)
    (holder,) = facts.holders(Direction.FORWARD)
    executed = holder.channel.exec_position
    assert executed is not None
    seqno = DbJournal().seqno_at(names["db-a1"].id, exact.state_uuid, executed)
    assert seqno == exact.seqno


def test_tick__replica_frozen_then_thawed__broken_while_it_lasts(lab: Lab, monitor: Monitor) -> None:
    until(monitor, "protected", limit_s=5)
    lab.freeze("db-b1")
    try:
        status = until(monitor, "unknown", limit_s=10)
        assert "db-b1" in status.sentence or "Frankfurt" in status.sentence
    finally:
        lab.thaw("db-b1")
    until(monitor, "protected", limit_s=30)


def test_tick__second_channel_configured__stray_at_once(lab: Lab, monitor: Monitor) -> None:
    until(monitor, "protected", limit_s=5)
    source = lab.node("db-b1")
    lab.sql(
        "db-a2",
        f"CHANGE MASTER TO MASTER_HOST='{source.host}', MASTER_PORT={source.port},"
        " MASTER_LOG_FILE='binlog.000001', MASTER_LOG_POS=4, MASTER_USE_GTID=no",
    )
    try:
        monitor.tick()
        status = LinkStatus.objects.get()
        assert status.state == "degraded"
        assert status.primary_action is not None
        assert status.primary_action["kind"] == "remove_stray_channel"
        assert status.findings[0]["code"] == "stray_channel"
    finally:
        lab.sql("db-a2", "RESET SLAVE ALL")
    until(monitor, "protected", limit_s=5)


def gaps(monitor: Monitor) -> list[int | None]:
    """What each direction lacks, looked at now."""
    monitor.tick()
    return [channel["gap_transactions"] for channel in LinkStatus.objects.get().channels]


def reset_binlog(lab: Lab) -> str:
    """RESET MASTER on db-a1, which a Galera node does only outside its cluster's ways; the first file's name."""
    for sql in ("SET GLOBAL wsrep_on=OFF", "RESET MASTER", "SET GLOBAL wsrep_on=ON"):
        lab.sql("db-a1", sql)
    return str(lab.sql("db-a1", "SHOW MASTER STATUS")[0]["File"])


def pointed_to_its_beginning(lab: Lab, file: str) -> None:
    """The channel on db-b1, by hand, as the log of its source begins; and a write for it."""
    for sql in ("STOP SLAVE", f"CHANGE MASTER TO MASTER_LOG_FILE='{file}', MASTER_LOG_POS=4", "START SLAVE"):
        lab.sql("db-b1", sql)
    lab.sql("db-a1", "INSERT INTO bank.recreated VALUES (NULL)")


def has_more(lab: Lab) -> bool:
    """Whether b1 has yet to apply what stands in the log of a1."""
    end, executed = lab.sql("db-a1", "SHOW MASTER STATUS")[0], lab.sql("db-b1", "SHOW SLAVE STATUS")[0]
    return (end["File"], end["Position"]) != (executed["Relay_Master_Log_File"], executed["Exec_Master_Log_Pos"])


def test_tick__log_of_a_source_is_reset_under_its_channel__broken_until_that_is_pointed_into_it(
    lab: Lab, monitor: Monitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server itself shows a channel that runs, without an error."""
    monkeypatch.setattr(unsafe_periods, "CARRIED_S", 1.0)
    until(monitor, "protected", limit_s=5)
    lab.sql("db-a1", "CREATE TABLE IF NOT EXISTS bank.recreated (id INT AUTO_INCREMENT PRIMARY KEY)")
    pointed_to_its_beginning(lab, reset_binlog(lab))
    for _ in range(3):  # as of a channel that has lived for a while
        lab.sql("db-b1", "FLUSH RELAY LOGS")
    until(monitor, "protected", limit_s=10)

    file = reset_binlog(lab)
    try:
        status = until(monitor, "broken", limit_s=10)
        shown = lab.sql("db-b1", "SHOW SLAVE STATUS")[0]
        assert (shown["Slave_IO_Running"], shown["Slave_SQL_Running"], shown["Last_IO_Errno"]) == ("Yes", "Yes", 0)
        assert "was reset" in next(f["message"] for f in status.findings if f["code"] == "channel_broken")
        assert gaps(monitor) == [None, 0]
    finally:
        lab.sql("db-a1", "INSERT INTO bank.recreated SELECT NULL FROM bank.seq_1_to_2000")
        pointed_to_its_beginning(lab, file)
        wait_for(lambda: not has_more(lab), "all of the new log to be applied before the console looks", 10)
    until(monitor, "protected", limit_s=10)
    wait_for(lambda: gaps(monitor) == [0, 0], "what b1 lacks to be counted in the new log", 10)
