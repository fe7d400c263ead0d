"""The returned side does not start its channel (`skip_slave_start`), and the standby had been a passive one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from tests.galera.console import refusals, sentences
from tests.galera.scene import Scene
from tests.galera.sites import begin, fail_over, fence_and_list, lose_site, reprotect, restart_site, slow, switch


@pytest.fixture
def channels_wait(scene: Scene) -> Iterator[Scene]:
    """Channels do not start with the server, as the documents recommend for production."""
    configs = {name: scene.stack.lab.ground.paths.config(name) for name in scene.nodes()}
    before = {name: config.read_text() for name, config in configs.items()}
    for name, config in configs.items():
        config.write_text(before[name].rstrip() + "\nskip_slave_start=ON\n")
    try:
        yield scene
    finally:
        for name, config in configs.items():
            config.write_text(before[name])


@pytest.mark.parametrize("way", ["replay", pytest.param("undo", marks=pytest.mark.whole)])
def test_reprotect__channel_not_started_and_standby_was_passive__proven_by_the_channels_own_coordinates(
    channels_wait: Scene, way: str
) -> None:
    scene = channels_wait
    begin(scene)
    scene.stop_writes()
    scene.write_on(replace(slow(scene), sites=("a",)))
    purge_what_the_standby_wrote(scene)
    for _ in range(3):  # the monitor samples both sides for longer than one sample takes
        scene.wait_writes(5)
        scene.look_again()
    lost = [name for name in scene.nodes() if name.startswith("db-a")]
    scene.sql(scene.pair()[1], "STOP SLAVE IO_THREAD")
    scene.wait_writes(10)
    scene.look_again()
    lose_site(scene, lost)
    fail_over(scene, lost, accept_loss=True)
    scene.stack.lab.load_stop()
    scene.write_on(replace(slow(scene), sites=("b",)))
    restart_site(scene)
    orphans = fence_and_list(scene)
    assert orphans

    plan = scene.console.plan("reprotect", orphans=way)
    assert not refusals(plan), sentences(plan)
    reprotect(scene, orphans=way)
    scene.wait_writes()
    if way == "undo":
        scene.stack.stated_losses |= orphans
    scene.judge()
    switch(scene, "failback", allow_long_transactions=True)


def purge_what_the_standby_wrote(scene: Scene) -> None:
    """No retained log holds a transaction of the standby: as after a week of a passive one."""
    for name in scene.nodes():
        scene.sql(name, "FLUSH BINARY LOGS")
    source, replica = scene.pair()
    scene.wait_received(source, replica)  # a log that a channel still reads is not purged
    scene.wait_received(replica, source)
    for name in scene.nodes():
        newest = scene.sql(name, "SHOW BINARY LOGS")[-1]["Log_name"]
        scene.sql(name, f"PURGE BINARY LOGS TO '{newest}'")
