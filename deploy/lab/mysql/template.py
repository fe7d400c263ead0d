"""An empty data folder of a MySQL release, initialized once and kept beside the release, copied for each server."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

from deploy.lab.errors import LabError
from deploy.lab.mysql.options import base_options
from deploy.servers import store
from deploy.servers.folders import home, locked
from deploy.servers.server import Server

NAME = "mysql-9"
_SECONDS = 120


def ensure(say: Callable[[str], None] = print) -> tuple[Server, Path]:
    """The release and its template, fetched and initialized first if need be."""
    server = store.ensure(NAME, say)
    template = home() / NAME / "template"
    with locked(home()):
        if not template.exists():
            initialize(server, template)
    return server, template


def command(server: Server, options: dict[str, str], *switches: str) -> list[str]:
    """A call of the server with nothing but these options."""
    given = [f"--{name}={value}" for name, value in options.items()]
    return [str(server.daemon), "--no-defaults", *switches, *given]


def initialize(server: Server, template: Path, statements: Sequence[str] = ()) -> None:
    """Make the folder, and run the statements in it; LabError with the server's last words.

    In a folder beside it first, so that an interrupted one never passes for a template.
    """
    building = template.with_name(f"{template.name}.building")
    shutil.rmtree(building, ignore_errors=True)
    init = template.with_name(f"{template.name}.sql")
    init.touch(mode=0o600)
    init.write_text("".join(f"{statement};\n" for statement in statements))
    options = base_options(server, building) | {"init_file": str(init)}
    try:
        done = subprocess.run(
            command(server, options, "--initialize-insecure", "--skip-log-bin"), check=False, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=server.environment(), timeout=_SECONDS,
        )  # fmt: skip
    finally:
        init.unlink()
    if done.returncode != 0:
        raise LabError(f"{server.daemon} --initialize-insecure failed: {done.stdout.strip()[-500:]}")
    # Each server that starts from the copy makes a UUID of its own.
    (building / "auto.cnf").unlink(missing_ok=True)
    building.rename(template)
