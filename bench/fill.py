"""Makes one large binlog file quickly: millions of tiny transactions, written inside the server.

Stored procedures save the round trips, and nothing is flushed while filling; the durability of
the lab is put back before anything is measured.
"""

from __future__ import annotations

import os
import threading
import time
from dataclasses import dataclass
from typing import Any

from deploy.lab.api import Lab

CLIENTS = 2
FILL_LIMIT_S = 300.0
_BATCH = 20_000
_SCHEMA = (
    "CREATE DATABASE IF NOT EXISTS bench",
    "CREATE TABLE bench.filler (id BIGINT AUTO_INCREMENT PRIMARY KEY, v INT NOT NULL) ENGINE=InnoDB",
    (
        "CREATE TABLE bench.orders (id BIGINT AUTO_INCREMENT PRIMARY KEY, v INT NOT NULL, at DATETIME(6) NOT NULL)"
        " ENGINE=InnoDB"
    ),
    "CREATE TABLE bench.commits (id BIGINT AUTO_INCREMENT PRIMARY KEY, v INT NOT NULL) ENGINE=InnoDB",
    (
        "CREATE PROCEDURE bench.fill(n INT) BEGIN DECLARE i INT DEFAULT 0;"
        " WHILE i < n DO INSERT INTO bench.filler (v) VALUES (i); SET i = i + 1; END WHILE; END"
    ),
    (
        "CREATE PROCEDURE bench.trade(n INT) BEGIN DECLARE i INT DEFAULT 0; WHILE i < n DO START TRANSACTION;"
        " INSERT INTO bench.orders (v, at) VALUES (i, NOW(6)); INSERT INTO bench.filler (v) VALUES (i); COMMIT;"
        " DO SLEEP(0.001); SET i = i + 1; END WHILE; END"
    ),
)
DURABLE = (("innodb_flush_log_at_trx_commit", 1), ("sync_binlog", 1))
RELAXED = (("innodb_flush_log_at_trx_commit", 0), ("sync_binlog", 0))


@dataclass(frozen=True)
class Filled:
    """The file that is searched: its size in bytes when filling ended, and how long that took."""

    file: str
    size: int
    seconds: float


def prepare(lab: Lab, node: str) -> None:
    """Tables and procedures; they replicate to the other site like anything else."""
    with lab.admin(node) as connection:
        for statement in _SCHEMA:
            _run(connection, statement)


def set_flushing(lab: Lab, node: str, options: tuple[tuple[str, int], ...]) -> None:
    """Choose how much a commit flushes."""
    with lab.admin(node) as connection:
        for name, value in options:
            _run(connection, f"SET GLOBAL {name}={value}")


def end_of_log(lab: Lab, node: str) -> tuple[str, int]:
    """File and offset where the node's binlog ends."""
    row = lab.sql(node, "SHOW MASTER STATUS")[0]
    return str(row["File"]), int(row["Position"])


def fill(lab: Lab, node: str, size: int) -> Filled:
    """Write until the present binlog file has `size` bytes; gives up growing after its time limit."""
    started = time.monotonic()
    enough = threading.Event()
    writers = [threading.Thread(target=_repeat, args=(lab, node, "fill", _BATCH, enough)) for _ in range(CLIENTS)]
    for writer in writers:
        writer.start()
    file, end = end_of_log(lab, node)
    while end < size and time.monotonic() - started < FILL_LIMIT_S and all(w.is_alive() for w in writers):
        time.sleep(0.25)
        end = end_of_log(lab, node)[1]
    enough.set()
    for writer in writers:
        writer.join()
    now, end = end_of_log(lab, node)
    if now != file:
        raise RuntimeError(f"the binlog moved on from {file} to {now}: max_binlog_size is too small")
    return Filled(file, end, time.monotonic() - started)


class PacedLoad:
    """A paced load of small transactions of two statements, about 1,500 a second."""

    def __init__(self, lab: Lab, node: str) -> None:
        self._over = threading.Event()
        arguments = (lab, node, "trade", 100, self._over)
        self._writers = [threading.Thread(target=_repeat, args=arguments) for _ in range(CLIENTS)]

    def __enter__(self) -> PacedLoad:
        for writer in self._writers:
            writer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        for writer in self._writers:
            writer.join()


def settle_disk(lab: Lab, node: str, file: str) -> None:
    """Write the file's cached pages out now, so that they do not disturb the measurements."""
    handle = os.open(lab.paths.datadir(node) / file, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _repeat(lab: Lab, node: str, procedure: str, batch: int, over: threading.Event) -> None:
    with lab.admin(node, 60) as connection:
        while not over.is_set():
            _run(connection, f"CALL bench.{procedure}({batch})")


def _run(connection: Any, statement: str) -> None:
    cursor = connection.cursor()
    cursor.execute(statement)
    cursor.close()
