"""A prepared data folder: system tables, accounts and application tables, made once and copied for every node.

It is made by a server without binlog and without Galera, so both clusters begin with the same rows and empty logs.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from deploy.lab.errors import LabError
from deploy.lab.server.accounts import Account
from deploy.lab.server.config import COMMON
from deploy.lab.server.grants import account_sql
from deploy.lab.server.schema import schema_sql


def ensure(folder: Path, log: Path, accounts: dict[str, Account], user: str) -> None:
    """Create the template unless it is complete already."""
    if folder.exists():
        return
    building = folder.with_name("template.building")
    shutil.rmtree(building, ignore_errors=True)
    scratch = folder.with_name("template.tmp")  # see `Paths.tmpdir`
    scratch.mkdir(mode=0o700, exist_ok=True)
    size = f"--innodb-log-file-size={COMMON['innodb_log_file_size']}"
    _run(
        ["mariadb-install-db", "--no-defaults", f"--datadir={building}", f"--user={user}", "--skip-test-db",
         "--auth-root-authentication-method=socket", f"--tmpdir={scratch}", size],
        log,
    )  # fmt: skip
    # In bootstrap mode accounts can be managed once the grant tables are loaded.
    statements = ["FLUSH PRIVILEGES", *account_sql(accounts), *schema_sql()]
    _run(
        [
            "mariadbd",
            "--no-defaults",
            "--bootstrap",
            f"--datadir={building}",
            f"--user={user}",
            f"--tmpdir={scratch}",
            size,
        ],
        log,
        "".join(f"{statement};\n" for statement in statements),
    )
    building.rename(folder)


def _run(command: list[str], log: Path, text: str = "") -> None:
    done = subprocess.run(command, check=False, input=text, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    with log.open("a") as file:
        file.write(done.stdout)
    errors = [line.strip() for line in done.stdout.splitlines() if "ERROR" in line]
    if done.returncode != 0 or errors:
        raise LabError(f"{command[0]} failed ({(errors or [f'exit code {done.returncode}'])[0]}); see {log}")
