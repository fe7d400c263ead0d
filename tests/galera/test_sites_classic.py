"""Switchover, failover, reprotect and failback, under load on real clusters, in the `classic` variant."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.galera.console import describe
from tests.galera.scene import Scene
from tests.galera.sites import SITE_SCENARIOS, begin, fences, switch

VARIANT = "classic"


@pytest.mark.parametrize("scenario", SITE_SCENARIOS, ids=lambda scenario: scenario.__name__)
def test_site__under_load__every_write_exactly_once(scene: Scene, scenario: Callable[[Scene], None]) -> None:
    begin(scene)
    scenario(scene)


def test_switchover__queries_rejected_too__clients_turned_away_until_the_other_side_is_open(scene: Scene) -> None:
    """wsrep_reject_queries needs SUPER, which the lab's operator account gets for this test alone."""
    begin(scene)
    nodes = [name for name in scene.nodes() if name.startswith("db-a")]
    account = f"'{scene.stack.lab.accounts['operator'].user}'@'%'"
    scene.sql(nodes[0], f"GRANT SUPER ON *.* TO {account}")
    scene.look_again()  # it sees a channel that this statement stopped
    scene.start_stopped_channels()
    try:
        run = switch(scene, "switchover", reject_queries=True)
        seen = [step["facts"]["wsrep_reject_queries"] for step in run["steps"] if step["code"] == "reject_queries"]
        assert seen == ["ALL"] * len(nodes), describe(run)
        assert reject_queries(scene, nodes) == {"NONE"}
        assert {fences(scene)[name] for name in nodes} == {"1"}
        scene.wait_link(lambda now: now["state"] == "protected", "the link to be protected the other way round")
        switch(scene, "failback")
    finally:
        scene.sql(nodes[0], f"REVOKE SUPER ON *.* FROM {account}")
    scene.look_again()
    scene.start_stopped_channels()
    scene.judge()


def reject_queries(scene: Scene, nodes: list[str]) -> set[str]:
    """`wsrep_reject_queries` of these nodes."""
    return {str(scene.sql(name, "SHOW GLOBAL VARIABLES LIKE 'wsrep_reject_queries'")[0]["Value"]) for name in nodes}
