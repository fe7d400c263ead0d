"""The console's database: a Galera cluster of three nodes, each with the check that HAProxy asks."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from deploy.lab.api import Lab
from deploy.lab.layout import Settings
from deploy.services.process import ROOT
from tests.ha.parts.part import Part

CHECK_PORT = 9200
# The console's triggers need the first, with a binary log; the rest is Galera's own default for nodes at one site.
OVERRIDES = {
    "log_bin_trust_function_creators": "ON",
    "innodb_buffer_pool_size": "128M",
    "evs.suspect_timeout": "PT5S",
    "evs.inactive_timeout": "PT15S",
    "evs.install_timeout": "PT7.5S",
}
USER, DATABASE = "hawser", "hawser_console"
"""The lab has a database `hawser` of its own: the probes of managed clusters."""


class ConsoleCluster:
    """Three nodes of one cluster; which one is written is HAProxy's choice."""

    def __init__(self, home: Path, net: str) -> None:
        self.home, self.lab, self.password = home, Lab(home / "db", net), secrets.token_hex(16)
        self.checks: dict[str, Part] = {}

    @property
    def names(self) -> list[str]:
        """In the order of preference."""
        return [node.name for node in self.lab.nodes]

    def start(self) -> None:
        """Up, with the console's account and its empty database."""
        self.lab.up(Settings(sizes=(2, 1), one_cluster=True, overrides=OVERRIDES))
        first = self.names[0]
        self.lab.sql(first, f"CREATE DATABASE {DATABASE} CHARACTER SET utf8mb4 COLLATE utf8mb4_bin")
        self.lab.sql(first, f"CREATE USER {USER}@'127.0.0.1' IDENTIFIED BY '{self.password}'")
        self.lab.sql(first, f"GRANT ALL ON {DATABASE}.* TO {USER}@'127.0.0.1'")
        for node in self.lab.nodes:
            self.checks[node.name] = self._check(node.name, node.host).start()

    def _check(self, name: str, host: str) -> Part:
        admin = self.lab.accounts["admin"]
        config = self.home / f"check-{name}.cnf"
        config.touch(mode=0o600)
        config.write_text(
            f"[client]\nuser={admin.user}\npassword={admin.password}\nsocket={self.lab.paths.socket(name)}\n"
        )
        listen = f"TCP-LISTEN:{CHECK_PORT},bind={host},reuseaddr,fork"
        script = f"EXEC:{ROOT / 'deploy/proxy/galera-check.sh'}"
        env = {"HAWSER_CHECK_OPTIONS": f"--defaults-file={config}", "PATH": os.environ["PATH"]}
        return Part(f"check-{name}", ["socat", listen, script], self.home, env, is_light=True)

    def down(self) -> None:
        """All of it."""
        for check in self.checks.values():
            check.end()
        if self.lab.exists:
            self.lab.down()
