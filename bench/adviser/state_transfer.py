"""How long an SST of 3 GB takes, in parts, and what each setting of its checklist changes.

Three nodes of one cluster. `db-a1` is written to, `db-a2` may be the donor, `db-b1` joins with an empty data folder.
Over a line of 200 Mbit/s the data is smaller, because every byte of it passes the lab's router.
"""

from __future__ import annotations

import json
import shutil
import statistics
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path

from bench.adviser import page, writes
from bench.machine import describe
from bench.workspace import Workspace, default_workspace
from deploy.lab.api import Lab
from deploy.lab.layout import Settings
from deploy.lab.server import process
from deploy.lab.server.database import rows
from deploy.lab.wan.plan import Rule
from deploy.lab.wan.shape import Shape

NAME = "state-transfer"
LIMIT_S = 2400.0
WRITER, DONOR, JOINER = "db-a1", "db-a2", "db-b1"
DATA_MB, THIN_MB = 3_000, 800
LINE_MBIT, LINE_MS = 200.0, 50.0
STATEMENT_MB = 16
WRITERS, PAUSE_S = 4, 0.004
SST_LIMIT_S = 400.0
BUFFER_POOL = {"innodb_buffer_pool_size": "256M", "innodb_log_file_size": "256M", "binlog_expire_logs_seconds": "60"}
_COPIED, _PREPARED, _MOVED = "Preparing the backup", "Moving the backup", "SST completed on joiner"
COMPRESSED = {"compressor": "'zstd -1 -T2'", "decompressor": "'zstd -d'"}


@dataclass(frozen=True)
class Case:
    """Settings of the transfer: of the joiner's server, and of the section `[sst]` on every node.

    `donor_log` is what the donor's log must say where the setting took effect.
    """

    title: str
    donor: str = DONOR
    server: dict[str, str] = field(default_factory=dict)
    transfer: dict[str, str] = field(default_factory=dict)
    donor_log: str = ""


LAN_CASES = (
    Case("dedicated donor"),
    Case("the writer's node is the donor", donor=WRITER),
    Case("8 appliers on the joiner (2 in the others)", server={"wsrep_slave_threads": "8"}),
    Case("prepare with 32 MB (the buffer pool's 256 MB in the others)", transfer={"use-memory": "32M"}),
    Case("4 threads that copy", transfer={"backup-threads": "4"}),
    Case("zstd on both ends", transfer=COMPRESSED),
)
THIN_CASES = (Case("dedicated donor"), Case("zstd on both ends", transfer=COMPRESSED))


@dataclass(frozen=True)
class Transfer:
    """One SST; seconds from the joiner's start on, and the writers' commits meanwhile."""

    line: str
    title: str
    data_mb: int
    copied_s: float
    prepared_s: float
    synced_s: float
    commit_p50_ms: float
    commit_p95_ms: float
    commits: int

    def values(self) -> list[str]:
        """For the table."""
        return [
            self.line, self.title, f"{self.data_mb:,}", f"{self.synced_s:.0f}", f"{self.copied_s:.0f}",
            f"{self.prepared_s - self.copied_s:.1f}", f"{self.synced_s - self.prepared_s:.1f}",
            f"{self.commit_p50_ms:.1f} / {self.commit_p95_ms:.1f}", f"{self.commits:,}",
        ]  # fmt: skip


HEAD = (
    "line", "case", "data, MB", "until Synced, s", "copy, s", "prepare, s", "join and catch up, s",
    "writers' commit p50 / p95, ms", "commits meanwhile",
)  # fmt: skip


def main() -> int:
    """Exit code 0 when every transfer ended in Synced."""
    workspace = default_workspace(LIMIT_S)
    lab = Lab(workspace.lab_home, workspace.net)
    transfers = list(measured(lab, LAN_CASES, THIN_CASES))
    machine = describe()
    save(workspace, NAME, transfers, machine)
    page.publish(NAME, text_of(transfers, machine))
    return 0


def save(workspace: Workspace, name: str, transfers: list[Transfer], machine: dict[str, str]) -> None:
    """The figures, as JSON."""
    found = {"machine": machine, "transfers": list(map(asdict, transfers))}
    (workspace.folder / f"{name}.json").write_text(json.dumps(found, indent=1) + "\n")


def measured(lab: Lab, lan: tuple[Case, ...], thin: tuple[Case, ...]) -> Iterator[Transfer]:
    """The cases on one machine, then those over the thin line; each lab has its row without a transfer first."""
    for is_thin, cases in ((False, lan), (True, thin)):
        for transfer in _on_line(lab, cases, is_thin=is_thin):
            print(f"  {' | '.join(transfer.values())}", flush=True)
            yield transfer


def _on_line(lab: Lab, cases: tuple[Case, ...], *, is_thin: bool) -> Iterator[Transfer]:
    lab.down()
    size = THIN_MB if is_thin else DATA_MB
    try:
        lab.up(Settings(sizes=(2, 1), wan=is_thin, one_cluster=True, overrides=writes.RELAXED | BUFFER_POOL))
        _fill(lab, size)
        if is_thin:
            shape = Shape(delay_ms=LINE_MS / 2, rate_mbit=LINE_MBIT)
            lab.distance.set((Rule("a", "b", shape), Rule("b", "a", shape)))
        line = f"{LINE_MBIT:g} Mbit/s, {LINE_MS:g} ms" if is_thin else "one machine"
        with _written_to(lab) as took_ms:
            time.sleep(5)
            yield _watched(line, "no transfer", size, (0.0, 0.0, 0.0), took_ms)
        for case in cases:
            yield _transfer(lab, line, case, size)
    finally:
        lab.down()


def _fill(lab: Lab, size_mb: int) -> None:
    """Half of each row can be compressed. The others are down, and are given the data by an SST of their own."""
    for name in (JOINER, DONOR):
        lab.stop(name)
    writes.prepare(lab, WRITER)
    with lab.admin(WRITER, 120) as connection:
        rows(connection, f"CREATE TABLE {writes.SCHEMA}.bulk (id BIGINT AUTO_INCREMENT PRIMARY KEY, body BLOB)")
        count = STATEMENT_MB * 1_000
        for _ in range(size_mb // STATEMENT_MB):
            rows(
                connection,
                f"INSERT INTO {writes.SCHEMA}.bulk (body) "
                f"SELECT CONCAT(RANDOM_BYTES(500), REPEAT('x', 500)) FROM {writes.SCHEMA}.seq_1_to_{count}",
            )
        rows(connection, "FLUSH BINARY LOGS")
        newest = rows(connection, "SHOW MASTER STATUS")[0]["File"]
        rows(connection, f"PURGE BINARY LOGS TO '{newest}'")
    for name in (DONOR, JOINER):
        _empty(lab, name)
        _configure(lab, name, Case("filling", donor=WRITER))
        _join(lab, name)


def _empty(lab: Lab, name: str) -> None:
    folder = lab.paths.datadir(name)
    for entry in folder.iterdir():
        shutil.rmtree(entry) if entry.is_dir() else entry.unlink()


def _configure(lab: Lab, name: str, case: Case) -> None:
    """The node's configuration of before the bench, with the case's settings at its end."""
    file = lab.paths.config(name)
    original = file.with_suffix(".original")
    if not original.exists():
        original.write_text(file.read_text())
    server = case.server | ({"wsrep_sst_donor": case.donor} if name != case.donor else {})
    sections = {"mysqld": server, "sst": case.transfer}
    text = "".join(
        f"[{name}]\n" + "".join(f"{key} = {value}\n" for key, value in chosen.items())
        for name, chosen in sections.items()
    )
    file.write_text(f"{original.read_text()}\n{text}")


def _join(lab: Lab, name: str) -> None:
    lab.start(name, wait=False)
    process.wait_until(lambda: _is_synced(lab, name), SST_LIMIT_S, f"{name} to be Synced")


def _is_synced(lab: Lab, name: str) -> bool:
    try:
        return str(lab.sql(name, "SHOW STATUS LIKE 'wsrep_local_state'")[0]["Value"]) == "4"
    except writes.REFUSED:
        return False


def _transfer(lab: Lab, line: str, case: Case, size_mb: int) -> Transfer:
    lab.stop(JOINER)
    _empty(lab, JOINER)
    for name in (WRITER, DONOR, JOINER):
        _configure(lab, name, case)
    log, donor_log = lab.paths.log(JOINER), lab.paths.log(case.donor)
    seen, seen_by_donor = log.stat().st_size, donor_log.stat().st_size
    with _written_to(lab) as took_ms:
        began = time.monotonic()
        reached: dict[str, float] = {}
        lab.start(JOINER, wait=False)

        def is_synced() -> bool:
            text = _since(log, seen)
            for word in (_COPIED, _PREPARED, _MOVED):
                if word in text:
                    reached.setdefault(word, time.monotonic() - began)
            return _MOVED in reached and _is_synced(lab, JOINER)

        process.wait_until(is_synced, SST_LIMIT_S, f"{JOINER} to be Synced after its SST")
        if case.donor_log not in _since(donor_log, seen_by_donor):
            raise RuntimeError(f"{donor_log} does not say {case.donor_log!r}: {case.title} was not measured")
        parts = (reached[_COPIED], reached[_PREPARED], time.monotonic() - began)
        return _watched(line, case.title, size_mb, parts, took_ms)


def _since(log: Path, offset: int) -> str:
    with log.open("rb") as file:
        file.seek(offset)
        return file.read().decode("utf-8", "replace")


def _watched(line: str, title: str, size_mb: int, parts: tuple[float, float, float], took_ms: list[float]) -> Transfer:
    seen = list(took_ms)
    return Transfer(
        line, title, size_mb, *parts, statistics.median(seen), statistics.quantiles(seen, n=20)[-1], len(seen)
    )


@contextmanager
def _written_to(lab: Lab) -> Iterator[list[float]]:
    """A modest load on the writer's node; yields the milliseconds of its commits as they come."""
    took_ms: list[float] = []
    ended = threading.Event()

    def write() -> None:
        with lab.admin(WRITER, 120) as connection:
            while not ended.wait(PAUSE_S):
                began = time.monotonic()
                rows(connection, f"INSERT INTO {writes.SCHEMA}.rows (body) VALUES (REPEAT('x', 1000))")
                took_ms.append((time.monotonic() - began) * 1000)

    writers = [threading.Thread(target=write) for _ in range(WRITERS)]
    for one in writers:
        one.start()
    try:
        yield took_ms
    finally:
        ended.set()
        for one in writers:
            one.join()


def text_of(transfers: list[Transfer], machine: dict[str, str]) -> str:
    """The table, and each case against the first of its line."""
    about = (
        f"{machine['date']}, {machine['MariaDB']}, Galera {machine['Galera']}; mariadb-backup, one run each. Machine "
        f"busy with other work: {machine['busy with other work']}. {WRITERS} writers of 1 KB rows with a pause of "
        f"{PAUSE_S * 1000:g} ms. Parts are read from the joiner's log, to a tenth of a second."
    )
    base = {one.line: one for one in reversed(transfers) if one.title == "dedicated donor"}
    lines = [
        [one.line, one.title, f"x {one.synced_s / base[one.line].synced_s:.2f}", f"x {_slower(one, base[one.line])}"]
        for one in transfers
        if one.synced_s and one is not base[one.line]
    ]
    head = ("line", "against the dedicated donor", "until Synced", "writers' commit, p95")
    return "\n\n".join([about, page.table(HEAD, [one.values() for one in transfers]), page.table(head, lines)])


def _slower(one: Transfer, other: Transfer) -> str:
    return f"{one.commit_p95_ms / other.commit_p95_ms:.2f}"
