"""Switchover, failover, reprotect and failback, under load on real clusters, in the `shared-id` variant."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.galera.rebuild import site_rebuilt
from tests.galera.relocate import IS_WHOLE
from tests.galera.scene import Scene
from tests.galera.sites import ESSENTIAL_SITES, SITE_SCENARIOS, begin

VARIANT = "shared-id"
WALKED = (*SITE_SCENARIOS, site_rebuilt) if IS_WHOLE else ESSENTIAL_SITES


@pytest.mark.parametrize("scenario", WALKED, ids=lambda one: one.__name__)
def test_site__under_load__every_write_exactly_once(scene: Scene, scenario: Callable[[Scene], None]) -> None:
    begin(scene)
    scenario(scene)
