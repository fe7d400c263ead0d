"""Names of variables and of status columns, without values: `python -m tests.servers.setting_names` records them."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import MySQLdb
import MySQLdb.connections
import MySQLdb.cursors

from deploy.servers import store
from deploy.servers.catalogue import CATALOGUE
from deploy.servers.server import Server
from tests.support.waiting import wait_for

FOLDER = Path(__file__).parents[1] / "core/server_settings/names"
_LOG = ("SHOW BINARY LOG STATUS", "SHOW MASTER STATUS")
_CHANNEL = {
    True: (
        "CHANGE REPLICATION SOURCE TO SOURCE_HOST='127.0.0.1', SOURCE_PORT=1, SOURCE_USER='x'",
        "SHOW REPLICA STATUS",
    ),
    False: (
        "CHANGE MASTER 'x' TO MASTER_HOST='127.0.0.1', MASTER_PORT=1, MASTER_USER='x'",
        "SHOW ALL SLAVES STATUS",
    ),
}
_PLUGINS = ("rpl_semi_sync_source SONAME 'semisync_source.so'", "rpl_semi_sync_replica SONAME 'semisync_replica.so'")


def names_of(name: str) -> list[str]:
    """Of a server of the lab, started alone for it: a line for each, `variable`, `log` or `channel` before it."""
    server = store.ensure(name, _say)
    with _running(server) as cursor:
        if server.family.is_mysql:
            for plugin in _PLUGINS:
                cursor.execute(f"INSTALL PLUGIN {plugin}")
        cursor.execute("SHOW GLOBAL VARIABLES")
        found = [f"variable {str(row[0]).lower()}" for row in cursor.fetchall()]
        found += [f"log {column}" for column in _columns(cursor, _LOG[0 if server.family.is_mysql else 1])]
        change, status = _CHANNEL[server.family.is_mysql]
        cursor.execute(change)
        return found + [f"channel {column}" for column in _columns(cursor, status)]


def _say(said: str) -> None:
    sys.stderr.write(f"{said}\n")


def _columns(cursor: MySQLdb.cursors.Cursor, statement: str) -> list[str]:
    cursor.execute(statement)
    return [column[0] for column in cursor.description or ()]


@contextmanager
def _running(server: Server) -> Iterator[MySQLdb.cursors.Cursor]:
    home = Path(tempfile.mkdtemp(prefix="hawser-names-"))
    data, socket = home / "data", home / "s"
    options = [f"--{name.replace('_', '-')}={value}" for name, value in server.options.items()]
    common = [str(server.daemon), "--no-defaults", *options, f"--datadir={data}", "--user=root"]
    try:
        _prepare(server, common, data)
        own = ["--skip-networking", f"--socket={socket}", "--log-bin=log", "--server-id=1", f"--pid-file={home}/pid"]
        own += [] if server.family.is_mysql else ["--skip-grant-tables"]
        own += ["--mysqlx=OFF", "--secure-file-priv="] if server.family.is_mysql else []
        with (home / "log").open("wb") as log:
            process = subprocess.Popen([*common, *own], stdout=log, stderr=log, env=server.environment())
        try:
            with closing(wait_for(lambda: _connected(socket), f"{server.name} to start")) as connection:
                yield connection.cursor()
        finally:
            process.terminate()
            process.wait()
    finally:
        shutil.rmtree(home, ignore_errors=True)


def _prepare(server: Server, common: list[str], data: Path) -> None:
    if server.family.is_mysql:
        made = [*common, "--initialize-insecure", "--secure-file-priv="]
    else:
        base = server.options.get("basedir", "/usr")
        made = [str(server.installer), "--no-defaults", f"--basedir={base}", f"--datadir={data}", "--user=root"]
        made += ["--auth-root-authentication-method=normal", "--skip-test-db"]
    subprocess.run(made, check=True, capture_output=True, env=server.environment())


def _connected(socket: Path) -> MySQLdb.connections.Connection | None:
    try:
        return MySQLdb.connect(unix_socket=str(socket), user="root")
    except MySQLdb.Error:
        return None


if __name__ == "__main__":
    for release in sys.argv[1:] or CATALOGUE:
        (FOLDER / f"{release}.txt").write_text("\n".join(names_of(release)) + "\n", encoding="utf-8")
