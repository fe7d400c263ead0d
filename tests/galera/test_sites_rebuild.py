"""A site that is lost, copied anew with mariadb-backup under load, attached where the backup was taken, home again."""

from __future__ import annotations

import time

import pytest

from tests.galera.console import refusals, sentences
from tests.galera.rebuilding import attach, events_of, judge_exactly, lose_and_fail_over, plan_of, rebuild
from tests.galera.scene import Scene
from tests.galera.sites import begin, switch


@pytest.fixture(scope="module")
def variant() -> str:
    return "classic"


def test_site__rebuilt_under_load__attached_at_its_backup_and_home_again(scene: Scene) -> None:
    begin(scene)
    gone = lose_and_fail_over(scene)
    coordinate, galera = rebuild(scene)
    assert len(events_of(scene, "site.rebuilt")) == 1

    file, offset = coordinate.split()[:2]
    uuid, _, seqno = galera.split()[0].partition(":")
    for position in (f"{file} {int(offset) + 1}", f"{uuid}:{int(seqno) - 1}", f"{uuid}:{int(seqno) + 1}"):
        assert "position_not_proven" in refusals(plan_of(scene, position)), position
    assert "backup_position_missing" in refusals(scene.console.plan("reprotect", orphans="rebuild", accept_loss=True))
    assert "side_was_rebuilt" in refusals(scene.console.plan("reprotect"))
    assert "orphans_unknown" in refusals(plan_of(scene, galera, accept_loss=False))

    plan = plan_of(scene, galera)
    assert plan["state"] == "ready", sentences(plan)
    (forward,) = plan["positions"]
    assert [(e["family"], e["agrees"]) for e in forward["evidence"]] == [("backup", True), ("content", True)]
    attach(scene, coordinate)
    time.sleep(2)
    judge_exactly(scene, gone)
    switch(scene, "failback", allow_long_transactions=True)
    time.sleep(2)
    judge_exactly(scene, gone)
