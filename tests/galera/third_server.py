"""A stand-alone server beside the lab that feeds one of its nodes, and a forwarder to a node."""

from __future__ import annotations

import contextlib
import shutil
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from deploy.lab.cluster import server_user
from deploy.lab.server import process
from deploy.lab.server.database import admin_session, rows
from deploy.services.net import free_port
from tests.galera.scene import Scene
from tests.support.waiting import wait_for

SERVER_ID = 900
CHANNEL = "third"
START_LIMIT_S = 60


class ThirdServer:
    """It writes to a schema of its own; `uid` counts what it wrote."""

    def __init__(self, scene: Scene, folder: Path) -> None:
        self._lab, self._folder, self.port = scene.stack.lab, folder, free_port()
        self._socket, self._pid_file = folder / "socket", folder / "pid"

    def start(self) -> None:
        """With the accounts of the lab, from the data folder that its nodes began with."""
        server = self._lab.ground.server(self._lab.nodes[0])
        data = self._folder / "data"
        shutil.copytree(self._lab.paths.template(server.name), data)
        own = {
            "datadir": data,
            "socket": self._socket,
            "port": self.port,
            "bind-address": "127.0.0.1",
            "server-id": SERVER_ID,
            "log-bin": "third",
            "binlog-format": "ROW",
            "user": server_user(),
            "log-error": self._folder / "log",
            "pid-file": self._folder / "server-pid",
        }
        told = [f"--{name}={value}" for name, value in (server.options | own).items()]
        command = [str(server.daemon), "--no-defaults", *told]
        process.spawn(command, self._pid_file, self._folder / "output", environment=server.environment())
        wait_for(self._answers, "the third server to answer", START_LIMIT_S)

    def stop(self) -> None:
        """Kill it."""
        process.kill(self._pid_file)

    def sql(self, statement: str) -> Any:
        """As administrator."""
        with admin_session(self._socket, self._lab.ground.admin) as connection:
            return rows(connection, statement)

    def _answers(self) -> bool:
        with contextlib.suppress(Exception):
            return bool(self.sql("SELECT 1 AS one"))
        return False

    def feed(self, node: str) -> None:
        """The node gets a channel from its beginning."""
        account = self._lab.accounts["replication"]
        self._lab.sql(
            node,
            f"CHANGE MASTER '{CHANNEL}' TO MASTER_HOST='127.0.0.1', MASTER_PORT={self.port}, "
            f"MASTER_USER='{account.user}', MASTER_PASSWORD='{account.password}', MASTER_CONNECT_RETRY=2, "
            "MASTER_SSL=0, MASTER_SSL_VERIFY_SERVER_CERT=0, MASTER_LOG_FILE='third.000001', MASTER_LOG_POS=4, "
            "MASTER_USE_GTID=no",
        )
        self._lab.sql(node, f"START SLAVE '{CHANNEL}'")


@contextmanager
def third_server(scene: Scene, folder: Path) -> Iterator[ThirdServer]:
    """Running until the end."""
    third = ThirdServer(scene, folder)
    try:
        third.start()
        yield third
    finally:
        third.stop()


@contextmanager
def writing(third: ThirdServer) -> Iterator[None]:
    """It writes a row after another meanwhile."""
    is_over = threading.Event()

    def write() -> None:
        while not is_over.wait(0.05):
            third.sql("INSERT INTO third.entry VALUES ()")

    thread = threading.Thread(target=write)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join()


@contextmanager
def forwarder(host: str, port: int) -> Iterator[int]:
    """A port of this machine that leads to that address, as a virtual address or a proxy does."""
    with ExitStack() as opened:
        listener = opened.enter_context(socket.create_server(("127.0.0.1", 0)))
        thread = threading.Thread(target=_accept, args=(listener, (host, port), opened))
        thread.start()
        try:
            yield listener.getsockname()[1]
        finally:
            listener.shutdown(socket.SHUT_RDWR)
            thread.join()


def _accept(listener: socket.socket, target: tuple[str, int], opened: ExitStack) -> None:
    while True:
        try:
            client, _ = listener.accept()
        except OSError:
            return  # shut down
        server = socket.create_connection(target)
        for one, other in ((client, server), (server, client)):
            opened.callback(one.close)
            threading.Thread(target=_carry, args=(one, other), daemon=True).start()


def _carry(one: socket.socket, other: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while data := one.recv(65536):
            other.sendall(data)
    with contextlib.suppress(OSError):
        other.shutdown(socket.SHUT_RDWR)
