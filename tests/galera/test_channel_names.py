"""A link whose channels have a name that no file could bear: registered, relocated, judged."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from backend.core.dialects.quoting import shown_channel
from tests.galera.console import describe
from tests.galera.relocate import scene_pair
from tests.galera.scene import Scene
from tests.galera.stack import ROOT
from tests.support.waiting import wait_for

pytestmark = pytest.mark.reported

NAME = "dr_east-1 'Größe'"


@contextmanager
def named(scene: Scene, name: str) -> Iterator[None]:
    """Both channels and the link under a name; under none again afterwards."""
    rename(scene, "", name)
    try:
        yield
    finally:
        rename(scene, name, "")


def rename(scene: Scene, old: str, new: str) -> None:
    """As an administrator would: the channels set up again at their places, the link told of it."""
    account = scene.stack.lab.accounts["replication"]
    for replica in scene.pair():
        old_text, new_text = shown_channel(old), shown_channel(new)
        scene.sql(replica, f"STOP SLAVE{old_text}")
        row = scene.sql(replica, f"SHOW SLAVE{old_text} STATUS")[0]
        scene.sql(replica, f"RESET SLAVE{old_text} ALL")
        scene.sql(
            replica,
            f"CHANGE MASTER{new_text} TO MASTER_HOST='{row['Master_Host']}', MASTER_PORT={row['Master_Port']}, "
            f"MASTER_USER='{account.user}', MASTER_PASSWORD='{account.password}', MASTER_CONNECT_RETRY=2, "
            f"MASTER_HEARTBEAT_PERIOD=2, IGNORE_SERVER_IDS=({row['Replicate_Ignore_Server_Ids'].replace(' ', '')}), "
            f"MASTER_LOG_FILE='{row['Relay_Master_Log_File']}', MASTER_LOG_POS={row['Exec_Master_Log_Pos']}, "
            "MASTER_USE_GTID=no",
        )
        scene.sql(replica, f"START SLAVE{new_text}")
    update = f"from backend.clusters.models import Link; Link.objects.update(channel_name={new!r})"
    code = f"import django; django.setup(); {update}"
    env = scene.stack.worker_env() | {"DJANGO_SETTINGS_MODULE": "backend.config.settings"}
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=env, check=True, timeout=60)
    wait_for(lambda: scene.console.link()["state"] == "protected", "the link to be protected", pause_s=0.5)


def test_relocate__channel_with_a_dash_blanks_quotes_and_umlauts__source_lost_and_planned(scene: Scene) -> None:
    """The source lost: its relay log, named after the channel, says what was applied; then a move of both."""
    with named(scene, NAME):
        source, replica = scene.pair()
        scene.kill(source)
        run = scene.console.relocate()
        assert scene_pair(run) == (scene.other(source), replica)
        (relay,) = [
            evidence["detail"]
            for position in scene.console.get(f"/plans/{run['plan_id']}")["positions"]
            if position["direction"] == "forward"
            for evidence in position["evidence"]
            if evidence["family"] == "seqno" and evidence["agrees"]
        ]
        assert "Relay log" in relay, "the log of that name could not be read"
        scene.judge()
        scene.stack.lab.start(source)
        scene.wait_link(lambda now: any(c["stray"] for c in now["channels"]), "the old holder to be seen")
        scene.heal()

        new_source, new_replica = scene.other(scene.pair_now()[0]), scene.other(replica)
        run = scene.console.relocate(
            source_node=scene.console.node_id(new_source), replica_node=scene.console.node_id(new_replica)
        )
        assert scene_pair(run) == (new_source, new_replica), describe(run)
        assert scene.sql(new_replica, "SHOW ALL SLAVES STATUS")[0]["Connection_name"] == NAME
        scene.judge()
