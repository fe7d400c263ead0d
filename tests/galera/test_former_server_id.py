"""A cluster with wsrep_gtid_mode=ON goes on under the server_id of its bootstrap; nobody told the console of it."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.galera.console import describe, refusals
from tests.galera.scene import Scene, restart_with
from tests.galera.stack import ROOT
from tests.support.waiting import wait_for

pytestmark = pytest.mark.reported
VARIANT, COUNTERS_DIFFER = "gtid", False
NEW_ID = 700

FORGET = """
import django; django.setup()
from backend.clusters.models import Cluster, Node
Cluster.objects.update(known_server_ids={}, logged_origins=None)
Node.objects.update(server="", server_id=None)
"""
"""As if the servers had been registered after their ids were changed."""


def last_ids(scene: Scene, node: str, domain: int) -> set[int]:
    """The server_id of the last transaction in the domain, as the node logs it."""
    position = scene.sql(node, "SELECT @@gtid_binlog_pos AS p")[0]["p"]
    parts = [part.split("-") for part in position.split(",")]
    return {int(part[1]) for part in parts if int(part[0]) == domain}


def test_relocate__cluster_logs_under_the_id_of_its_bootstrap__nothing_comes_home(scene: Scene) -> None:
    scene.stack.is_given_up = True
    source, replica = scene.pair()
    side = [name for name in scene.nodes() if name.startswith("db-a")]
    old = int(scene.sql(source, "SELECT @@server_id AS i")[0]["i"])
    for name in side:
        restart_with(scene, name, f"server_id = {NEW_ID}")
        wait_for(lambda name=name: scene.reach(name) == "up", f"{name} to be back")
    environment = scene.stack.worker_env() | {"DJANGO_SETTINGS_MODULE": "backend.config.settings"}
    subprocess.run([sys.executable, "-c", FORGET], cwd=ROOT, env=environment, check=True, timeout=120)
    scene.wait_writes()
    ids = {name: last_ids(scene, name, 100) for name in side}
    assert all(ids.values()), ids

    cluster = scene.console.link()["active_cluster"]["id"]
    wait_for(lambda: {old, NEW_ID} <= known(cluster, environment), "the id in the logs to be known as its own", 120)
    assert "gtid_server_ids_differ" in refusals(scene.console.plan("relocate"))
    for node in (source, replica):
        for statement in ("STOP SLAVE", "CHANGE MASTER TO MASTER_USE_GTID=no", "START SLAVE"):
            scene.sql(node, statement)
    scene.wait_link(lambda now: now["state"] == "protected", "the link to be protected")
    new = scene.console.node_id(scene.other(source))
    run = scene.console.run_planned("relocate", source_node=new)
    assert run["state"] == "succeeded", describe(run)
    row = scene.sql(scene.other(source), "SHOW ALL SLAVES STATUS")[0]
    assert {int(text) for text in row["Replicate_Ignore_Server_Ids"].split(",")} == {old, NEW_ID}
    scene.judge()


def known(cluster_id: str, environment: dict[str, str]) -> set[int]:
    """The server_ids that the console's database has of a cluster."""
    code = (
        "import django; django.setup()\n"
        "from backend.clusters.models import Cluster\n"
        f"print(*Cluster.objects.get(pk={cluster_id!r}).known_server_ids.values())"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environment, check=True, timeout=120, capture_output=True, text=True
    )
    return set(map(int, done.stdout.split()))
