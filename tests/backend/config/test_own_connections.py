"""The console's own database and Redis over TLS, on real servers: verified, or no login is sent."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, nullcontext
from dataclasses import dataclass
from pathlib import Path

import MySQLdb
import pytest
import redis
from celery import Celery
from django.core.exceptions import ImproperlyConfigured
from django.db import ConnectionHandler
from kombu.exceptions import OperationalError as OperationalErrorOfBroker

from backend.config.settings.connections import refuse_clear
from backend.config.settings.database import database_from_url
from backend.config.system_checks import clear_connections
from deploy.lab.layout import Node
from deploy.lab.server import tls
from deploy.services.mariadb import start_mariadb
from deploy.services.net import free_port, port_open
from deploy.services.process import Child, wait_until
from tests.backend.config.given_settings import fault

pytestmark = pytest.mark.server

PASSWORD = "sesame-open-up"


@dataclass(frozen=True)
class Servers:
    """A database and a Redis that speak TLS alone, and the CAs that did and did not sign their certificates."""

    database_url: str
    redis_url: str
    ca: Path
    other_ca: Path


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Servers]:
    """Both on 127.0.0.1, which their certificate names; it names neither 127.0.0.2 nor localhost."""
    home = tmp_path_factory.mktemp("own")
    for folder in (home / "tls", home / "other"):
        folder.mkdir()
        tls.create_ca(folder)
    tls.create_node(home / "tls", Node("own", "a", 1, "127.0.0.1", 1, 1))
    certificate, key, ca = (home / "tls" / name for name in ("own.pem", "own.key", "ca.pem"))
    database = start_mariadb(
        home / "db",
        home / "db.log",
        further=(
            f"--ssl-cert={certificate}",
            f"--ssl-key={key}",
            "--require-secure-transport=ON",
            "--bind-address=127.0.0.1,127.0.0.2",
        ),
    )
    port = free_port()
    files = f"tls-cert-file {certificate}\ntls-key-file {key}\ntls-ca-cert-file {ca}\ntls-auth-clients no\n"
    (home / "redis.conf").write_text(
        f'bind 127.0.0.1\nport 0\ntls-port {port}\nrequirepass {PASSWORD}\nsave ""\n{files}'
    )
    queue = Child("redis", ["redis-server", str(home / "redis.conf")], home / "redis.log", grace_s=5).start()
    try:
        assert wait_until(lambda: port_open(port), 10, queue), queue.tail()
        yield Servers(database.url, f"rediss://:{PASSWORD}@127.0.0.1:{port}/0", ca, home / "other/ca.pem")
    finally:
        queue.stop()
        database.child.stop()


def cipher(url: str) -> str:
    """The cipher of a session with that database, opened with the parameters that Django gives to its driver."""
    parameters = ConnectionHandler({"default": database_from_url(url)})["default"].get_connection_params()
    with closing(MySQLdb.connect(**parameters)) as session, closing(session.cursor()) as cursor:
        cursor.execute("SHOW SESSION STATUS LIKE 'Ssl_cipher'")
        return str(cursor.fetchone()[1])


def pings(url: str) -> bool:
    """Whether Redis answers, asked as /readyz asks it."""
    client = redis.Redis.from_url(url, socket_connect_timeout=2, socket_timeout=2)
    try:
        return bool(client.ping())
    finally:
        client.close()


def test_database__verified_by_its_ca__session_is_encrypted(servers: Servers) -> None:
    assert cipher(f"{servers.database_url}?ssl_ca={servers.ca}")


@pytest.mark.parametrize("change", ["another ca", "another name"])
def test_database__not_verified__no_login_is_sent(servers: Servers, change: str) -> None:
    url = f"{servers.database_url}?ssl_ca={servers.other_ca if change == 'another ca' else servers.ca}"
    if change == "another name":
        url = url.replace("@127.0.0.1:", "@127.0.0.2:")
    with pytest.raises(MySQLdb.OperationalError, match=r"certificate|TLS|SSL"):
        cipher(url)


def test_redis__verified_by_its_ca__answers_the_console_and_celery(servers: Servers) -> None:
    url = f"{servers.redis_url}?ssl_ca_certs={servers.ca}"
    assert pings(url)
    with Celery(broker=url, broker_connection_timeout=2).connection_for_write() as connection:
        connection.ensure_connection(max_retries=1)
        assert connection.connected


def test_redis__not_verified__refused(servers: Servers) -> None:
    with pytest.raises(redis.ConnectionError, match="certificate verify failed"):
        pings(f"{servers.redis_url}?ssl_ca_certs={servers.other_ca}")
    with pytest.raises(redis.ConnectionError, match="certificate verify failed"):
        pings(servers.redis_url)
    with pytest.raises(redis.ConnectionError, match=r"IP address mismatch|Hostname mismatch"):
        pings(f"{servers.redis_url}?ssl_ca_certs={servers.ca}".replace("@127.0.0.1:", "@localhost:"))


def test_broker__certificate_of_another_ca__never_connected(servers: Servers) -> None:
    with (
        pytest.raises(OperationalErrorOfBroker, match="certificate verify failed"),
        Celery(
            broker=f"{servers.redis_url}?ssl_ca_certs={servers.other_ca}", broker_connection_timeout=2
        ).connection_for_write() as connection,
    ):
        connection.ensure_connection(max_retries=1, interval_start=0)


@pytest.mark.parametrize(
    ("name", "url", "reported"),
    [
        ("HAWSER_DATABASE_URL", "mysql://u:p@db/h?ssl_ca=/nowhere.pem", "ssl_ca that cannot be read: /nowhere.pem"),
        ("HAWSER_DATABASE_URL", "mysql://u:p@db/h?ssl-ca=/etc/hostname", "unknown parameter ssl-ca"),
        ("HAWSER_DATABASE_URL", "mysql://u:p@db/h?ssl_cert=/etc/hostname", "but no ssl_ca"),
        ("HAWSER_DATABASE_URL", "mysql://u:p@db/h?ssl_ca=/etc/hostname&ssl_ca=/etc/hosts", "more than once"),
        ("HAWSER_REDIS_URL", "redis://:p@r/0?ssl_ca_certs=/etc/hostname", "write rediss://"),
        ("HAWSER_REDIS_URL", "rediss://:p@r/0?ssl_cert_reqs=none", "unknown parameter ssl_cert_reqs"),
    ],
)  # fmt: skip
def test_url__parameter_that_would_leave_it_unverified__refused_at_start(name: str, url: str, reported: str) -> None:
    assert reported in fault(**{name: url})


@pytest.mark.parametrize(
    ("database_url", "redis_url", "named"),
    [
        ("mysql://u:p@db.example.net/h", "redis://:p@queue/0", ["HAWSER_DATABASE_URL", "HAWSER_REDIS_URL"]),
        ("mysql://u:p@db.example.net/h?ssl_ca=/etc/hostname", "rediss://:p@queue/0", []),
        ("mysql://u:p@127.0.0.1/h", "redis://:p@localhost/0", []),
        ("mysql://u:p@/h?unix_socket=/run/s.sock", "redis://:p@[::1]:6379/0", []),
        ("sqlite:////tmp/x", "redis://:p@10.0.0.9/0", ["HAWSER_REDIS_URL"]),
    ],
)  # fmt: skip
def test_check__connections_in_clear_text__named(database_url: str, redis_url: str, named: list[str]) -> None:
    found = clear_connections(database_from_url(database_url), redis_url)
    assert [each.msg.split()[0] for each in found] == named
    assert {each.id for each in found} <= {"hawser.W003"}
    refuse_clear(database_from_url(database_url), redis_url, allowed=True)
    with pytest.raises(ImproperlyConfigured, match=named[0]) if named else nullcontext():
        refuse_clear(database_from_url(database_url), redis_url, allowed=False)
