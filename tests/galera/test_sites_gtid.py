"""Switchover, failover, reprotect and failback, under load on real clusters, in the `gtid` variant."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.galera.scene import Scene
from tests.galera.sites import BY_GTID, begin


@pytest.fixture(scope="module")
def variant() -> str:
    return "gtid"


@pytest.mark.parametrize("scenario", BY_GTID, ids=lambda scenario: scenario.__name__)
def test_site__under_load__every_write_exactly_once(scene: Scene, scenario: Callable[[Scene], None]) -> None:
    begin(scene)
    scenario(scene)
