"""Inserts of one size by several writers on one node, and the wait until all nodes have applied them."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from deploy.lab.api import Lab
from deploy.lab.server import process
from deploy.lab.server.database import rows

SCHEMA = "hawser_bench"
_PAYLOAD = 1_000
_CREATE = f"CREATE TABLE IF NOT EXISTS {SCHEMA}.rows (id INT AUTO_INCREMENT PRIMARY KEY, body VARBINARY(1000))"


def prepare(lab: Lab, node: str) -> None:
    """The table that the writers fill."""
    lab.sql(node, f"CREATE DATABASE IF NOT EXISTS {SCHEMA}")
    lab.sql(node, _CREATE)


def insert(lab: Lab, node: str, count: int, writers: int) -> None:
    """So many rows of 1 KB, each a transaction, shared among the writers, by the node's Unix socket."""

    def write(share: int) -> None:
        with lab.admin(node, 60) as connection:
            for _ in range(share):
                rows(connection, f"INSERT INTO {SCHEMA}.rows (body) VALUES (REPEAT('x', {_PAYLOAD}))")

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
