"""Every relocate scenario on the `shared-id` lab, under load, judged transaction by transaction."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.galera.relocate import ESSENTIAL, IS_WHOLE, SCENARIOS
from tests.galera.scene import Scene

VARIANT = "shared-id"


@pytest.mark.parametrize("play", SCENARIOS if IS_WHOLE else ESSENTIAL, ids=lambda play: play.__name__)
def test_relocate__under_load__every_write_exactly_once(scene: Scene, play: Callable[[Scene], None]) -> None:
    """Nothing lost, nothing doubled, nodes identical."""
    play(scene)
