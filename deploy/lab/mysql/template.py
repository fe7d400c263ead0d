"""An empty data folder of a MySQL release, initialized once and kept beside the release, copied for each server."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

from deploy.lab.errors import LabError
from deploy.servers import store
from deploy.servers.folders import home, locked
from deploy.servers.server import Server

NAME = "mysql-9"
REDO_LOG = "16M"
_SECONDS = 120


def ensure(say: Callable[[str], None] = print) -> tuple[Server, Path]:
    """The release and its template, fetched and initialized first if need be."""
    server = store.ensure(NAME, say)
    template = home() / NAME / "template"
    with locked(home()):
        if not template.exists():
            _initialize(server, template)
    return server, template


def base_options(server: Server, datadir: Path) -> dict[str, str]:
    """What every start of the release needs: Debian's compiled-in folders are the host's, or missing."""
    return {
        **server.options,
        "secure_file_priv": "NULL",
        "datadir": str(datadir),
        "innodb_redo_log_capacity": REDO_LOG,
        "user": pwd.getpwuid(os.getuid()).pw_name,
    }


def command(server: Server, options: dict[str, str], *switches: str) -> list[str]:
    """A call of the server with nothing but these options."""
    given = [f"--{name}={value}" for name, value in options.items()]
    return [str(server.daemon), "--no-defaults", *switches, *given]


def _initialize(server: Server, template: Path) -> None:
    """In a folder beside it first, so that an interrupted one never passes for a template."""
    building = template.with_name("template.building")
    shutil.rmtree(building, ignore_errors=True)
    call = command(server, base_options(server, building), "--initialize-insecure", "--skip-log-bin")
    done = subprocess.run(
        call, check=False, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=server.environment(),
        timeout=_SECONDS,
    )  # fmt: skip
    if done.returncode != 0:
        raise LabError(f"{server.daemon} --initialize-insecure failed: {done.stdout.strip()[-500:]}")
    # Each server that starts from the copy makes a UUID of its own.
    (building / "auto.cnf").unlink(missing_ok=True)
    building.rename(template)
