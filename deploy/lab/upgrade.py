"""Upgrades one node to another release, as an administrator does it in a rolling upgrade."""

from __future__ import annotations

import subprocess

from deploy.lab.cluster import LabContext
from deploy.lab.errors import LabError
from deploy.lab.layout import Node

LIMIT_S = 120.0


def upgrade_system_tables(ground: LabContext, node: Node) -> None:
    """`mariadb-upgrade` on a node that runs already; it writes neither to the binary log nor to the cluster.

    A server of MySQL's families has done it at its start.
    """
    server = ground.server(node)
    if server.family.is_mysql:
        return
    program = next((path for folder in server.path if (path := folder / "mariadb-upgrade").exists()), "mariadb-upgrade")
    log = ground.paths.log("upgrade")
    with log.open("ab") as output:
        done = subprocess.run(
            [program, "--no-defaults", f"--socket={ground.paths.socket(node.name)}", f"--user={ground.admin.user}",
             f"--password={ground.admin.password}", "--upgrade-system-tables", "--force"],
            check=False, stdout=output, stderr=output, timeout=LIMIT_S, env=server.environment(),
        )  # fmt: skip
    if done.returncode != 0:
        raise LabError(f"mariadb-upgrade failed on {node.name}. See {log}")
