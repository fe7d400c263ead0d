"""A rolling upgrade that begins with the standby side, as administrators mostly do it."""

from __future__ import annotations

import pytest

from tests.galera.scene import Scene
from tests.galera.upgrade import roll

SERVER = "mariadb-10.11"
COUNTERS_DIFFER = False
pytestmark = pytest.mark.whole


def test_upgrade__standby_side_first__every_write_exactly_once(scene: Scene) -> None:
    """The reverse channel's source is newer than its replica."""
    roll(scene, "b", "a")
