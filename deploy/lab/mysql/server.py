"""One MySQL server of the pair: its options, its process and its administrator's session."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deploy.lab.errors import LabError
from deploy.lab.layout import Node
from deploy.lab.mysql.options import COMMON, base_options
from deploy.lab.mysql.template import command
from deploy.lab.server.accounts import Account
from deploy.lab.server.database import SERVER_ERRORS, Row, admin_session, rows
from deploy.servers.server import Server
from deploy.services.process import Child, wait_until

ROOT = Account("root", "")
_START_S = 60


@dataclass
class MysqlServer:
    """A server with a folder of its own; `home` is readable by its owner alone, and root has no password."""

    node: Node
    home: Path
    release: Server
    options: dict[str, str]
    child: Child | None = None

    @property
    def socket(self) -> Path:
        """The administrator's way in."""
        return self.home / "s.sock"

    @property
    def _init_file(self) -> Path:
        return self.home / "init.sql"

    def create(self, template: Path, init: Sequence[str]) -> None:
        """The data folder from the template; `init` is run at the first start and not logged."""
        self.home.mkdir(mode=0o700, parents=True)
        (self.home / "tmp").mkdir()
        shutil.copytree(template, self.home / "data")
        self._init_file.touch(mode=0o600)
        self._init_file.write_text("".join(f"{statement};\n" for statement in ("SET sql_log_bin=0", *init)))

    def launch(self) -> None:
        """Start it without waiting, see `await_ready`."""
        whole = COMMON | base_options(self.release, self.home / "data") | self._own() | self.options
        if self._init_file.exists():
            whole["init_file"] = str(self._init_file)
        self.child = Child(
            self.node.name,
            command(self.release, whole),
            self.home / "server.log",
            env=self.release.environment(),
            grace_s=30,
        ).start()

    def await_ready(self) -> None:
        """Wait until it runs statements, which is after its init file; LabError with its last words."""
        if self.child is None or not wait_until(self._responds, _START_S, self.child):
            text = self.child.tail() if self.child is not None else "it was not launched"
            self.stop()
            raise LabError(f"{self.node.name} did not come up:\n{text}")
        self._init_file.unlink(missing_ok=True)

    def _responds(self) -> bool:
        """The address is open before the socket is."""
        try:
            return bool(self.value("1"))
        except SERVER_ERRORS:
            return False

    def start(self) -> None:
        """Start it and wait until it runs statements."""
        self.launch()
        self.await_ready()

    def _own(self) -> dict[str, str]:
        node, tls = self.node, self.home.parent / "tls"
        return {
            "tmpdir": str(self.home / "tmp"),
            "socket": str(self.socket),
            "pid_file": str(self.home / "server.pid"),
            "bind_address": node.host,
            "port": str(node.port),
            "report_host": node.host,
            "report_port": str(node.port),
            "server_id": str(node.server_id),
            "ssl_ca": str(tls / "ca.pem"),
            "ssl_cert": str(tls / f"{node.name}.pem"),
            "ssl_key": str(tls / f"{node.name}.key"),
        }

    def stop(self) -> None:
        """End it, by its own process id; safe to call twice."""
        if self.child is not None:
            self.child.stop()

    def kill(self) -> None:
        """End it as a power failure would."""
        if self.child is not None and self.child.process is not None:
            self.child.process.kill()
            self.child.process.wait()

    def sql(self, statement: str, *, seconds: int = 10) -> list[Row]:
        """One statement as root."""
        with admin_session(self.socket, ROOT, seconds=seconds) as connection:
            return rows(connection, statement)

    def value(self, expression: str) -> Any:
        """What the server answers to `SELECT expression`."""
        return self.sql(f"SELECT {expression} AS value")[0]["value"]
