"""A MariaDB for consoles that have an account for each of their tasks."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from deploy.services.process import ROOT


@dataclass(frozen=True)
class Server:
    """A MariaDB with its socket, for its root and for the console's accounts."""

    socket: Path
    port: int

    def as_root(self, sql: str, database: str = "mysql") -> subprocess.CompletedProcess[str]:
        """Run SQL as the server's administrator."""
        return self.client("root", "", sql, database)

    def client(self, user: str, password: str, sql: str, database: str) -> subprocess.CompletedProcess[str]:
        """Run SQL as one of the accounts, by the command-line client."""
        command = ["mariadb", "--no-defaults", f"--socket={self.socket}", f"--user={user}", f"--password={password}"]
        return subprocess.run([*command, database], input=sql, capture_output=True, text=True, check=False)

    def url(self, user: str, database: str) -> str:
        """For HAWSER_DATABASE_URL; each account's password is its name."""
        return f"mysql://{user}:{user}@127.0.0.1:{self.port}/{database}"

    def manage(self, database: str, *arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        """A management command in the environment of a console on that schema."""
        return self.python(database, "manage.py", *arguments, stdin=stdin)

    def python(self, database: str, *arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        """Python in the environment of a console on that schema."""
        env = {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "backend.config.settings",
            "HAWSER_DEBUG": "1",
            "HAWSER_DATABASE_URL": self.url(f"{database}_run", database),
            "HAWSER_MIGRATE_DATABASE_URL": self.url(f"{database}_migrate", database),
        }
        command = [sys.executable, *arguments]
        return subprocess.run(
            command, cwd=ROOT, env=env, input=stdin, capture_output=True, text=True, timeout=300, check=False
        )

    def make_schema(self, name: str) -> None:
        """An empty schema with the two accounts that the documentation asks for."""
        done = self.as_root(
            f"CREATE DATABASE {name};"
            f"CREATE USER {name}_migrate@'%' IDENTIFIED BY '{name}_migrate';"
            f"CREATE USER {name}_run@'%' IDENTIFIED BY '{name}_run';"
            f"GRANT ALL PRIVILEGES ON {name}.* TO {name}_migrate@'%' WITH GRANT OPTION;"
        )
        assert done.returncode == 0, done.stderr
