"""Switchover, failover, reprotect and failback, under load on real clusters, in the `classic` variant."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.galera.scene import Scene
from tests.galera.sites import SITE_SCENARIOS, begin

VARIANT = "classic"


@pytest.mark.parametrize("scenario", SITE_SCENARIOS, ids=lambda scenario: scenario.__name__)
def test_site__under_load__every_write_exactly_once(scene: Scene, scenario: Callable[[Scene], None]) -> None:
    begin(scene)
    scenario(scene)
