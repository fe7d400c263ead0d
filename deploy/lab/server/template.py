"""A prepared data folder: system tables, accounts and application tables, made once a release, copied for each node.

It is made by a server without binlog and without Galera, so both clusters begin with the same rows and empty logs.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from deploy.lab.errors import LabError
from deploy.lab.layout import Paths
from deploy.lab.mysql import grants as mysql_grants
from deploy.lab.mysql import template as mysql_template
from deploy.lab.server.accounts import Account
from deploy.lab.server.config import COMMON
from deploy.lab.server.grants import account_sql
from deploy.lab.server.schema import schema_sql, tables_sql
from deploy.servers.server import Server

LOCK_ROOT = "ALTER USER root@localhost ACCOUNT LOCK"
"""`--initialize-insecure` leaves it without a password."""


def ensure(paths: Paths, server: Server, accounts: dict[str, Account], user: str) -> None:
    """Create the template of a release unless it is complete already."""
    folder, log = paths.template(server.name), paths.log("template")
    if folder.exists():
        return
    folder.parent.mkdir(mode=0o700, exist_ok=True)
    if server.family.is_mysql:
        mysql_template.initialize(server, folder, [*mysql_grants.account_sql(accounts), *tables_sql(), LOCK_ROOT])
        return
    building = folder.with_name(f"{server.name}.building")
    shutil.rmtree(building, ignore_errors=True)
    scratch = folder.with_name(f"{server.name}.tmp")  # see `Paths.tmpdir`
    scratch.mkdir(mode=0o700, exist_ok=True)
    shared = [
        f"--datadir={building}",
        f"--user={user}",
        f"--tmpdir={scratch}",
        f"--innodb-log-file-size={COMMON['innodb_log_file_size']}",
    ]
    _run(server, log, _install_command(server, shared))
    # In bootstrap mode accounts can be managed once the grant tables are loaded.
    statements = ["FLUSH PRIVILEGES", *account_sql(accounts), *schema_sql()]
    bootstrap = [str(server.daemon), "--no-defaults", "--bootstrap", *_folders(server), *shared]
    _run(server, log, bootstrap, "".join(f"{statement};\n" for statement in statements))
    building.rename(folder)


def _install_command(server: Server, shared: list[str]) -> list[str]:
    """The script takes only the base folder of a release, and finds the rest below it."""
    base = [f"--basedir={server.options['basedir']}"] if "basedir" in server.options else []
    options = ["--skip-test-db", "--auth-root-authentication-method=socket"]
    return [str(server.installer), "--no-defaults", *base, *options, *shared]


def _folders(server: Server) -> list[str]:
    names = ("basedir", "lc_messages_dir", "character_sets_dir", "plugin_dir")
    return [f"--{name}={server.options[name]}" for name in names if name in server.options]


def _run(server: Server, log: Path, command: list[str], text: str = "") -> None:
    done = subprocess.run(
        command, check=False, input=text, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        env=server.environment(),
    )  # fmt: skip
    with log.open("a") as file:
        file.write(done.stdout)
    errors = [line.strip() for line in done.stdout.splitlines() if "ERROR" in line]
    if done.returncode != 0 or errors:
        raise LabError(f"{command[0]} failed ({(errors or [f'exit code {done.returncode}'])[0]}); see {log}")
