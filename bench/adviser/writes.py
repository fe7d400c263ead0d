"""Inserts of one size by several writers on one node, and the wait until all nodes have applied them."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from deploy.lab.api import Lab
from deploy.lab.server import process
from deploy.lab.server.database import SERVER_ERRORS, rows

SCHEMA = "hawser_bench"
RELAXED = {"innodb_flush_log_at_trx_commit": "2", "sync_binlog": "0"}
"""No wait for the disk: distance and Galera alone are measured."""
REFUSED = SERVER_ERRORS
_PAYLOAD = 1_000
_CREATE = f"CREATE TABLE IF NOT EXISTS {SCHEMA}.rows (id INT AUTO_INCREMENT PRIMARY KEY, body VARBINARY(1000))"


def prepare(lab: Lab, node: str) -> None:
    """The table that the writers fill."""
    lab.sql(node, f"CREATE DATABASE IF NOT EXISTS {SCHEMA}")
    lab.sql(node, _CREATE)


def set_windows(lab: Lab, send: int, user: int) -> None:
    """On every node; the outer window is raised first and lowered last."""
    for node in lab.nodes:
        present = str(lab.sql(node.name, "SELECT @@GLOBAL.wsrep_provider_options AS text")[0]["text"])
        grows = int(present.partition("evs.user_send_window = ")[2].partition(";")[0]) < user
        pairs = [("evs.send_window", send), ("evs.user_send_window", user)]
        for name, value in pairs if grows else reversed(pairs):
            lab.sql(node.name, f"SET GLOBAL wsrep_provider_options='{name}={value}'")


def insert(lab: Lab, node: str, count: int, writers: int, *, at_once: int = 1, payload: int = _PAYLOAD) -> None:
    """So many transactions of `at_once` rows each, shared among the writers, by the node's Unix socket."""
    values = ", ".join([f"(REPEAT('x', {payload}))"] * at_once)

    def write(share: int) -> None:
        with lab.admin(node, 120) as connection:
            for _ in range(share):
                rows(connection, f"INSERT INTO {SCHEMA}.rows (body) VALUES {values}")

    with ThreadPoolExecutor(writers) as pool:
        list(pool.map(write, [count // writers] * writers))


def status_number(lab: Lab, node: str, name: str) -> int:
    """A counter of `SHOW STATUS`."""
    return int(lab.sql(node, "SHOW GLOBAL STATUS LIKE %s", (name,))[0]["Value"])


def wait_applied(lab: Lab, nodes: list[str], seconds: float = 60.0) -> None:
    """Until all nodes have committed the same last write-set."""

    def is_level() -> bool:
        return len({status_number(lab, node, "wsrep_last_committed") for node in nodes}) == 1

    process.wait_until(is_level, seconds, "all nodes to apply the same")
