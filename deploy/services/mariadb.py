"""A private MariaDB for the console's own database under test: temporary, loopback only.

Flushing is loose here unless `durable` is asked for: where the server is to be killed, what it acknowledged must stay.
"""

from __future__ import annotations

import getpass
import os
import secrets
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from deploy.services.net import LOOPBACK, free_port, port_open
from deploy.services.process import Child, ServiceError, run, wait_until

USER = "hawser"


@dataclass(frozen=True)
class MariaDB:
    """A running server: its process and the console's address in it."""

    child: Child
    url: str
    port: int


def server_options(datadir: Path, port: int, init_file: Path, *, durable: bool = False) -> list[str]:
    """Options of the server, one a list item."""
    return [
        f"--datadir={datadir}",
        # A server that starts deletes every `#sql*` file of its tmpdir: in a shared one other servers' temporary
        # tables vanish (ERROR 1051 within mariadb-install-db, seen with several labs at once).
        f"--tmpdir={datadir.parent}",
        f"--bind-address={LOOPBACK}",
        f"--port={port}",
        f"--socket={datadir / 's.sock'}",
        f"--pid-file={datadir / 'server.pid'}",
        f"--init-file={init_file}",
        "--skip-name-resolve",
        "--character-set-server=utf8mb4",
        "--collation-server=utf8mb4_bin",
        "--sql-mode=STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION",
        "--innodb-buffer-pool-size=128M",
        f"--innodb-flush-log-at-trx-commit={int(durable)}",
        "--innodb-lock-wait-timeout=15",
        "--sync-binlog=0",
        "--performance-schema=OFF",
        # The audit tables are guarded by triggers, also where a binary log is on.
        "--log-bin-trust-function-creators=ON",
        "--skip-log-bin",
        *(["--user=root"] if os.getuid() == 0 else []),
    ]


def start_mariadb(
    home: Path, log: Path, database: str = "hawser", *, durable: bool = False, further: Sequence[str] = ()
) -> MariaDB:
    """Installs an empty server below `home`, starts it, and waits for the console's account."""
    datadir = home / "data"
    shutil.rmtree(datadir, ignore_errors=True)
    datadir.mkdir(parents=True)
    run(
        [
            "mariadb-install-db",
            "--no-defaults",
            f"--datadir={datadir}",
            "--auth-root-authentication-method=normal",
            "--skip-test-db",
            f"--tmpdir={home}",
            f"--user={getpass.getuser()}",
        ]
    )
    port, password = free_port(), secrets.token_urlsafe(24)
    init_file = home / "init.sql"
    init_file.touch(mode=0o600)
    init_file.write_text(
        f"CREATE DATABASE IF NOT EXISTS {database};\n"
        f"CREATE USER IF NOT EXISTS {USER}@'{LOOPBACK}' IDENTIFIED BY '{password}';\n"
        f"GRANT ALL ON *.* TO {USER}@'{LOOPBACK}';\n"
    )
    command = ["mariadbd", "--no-defaults", *server_options(datadir, port, init_file, durable=durable), *further]
    child = Child("mariadb", command, log, grace_s=30).start()
    if not wait_until(lambda: port_open(port), 60, child):
        child.stop()
        raise ServiceError(f"mariadbd did not come up:\n{child.tail()}")
    return MariaDB(child, f"mysql://{USER}:{password}@{LOOPBACK}:{port}/{database}", port)
