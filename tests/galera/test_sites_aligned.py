"""Switchover, failover, reprotect and failback, under load on real clusters, in the `aligned` variant."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.galera.relocate import IS_WHOLE
from tests.galera.scene import Scene
from tests.galera.sites import ESSENTIAL_SITES, SITE_SCENARIOS, begin

VARIANT = "aligned"


@pytest.mark.parametrize("scenario", SITE_SCENARIOS if IS_WHOLE else ESSENTIAL_SITES, ids=lambda one: one.__name__)
def test_site__under_load__every_write_exactly_once(scene: Scene, scenario: Callable[[Scene], None]) -> None:
    begin(scene)
    scenario(scene)
