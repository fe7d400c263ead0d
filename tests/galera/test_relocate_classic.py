"""Every relocate scenario on the `classic` lab, under load, judged transaction by transaction."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.galera.relocate import SCENARIOS
from tests.galera.scene import Scene

VARIANT = "classic"


@pytest.mark.parametrize("play", SCENARIOS, ids=lambda play: play.__name__)
def test_relocate__under_load__every_write_exactly_once(scene: Scene, play: Callable[[Scene], None]) -> None:
    """Nothing lost, nothing doubled, nodes identical."""
    play(scene)
