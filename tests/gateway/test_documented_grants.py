"""Accounts made with the documented statements on real servers: nothing is unknown, and what is taken away is said."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from backend.clusters.inspection import cluster_check
from backend.clusters.models import Cluster, Credential, CredentialRole, Link, Node
from backend.clusters.probe_table import create_probe_table
from backend.clusters.selectors import cluster_access, cluster_get, link_get
from backend.common.sealing import seal
from backend.core.dialects import MARIADB_NEEDS as NEEDS
from backend.core.dialects.needs import EVENTS, Need
from backend.core.facts.activity import WRITE_THROUGH_VIEW_SQL
from backend.core.findings import Finding, Severity
from backend.gateway.polling.parallel import observe_once
from backend.monitoring.monitor import Monitor
from backend.operations.runs.planning import planner
from deploy.lab.api import Lab
from tests.gateway.lab import ca_pem
from tests.support.documented_grants import ROLES, statements, view_statements
from tests.support.waiting import wait_for

pytestmark = [pytest.mark.server, pytest.mark.django_db(transaction=True)]
PASSWORD = "a password of letters"
ACCOUNTS = {role: f"'doc_{role}'@'%'" for role in ROLES}
SOME = "db-a1"
REFUSES = {
    ("monitor", "PROCESS"): "activity_unknown",
    ("monitor", "SLAVE MONITOR"): "channel_not_seen",
    ("monitor", "SELECT"): "accounts_unknown",
}
"""What a switchover is refused with while every node lacks the privilege."""
SINGLE = [(need, name) for need in NEEDS for name in need.privileges if need.code != EVENTS]


@pytest.fixture
def sites(db: None, lab: Lab) -> Iterator[Link]:
    """The lab registered with accounts of their own, made through one node: the channel brings them to the other."""
    for role, account in ACCOUNTS.items():
        lab.sql(SOME, f"CREATE USER {account} IDENTIFIED BY '{PASSWORD}'")
        for sql in statements(role, account):
            lab.sql(SOME, sql)
    wait_for(
        lambda: bool(lab.sql("db-b1", "SELECT 1 FROM mysql.user WHERE User='doc_replication'")),
        "the accounts at the other site",
    )
    link = _registered(lab)
    monitor = Monitor(threading.Event())
    monitor.tick()
    monitor.close()
    yield link_get(link.id)
    for account in ACCOUNTS.values():
        lab.sql(SOME, f"DROP USER {account}")


def _registered(lab: Lab) -> Link:
    sides = []
    for site in ("a", "b"):
        side = Cluster.objects.create(name=f"doc-{site}", site=site, tls_mode="verify_ca", tls_ca=ca_pem(lab))
        for role in ROLES:
            sealed = seal(PASSWORD, cluster_id=side.id, role=role)
            Credential.objects.create(cluster=side, role=CredentialRole(role), user=f"doc_{role}", sealed=sealed)
        for node in (one for one in lab.nodes if one.site == site):
            Node.objects.create(cluster=side, name=node.name, host=node.host, ordinal=node.index, port=node.port)
        sides.append(side)
    return Link.objects.create(name="documented", active_cluster=sides[0], standby_cluster=sides[1])


def checked(link: Link) -> dict[str, Finding]:
    """What the check says of the node that the test changes, and of its whole cluster."""
    found = cluster_check(cluster_get(link.active_cluster_id))
    return {one.code: one for one in found if one.severity is not Severity.OK and one.facts.get("node", SOME) == SOME}


def planned(link: Link) -> dict[str, Finding]:
    """The findings of a switchover."""
    plan = planner.build_plan(link=link, kind="switchover", reason="", options={}, actor="nora")
    return {one.code: one for one in plan.findings}


def test_accounts_as_documented__nothing_unknown_in_the_check_or_the_plan(lab: Lab, sites: Link) -> None:
    found = [one for side in (sites.active_cluster, sites.standby_cluster) for one in cluster_check(side)]
    assert {one.severity for one in found if one.code.startswith(("grants", "accounts_"))} == {Severity.OK}
    assert {one.code for one in found if one.code.startswith("accounts_")} == {"accounts_listed"}
    # A client that set read_only at run time hid what the configuration says; no grant shows it.
    assert [one.message for one in found if one.severity is Severity.UNKNOWN and one.code != "start_unknown"] == []
    assert create_probe_table(sites.active_cluster) == f"created through {SOME}"
    try:
        wait_for(lambda: bool(lab.sql("db-b1", "SHOW TABLES IN hawser LIKE 'probe'")), "the table of probes")
        plan = planned(sites)
    finally:
        lab.sql(SOME, "DROP TABLE hawser.probe")
    assert [one.message for one in plan.values() if one.severity is Severity.UNKNOWN] == []
    assert ACCOUNTS["operator"] in plan["accounts_write_through"].message
    assert "not_probed" not in plan


@pytest.mark.parametrize(("need", "name"), SINGLE, ids=[f"{need.role} {name} {need.schema}" for need, name in SINGLE])
def test_privilege_taken_away__the_check_says_so_and_its_statement_mends_it(
    lab: Lab, sites: Link, need: Need, name: str
) -> None:
    lab.sql(SOME, f"REVOKE {name} ON {need.on} FROM {ACCOUNTS[need.role]}")
    found = checked(sites)[need.code]
    assert need.without in found.message
    assert found.remedy == f"GRANT {name} ON {need.on} TO {ACCOUNTS[need.role]};"
    refusal = REFUSES.get((need.role, name))
    if refusal is not None:
        assert planned(sites)[refusal].severity is Severity.UNKNOWN
        assert name in planned(sites)[refusal].remedy
    lab.sql(SOME, found.remedy.rstrip(";"))
    assert need.code not in checked(sites)
    assert refusal not in planned(sites)


def test_binary_log_refused__the_channels_are_known_all_the_same(lab: Lab, sites: Link) -> None:
    """Each of the two needs a privilege of its own: the remedy of the other one would not help."""
    lab.sql("db-b1", f"REVOKE BINLOG MONITOR ON *.* FROM {ACCOUNTS['monitor']}")
    facts = observe_once(cluster_access(sites.standby_cluster).nodes[0])
    assert facts.binlog is None
    assert "BINLOG MONITOR" in facts.error
    assert facts.channels


def test_view_missing__the_check_says_so_before_a_switchover_is_refused(lab: Lab, sites: Link) -> None:
    lab.sql(SOME, "DROP VIEW hawser.write_through")
    try:
        found = checked(sites)["accounts_not_listed"]
        assert "accounts_unknown" in found.message
        assert f"{WRITE_THROUGH_VIEW_SQL};" in found.remedy
        assert f"{WRITE_THROUGH_VIEW_SQL};" in planned(sites)["accounts_unknown"].remedy
    finally:
        for sql in view_statements():
            lab.sql(SOME, sql)
    assert "accounts_not_listed" not in checked(sites)
    assert "accounts_unknown" not in planned(sites)


def test_view_of_a_definer_that_sees_only_itself__said(lab: Lab, sites: Link) -> None:
    """It would say that no account writes through the fence, although the console's own does."""
    weak = "'doc_weak'@'%'"
    lab.sql(SOME, f"CREATE USER {weak}")
    lab.sql(SOME, WRITE_THROUGH_VIEW_SQL.replace("REPLACE SQL", f"REPLACE DEFINER={weak} SQL"))
    try:
        found = checked(sites)["accounts_listed_in_part"]
        assert "doc_operator@%" in found.message
        assert WRITE_THROUGH_VIEW_SQL in found.remedy
    finally:
        lab.sql(SOME, view_statements()[1])
        lab.sql(SOME, f"DROP USER {weak}")
    assert "accounts_listed_in_part" not in checked(sites)


def test_events__read_with_the_grant_and_asked_for_only_where_the_scheduler_runs(lab: Lab, sites: Link) -> None:
    lab.sql(SOME, f"REVOKE SELECT ON mysql.event FROM {ACCOUNTS['monitor']}")
    assert EVENTS not in checked(sites)
    lab.sql(SOME, "SET GLOBAL event_scheduler=ON")
    try:
        found = checked(sites)[EVENTS]
        assert "Grant SELECT ON `mysql`.`event`" in planned(sites)["events_unknown"].remedy
        lab.sql(SOME, found.remedy.rstrip(";"))
        assert EVENTS not in checked(sites)
        assert "events_unknown" not in planned(sites)
    finally:
        lab.sql(SOME, "SET GLOBAL event_scheduler=OFF")
