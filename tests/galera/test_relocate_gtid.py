"""Relocate scenarios on the `gtid` lab, under load, with strict mode off and on, judged transaction by transaction."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.galera import relocate
from tests.galera.by_gtid import assert_by_gtid, set_strict
from tests.galera.console import refusals, sentences
from tests.galera.scene import Scene

VARIANT = "gtid"


@pytest.mark.parametrize(
    ("strict", "play"),
    [
        ("OFF", relocate.source_lost),
        pytest.param("OFF", relocate.planned_move, marks=pytest.mark.whole),
        ("ON", relocate.replica_lost),
        pytest.param("ON", relocate.both_lost, marks=pytest.mark.whole),
        ("ON", relocate.planned_move),
    ],
    ids=lambda value: value if isinstance(value, str) else value.__name__,
)
def test_relocate__by_gtid_under_load__every_write_exactly_once(
    scene: Scene, strict: str, play: Callable[[Scene], None]
) -> None:
    """Nothing lost, nothing doubled, nodes identical; channels follow GTIDs as before, strict mode is as it was."""
    set_strict(scene.stack, strict)
    play(scene)
    assert_by_gtid(scene, strict)


def test_relocate__ddl_last__every_write_exactly_once(scene: Scene) -> None:
    """The last group is DDL: no Xid, but a GTID."""
    set_strict(scene.stack, "OFF")
    relocate.ddl_last(scene)
    assert_by_gtid(scene)


def test_relocate__gtid_slave_pos_differs_on_a_neighbour__refused_by_name_then_mended(scene: Scene) -> None:
    """A node that says it applied more than its cluster holds (as after a failed DDL) stops the move."""
    set_strict(scene.stack, "OFF")
    source, replica = scene.pair()
    scene.stop_writes()
    neighbour = scene.other(replica)
    _level_drifted_numbers(scene, source)
    before = scene.sql(neighbour, "SELECT @@GLOBAL.gtid_slave_pos AS p")[0]["p"]
    domain, server, seq = next(g for g in before.split(",") if g.startswith("100-")).split("-")
    scene.sql(neighbour, f"SET GLOBAL gtid_slave_pos='{domain}-{server}-{int(seq) + 5}'")
    scene.kill(source)
    plan = scene.console.plan()
    assert "gtid_slave_pos_differs" in refusals(plan), plan["findings"]
    assert f"{neighbour}: {domain}-{server}-{int(seq) + 5}" in sentences(plan)

    scene.sql(neighbour, f"SET GLOBAL gtid_slave_pos='{before}'")
    scene.console.relocate()
    scene.stack.lab.load_start(scene.load)
    scene.judge()


def _level_drifted_numbers(scene: Scene, source: str) -> None:
    """On 11.4.5 a node that was killed before may number one less from then on (see `relocate`): a DBA sets it right."""
    if scene.stack.servers != "mariadb-11.4":
        return
    nodes = [name for name in scene.nodes() if name[:4] == source[:4] and name != source]
    positions = {name: str(scene.sql(name, "SELECT @@GLOBAL.gtid_slave_pos AS p")[0]["p"]) for name in nodes}
    highest = max(positions.values(), key=_sequence_numbers)
    for name, position in positions.items():
        if position != highest:
            scene.sql(name, f"SET GLOBAL gtid_slave_pos='{highest}'")


def _sequence_numbers(position: str) -> list[int]:
    return [int(one.rsplit("-", 1)[1]) for one in sorted(position.split(","))]
