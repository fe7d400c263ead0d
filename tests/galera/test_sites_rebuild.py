"""A site that is lost, rebuilt with mariadb-backup under load, attached where the backup was taken, home again."""

from __future__ import annotations

from tests.galera.rebuild import site_rebuilt
from tests.galera.scene import Scene
from tests.galera.sites import begin

VARIANT = "classic"


def test_site__rebuilt_under_load__attached_at_its_backup_and_home_again(scene: Scene) -> None:
    begin(scene)
    site_rebuilt(scene)
