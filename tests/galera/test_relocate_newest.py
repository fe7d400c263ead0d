"""One relocate on the newest release that can be had, which differs most from the host's."""

from __future__ import annotations

import pytest

from tests.galera.relocate import source_lost
from tests.galera.scene import Scene

SERVER = "mariadb-11.8"
COUNTERS_DIFFER = False
LANE = "others"
pytestmark = pytest.mark.whole  # 97 s from nothing to the end on a machine at load 12, which make test does not have


def test_relocate__source_lost_on_11_8__every_write_exactly_once(scene: Scene) -> None:
    """New binary log rules, TLS asked for by default, and the provider's plugin, all at once."""
    source_lost(scene)
