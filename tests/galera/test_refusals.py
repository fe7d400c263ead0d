"""Every refusal on real servers: a reason an operator understands, and not one statement sent."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest

from deploy.lab import channels
from deploy.lab.server.statements import forms
from tests.galera.console import Json, assert_refused
from tests.galera.scene import Scene
from tests.galera.stack import ROOT
from tests.support.waiting import wait_for


def manage(scene: Scene, code: str) -> None:
    """Change the console's own records, as no call can."""
    env = scene.stack.worker_env() | {"DJANGO_SETTINGS_MODULE": "backend.config.settings"}
    subprocess.run([sys.executable, "-c", f"import django; django.setup(); {code}"], cwd=ROOT, env=env, check=True)


def plan_onto_others(scene: Scene) -> Json:
    """A plan that moves both channels to other nodes."""
    source, replica = scene.pair()
    return scene.console.plan(
        source_node=scene.console.node_id(scene.other(source)),
        replica_node=scene.console.node_id(scene.other(replica)),
    )


def test_plan__binlogs_purged_past_the_position__refused(silent: Scene) -> None:
    """The standby stood still while the candidate purged what it still needs."""
    source, replica = silent.pair()
    candidate = silent.other(source)
    silent.stop_channel(replica)
    silent.wait_writes(10, site="a")
    silent.sql(candidate, "FLUSH BINARY LOGS")
    silent.wait_writes(10, site="a")
    silent.sql(candidate, "FLUSH BINARY LOGS")
    newest = silent.log_end(candidate).file
    silent.sql(candidate, f"PURGE BINARY LOGS TO '{newest}'")
    plan = silent.console.plan(source_node=silent.console.node_id(candidate))
    silent.start_channel(replica)
    assert_refused(plan, "binlog_purged", candidate, newest)


def test_plan__candidate_desynced__refused(silent: Scene) -> None:
    """A donor or desynced node lags behind its cluster."""
    candidate = silent.other(silent.pair()[0])
    silent.sql(candidate, "SET GLOBAL wsrep_desync=ON")
    try:
        plan = silent.console.plan(source_node=silent.console.node_id(candidate))
    finally:
        silent.sql(candidate, "SET GLOBAL wsrep_desync=OFF")
    assert_refused(plan, "node_not_synced", candidate)


def test_plan__candidate_not_primary__refused(silent: Scene) -> None:
    """A node cut from its cluster holds no current data."""
    candidate = silent.other(silent.pair()[0])
    silent.sql(candidate, "SET GLOBAL wsrep_provider_options='gmcast.isolate=1'")
    try:
        wait_for(lambda: status_of(silent, candidate) != "Primary", "the node to leave the component")
        plan = silent.console.plan(source_node=silent.console.node_id(candidate))
    finally:
        silent.sql(candidate, "SET GLOBAL wsrep_provider_options='gmcast.isolate=0'")
        wait_for(lambda: status_of(silent, candidate) == "Primary", "the node to return")
    assert_refused(plan, "node_not_primary", candidate)


def status_of(scene: Scene, node: str) -> str:
    """The node's own wsrep_cluster_status."""
    return str(scene.sql(node, "SHOW STATUS LIKE 'wsrep_cluster_status'")[0]["Value"])


def test_plan__candidate_without_log_slave_updates__refused(silent: Scene) -> None:
    """Its binlog lacks what the other nodes wrote."""
    candidate = silent.other(silent.pair()[0])
    config = next(silent.stack.lab.paths.home.rglob(f"{candidate}.cnf"))
    original = config.read_text()
    config.write_text(original + "\n[mysqld]\nlog_slave_updates=OFF\n")
    try:
        silent.stack.lab.stop(candidate)
        silent.stack.lab.start(candidate)
        plan = silent.console.plan(source_node=silent.console.node_id(candidate))
    finally:
        config.write_text(original)
        silent.stack.lab.stop(candidate)
        silent.stack.lab.start(candidate)
    assert_refused(plan, "log_slave_updates_wrong", candidate)


def test_plan__evidence_disagrees__refused(silent: Scene) -> None:
    """The standby holds a transaction under the active side's name that the active side never wrote."""
    source, replica = silent.pair()
    silent.stop_writes()
    foreign = silent.sql(source, "SELECT @@server_id AS id")[0]["id"]
    write_as(silent, silent.other(replica), foreign)
    silent.stop_channel(replica)
    plan = plan_onto_others(silent)
    silent.start_channel(replica)
    silent.write_on()
    silent.wait_link(lambda _: silent.not_on_both_sides(), "what was written there to be named")
    silent.settle_transactions()
    assert_refused(plan, "position_not_proven", "not proven")


def write_as(scene: Scene, node: str, server_id: int) -> None:
    """A row of a table of its own, under the id of another server. MySQL has no such setting of a session."""
    with scene.stack.lab.admin(node) as connection:
        is_mysql = forms(connection).is_mysql
        cursor = connection.cursor()
        cursor.execute("CREATE TABLE IF NOT EXISTS bank.errant (id INT PRIMARY KEY)")
        own = scene.sql(node, "SELECT @@server_id AS id")[0]["id"]
        cursor.execute(f"SET {'GLOBAL' if is_mysql else 'SESSION'} server_id={server_id}")
        try:
            cursor.execute(f"INSERT INTO bank.errant VALUES ({time.time_ns() % 10**9})")
            connection.commit()
        finally:
            if is_mysql:
                cursor.execute(f"SET GLOBAL server_id={own}")


def test_plan__state_uuid_changed__refused(silent: Scene) -> None:
    """The cluster is not the history that was recorded."""
    cluster = silent.console.link()["active_cluster"]["id"]
    models = "from backend.clusters.models import Cluster; c = Cluster.objects.get(pk='%s')" % cluster  # noqa: UP031
    real = silent.console.get(f"/clusters/{cluster}")["state_uuid"]
    manage(silent, f"{models}; c.state_uuid='00000000-1111-2222-3333-444444444444'; c.save()")
    try:
        plan = plan_onto_others(silent)
    finally:
        manage(silent, f"{models}; c.state_uuid='{real}'; c.save()")
    assert_refused(plan, "state_uuid_changed", "was registered with")


def test_plan__second_channel_in_one_direction__refused(silent: Scene) -> None:
    """An operator set a second channel up by hand."""
    source, replica = silent.pair()
    other = silent.other(replica)
    lab = silent.stack.lab
    own = [node for node in lab.nodes if node.site == lab.node(other).site]
    with lab.admin(other) as connection:
        end, account = silent.log_end(source), lab.accounts["replication"]
        channels.set_up(connection, lab.settings, lab.node(source), end, own, account, lab.paths.ca)
    silent.start_channel(other, "IO_THREAD")
    try:
        plan = plan_onto_others(silent)
        link = silent.wait_link(lambda now: any(c["stray"] for c in now["channels"]), "the stray to be seen")
    finally:
        with lab.admin(other) as connection:
            channels.forget_all(connection)
    assert_refused(plan, "second_channel", other)
    assert "stray_channel" in [finding["code"] for finding in link["findings"]]


def test_plan__loop_guard_impossible__refused(silent: Scene) -> None:
    """A server_id that stands on both sides cannot be ignored by one of them."""
    candidate = silent.other(silent.pair()[0])
    own = silent.sql(candidate, "SELECT @@server_id AS id")[0]["id"]
    silent.sql(candidate, "SET GLOBAL server_id=22")
    try:
        plan = silent.console.plan(source_node=silent.console.node_id(candidate))
    finally:
        silent.sql(candidate, f"SET GLOBAL server_id={own}")
        silent.look_again(candidate)
    assert_refused(plan, "server_id_on_both_sides", "22")


def test_plan__facts_unknown__refused(silent: Scene) -> None:
    """What the monitor account may not read is unknown, and unknown never passes."""
    candidate = silent.other(silent.pair()[0])
    user = silent.stack.lab.describe()["clusters"][0]["credentials"]["monitor"]["user"]
    host = silent.sql(candidate, f"SELECT host FROM mysql.user WHERE user='{user}'")[0]
    who = f"'{user}'@'{next(iter(host.values()))}'"
    with silent.stack.lab.admin(candidate) as connection:
        privilege = "REPLICATION CLIENT" if forms(connection).is_mysql else "SLAVE MONITOR"
    silent.sql(candidate, f"REVOKE {privilege} ON *.* FROM {who}")
    try:
        silent.look_again(candidate)
        plan = silent.console.plan(source_node=silent.console.node_id(candidate))
    finally:
        silent.sql(candidate, f"GRANT {privilege} ON *.* TO {who}")
        silent.look_again(candidate)
    assert_refused(plan, "channels_unknown")


def test_plan__sites_cut_from_each_other__refused_and_shown(silent: Scene) -> None:
    """Both sites live and the console sees both; new channels would stand on the same cut way."""
    silent.stack.lab.cut("a-b")
    try:
        link = silent.wait_link(lambda now: now["state"] == "broken", "the cut to show")
        plan = plan_onto_others(silent)
    finally:
        silent.stack.lab.heal()
    assert_refused(plan, "site_path_unknown", "although both are up")
    assert link["state"] == "broken"
    silent.wait_link(lambda now: now["state"] == "protected", "the link to return automatically")


def test_run__facts_changed_since_the_plan__409_with_the_difference(silent: Scene) -> None:
    """A node failed between plan and confirmation."""
    plan = plan_onto_others(silent)
    bystander = silent.other(silent.pair()[0], than=(plan["target"]["source_name"],))
    silent.stack.lab.stop(bystander)
    wait_for(lambda: silent.reach(bystander) != "up", "its end to be seen")
    answer = silent.console.start(plan)
    silent.stack.lab.start(bystander)
    assert answer.status == 409
    assert answer.body["code"] == "facts_changed"
    assert f"{bystander}.reach" in [change["fact"] for change in answer.body["changes"]]


def test_run__plan_expired__410(silent: Scene) -> None:
    """A plan older than its limit sends nothing."""
    plan = plan_onto_others(silent)
    manage(
        silent,
        "from backend.operations.runs.models import Plan; from django.utils import timezone; "
        "from datetime import timedelta; "
        f"Plan.objects.filter(pk='{plan['id']}').update(expires_at=timezone.now() - timedelta(seconds=1))",
    )
    answer = silent.console.start(plan)
    assert (answer.status, answer.body["code"]) == (410, "plan_expired")


@pytest.mark.parametrize("wrong", [{"confirm": "payment"}, {"digest": "0" * 64}], ids=["confirm", "digest"])
def test_run__wrong_confirmation__422(silent: Scene, wrong: dict[str, str]) -> None:
    """The name must be typed exactly and the plan read be the plan run."""
    answer = silent.console.start(plan_onto_others(silent), **wrong)
    assert answer.status == 422
    assert next(iter(wrong)) in str(answer.body["errors"])


def test_run__another_run_unfinished__409_names_it(scene: Scene) -> None:
    """One unfinished run a link."""
    first, second = plan_onto_others(scene), plan_onto_others(scene)
    with scene.stack.paused_worker():
        started = scene.console.start(first)
        answer = scene.console.start(second)
    run = scene.console.wait_run(started.body["id"])
    assert answer.status == 409
    assert answer.body["code"] == "run_unfinished"
    assert answer.body["run_id"] == run["id"]
    assert run["state"] == "succeeded"
    scene.judge()


def test_lookup__receivers_own_counter__is_another_transaction_or_none(scene: Scene) -> None:
    """The 2014 recipe's number, looked up literally, misses once the counters differ."""
    source, replica = scene.pair()
    candidate = scene.other(source)
    scene.stop_channel(replica)
    scene.wait_writes(10, site="a")
    receivers = scene.sql(replica, "SHOW STATUS LIKE 'wsrep_last_committed'")[0]["Value"]
    naive = scene.console.get(f"/nodes/{scene.console.node_id(candidate)}/locate?xid={receivers}")
    plan = scene.console.plan(source_node=scene.console.node_id(candidate))
    scene.start_channel(replica)
    forward = plan["positions"][0]
    assert forward["proven"], forward["reasons"]
    position = (naive.get("file"), naive.get("position"))
    assert position != (forward["file"], forward["position"]), "the counters were meant to differ"
