"""One relocate on the newest release that can be had, which differs most from the host's."""

from __future__ import annotations

from tests.galera.relocate import source_lost
from tests.galera.scene import Scene

SERVER = "mariadb-11.8"
COUNTERS_DIFFER = False


def test_relocate__source_lost_on_11_8__every_write_exactly_once(scene: Scene) -> None:
    """New binary log rules, TLS asked for by default, and the provider's plugin, all at once."""
    source_lost(scene)
