"""A MariaDB with the options of the compose file writes no row in clear to its disk; without them it does."""

from __future__ import annotations

import getpass
import secrets
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import MySQLdb
import pytest

from tests.deploy.compose import services

CANARY = "kanarienvogel-at-rest"
_OURS = ("--plugin-load-add", "--file-key-management", "--innodb-encrypt", "--aria-encrypt", "--encrypt")


def _options(keys: Path) -> list[str]:
    """Those of the compose file that encrypt, with the keys of this test."""
    found = [one for one in services()["mariadb"]["command"] if one.startswith(_OURS)]
    return [one.replace("/run/secrets/database_encryption_keys", str(keys)) for one in found]


@contextmanager
def _server(folder: Path, options: Sequence[str]) -> Iterator[MySQLdb.Connection]:
    data, socket = folder / "data", folder / "socket"
    common = ["--no-defaults", f"--user={getpass.getuser()}", f"--datadir={data}"]
    install = ["mariadb-install-db", *common, "--skip-test-db", "--auth-root-authentication-method=normal", *options]
    subprocess.run(install, check=True, capture_output=True, timeout=60)
    command = [
        "mariadbd",
        *common,
        "--skip-networking",
        f"--socket={socket}",
        "--innodb-buffer-pool-size=16M",
        *options,
    ]
    with (folder / "log").open("w") as log, subprocess.Popen(command, stderr=log) as process:
        try:
            yield _connected(socket, process)
        finally:
            process.terminate()
            process.wait(timeout=60)


def _connected(socket: Path, process: subprocess.Popen[bytes]) -> MySQLdb.Connection:
    for _ in range(300):
        try:
            return MySQLdb.connect(user="root", unix_socket=str(socket))
        except MySQLdb.OperationalError:
            assert process.poll() is None, "the server ended"
            try:
                process.wait(timeout=0.1)
            except subprocess.TimeoutExpired:
                continue
    raise AssertionError("the server did not answer")


def _files_with_the_row(folder: Path, options: Sequence[str]) -> tuple[list[str], int]:
    """Files that show a stored row in clear after a shutdown, and how many tablespaces the server calls encrypted."""
    with _server(folder, options) as connection:
        cursor = connection.cursor()
        cursor.execute("CREATE DATABASE hawser")
        cursor.execute("CREATE TABLE hawser.users (name VARCHAR(60))")
        cursor.execute("INSERT INTO hawser.users VALUES (%s)", (CANARY,))
        connection.commit()
        cursor.execute(
            "SELECT COUNT(*) FROM information_schema.innodb_tablespaces_encryption WHERE encryption_scheme = 1"
            " AND name LIKE 'hawser/%%'"
        )
        ((encrypted,),) = cursor.fetchall()
        connection.close()
    shown = [one.name for one in (folder / "data").rglob("*") if one.is_file() and CANARY.encode() in one.read_bytes()]
    return sorted(shown), int(encrypted)


@pytest.mark.skipif(shutil.which("mariadbd") is None, reason="no MariaDB on this machine")
@pytest.mark.timeout(120)
@pytest.mark.parametrize("encrypts", [True, False])
def test_row__stored_and_server_ended__in_clear_only_without_the_options(tmp_path: Path, encrypts: bool) -> None:
    keys = tmp_path / "keys"
    keys.write_text(f"1;{secrets.token_hex(32)}\n")
    shown, encrypted = _files_with_the_row(tmp_path, _options(keys) if encrypts else [])
    assert (bool(shown), encrypted) == (not encrypts, int(encrypts)), shown
