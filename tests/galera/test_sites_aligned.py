"""Switchover, failover, reprotect and failback, under load on real clusters, in the `aligned` variant."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.galera.scene import Scene
from tests.galera.sites import EVERY_VARIANT, begin


@pytest.fixture(scope="module")
def variant() -> str:
    return "aligned"


@pytest.mark.parametrize("scenario", EVERY_VARIANT, ids=lambda scenario: scenario.__name__)
def test_site__under_load__every_write_exactly_once(scene: Scene, scenario: Callable[[Scene], None]) -> None:
    begin(scene)
    scenario(scene)
