"""A rolling upgrade that begins with the active side."""

from __future__ import annotations

import pytest

from tests.galera.scene import Scene
from tests.galera.upgrade import roll

SERVER = "mariadb-10.11"
pytestmark = pytest.mark.whole


def test_upgrade__active_side_first__every_write_exactly_once(scene: Scene) -> None:
    """The forward channel's source is newer than its replica, which is when moves were refused before."""
    roll(scene, "a", "b")
