"""The article's eight tests at the lab's scale: writers at one site or two, LAN or WAN, small or large packets.

Six nodes in one cluster, three a site, a segment each. 24 writers fill five tables and six that refer to them, with a
connection for each transaction. Beside the eight stand the send windows that the two-site profile recommends.
"""

from __future__ import annotations

import json
import statistics
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass

from bench.adviser import page, writes
from bench.machine import describe
from bench.workspace import default_workspace
from deploy.lab.api import Lab
from deploy.lab.layout import Settings
from deploy.lab.server.database import rows, statuses

NAME = "profiles"
LIMIT_S = 1500.0
ROUND_TRIP_MS = 50.0
PACKETS = (32_768, 2_097_152)
WINDOWS = ((4, 2), (512, 512))
WRITERS, REPETITIONS, REPETITION_S = 24, 5, 6.0
MAIN, CHILDREN = 5, 6
CHILD_ROWS = 3
_KEY = "id BIGINT AUTO_INCREMENT PRIMARY KEY"
PLACES = {"one site": ("db-a1",), "both sites": ("db-a1", "db-b1")}
ARTICLE_NUMBER = {
    ("one site", 0.0, 32_768): 1, ("both sites", 0.0, 32_768): 2,
    ("one site", 0.0, 2_097_152): 3, ("both sites", 0.0, 2_097_152): 4,
    ("one site", ROUND_TRIP_MS, 32_768): 5, ("both sites", ROUND_TRIP_MS, 32_768): 6,
    ("one site", ROUND_TRIP_MS, 2_097_152): 7, ("both sites", ROUND_TRIP_MS, 2_097_152): 8,
}  # fmt: skip


@dataclass(frozen=True)
class Watched:
    """What the servers counted in one test, over all repetitions, on the first writer's node."""

    send_queue: float
    receive_queue: float
    paused_percent: float
    latency_ms: float
    write_set_bytes: int
    apply_window: float
    commit_window: float
    dependency_distance: float


@dataclass(frozen=True)
class Test:
    """One test: rows a second of each repetition."""

    number: int
    writers_at: str
    round_trip_ms: float
    packet: int
    window: int
    rows_per_s: list[float]
    conflicts: int
    site_bytes: int
    site_packets: int
    watched: Watched
    disturbed: list[str]

    @property
    def median(self) -> float:
        """Rows a second."""
        return statistics.median(self.rows_per_s)

    def values(self) -> list[str]:
        """For the table."""
        seen = self.watched
        return [
            f"{self.number}{'' if self.window == 2 else ' w'}{' *' if self.disturbed else ''}",
            "LAN" if not self.round_trip_ms else "WAN", self.writers_at, f"{self.packet:,}", str(self.window),
            f"{self.median:,.0f} ({min(self.rows_per_s):,.0f} to {max(self.rows_per_s):,.0f})", str(self.conflicts),
            f"{seen.latency_ms:.1f}", f"{seen.send_queue:.2f} / {seen.receive_queue:.2f}", f"{seen.paused_percent:.1f}",
            f"{seen.apply_window:.1f} / {seen.commit_window:.1f}", f"{seen.dependency_distance:.0f}",
            f"{self.site_bytes / max(1, seen.write_set_bytes):.2f}", f"{self.site_packets:,}",
        ]  # fmt: skip


HEAD = (
    "test", "network", "writers at", "gcs.max_packet_size", "evs.user_send_window", "rows/s, median (all)", "conflicts",
    "evs_repl_latency, ms", "send / receive queue", "flow control, %", "apply / commit window", "cert_deps_distance",
    "bytes to the other site per byte of write-sets", "packets to it",
)  # fmt: skip


def main() -> int:
    """Exit code 0 when all tests ran."""
    workspace = default_workspace(LIMIT_S)
    tests: list[Test] = []
    for packet in PACKETS:
        lab = Lab(workspace.lab_home, workspace.net)
        lab.down()
        overrides = writes.RELAXED | {"gcs.max_packet_size": str(packet), "max_connections": "200"}
        try:
            lab.up(Settings(sizes=(3, 3), wan=True, one_cluster=True, segments=True, overrides=overrides))
            for test in _with_packets(lab, packet):
                tests.append(test)
                print(f"  {' | '.join(test.values())}", flush=True)
        finally:
            lab.down()
    machine = describe()
    found = {"machine": machine, "tests": [asdict(test) for test in tests]}
    (workspace.folder / "profiles.json").write_text(json.dumps(found, indent=1) + "\n")
    page.publish(NAME, text_of(tests, machine))
    return 0


def _with_packets(lab: Lab, packet: int) -> Iterator[Test]:
    _prepare(lab)
    for round_trip_ms in (0.0, ROUND_TRIP_MS):
        lab.distance.set_round_trip(round_trip_ms)
        for send, user in WINDOWS:
            writes.set_windows(lab, send, user)
            for writers_at, nodes in PLACES.items():
                yield _test(lab, writers_at, nodes, round_trip_ms, packet, user)


def _prepare(lab: Lab) -> None:
    node = PLACES["one site"][0]
    writes.prepare(lab, node)
    for number in range(MAIN):
        lab.sql(node, f"CREATE TABLE {writes.SCHEMA}.main{number} ({_KEY}, a INT, b VARCHAR(200))")
    for number in range(CHILDREN):
        parent = number % MAIN
        lab.sql(
            node,
            f"CREATE TABLE {writes.SCHEMA}.child{number} ({_KEY}, main_id BIGINT NOT NULL, c VARCHAR(200), "
            f"FOREIGN KEY (main_id) REFERENCES {writes.SCHEMA}.main{parent} (id))",
        )
    writes.wait_applied(lab, [each.name for each in lab.nodes])


def _test(lab: Lab, writers_at: str, nodes: tuple[str, ...], round_trip_ms: float, packet: int, window: int) -> Test:
    everyone = [each.name for each in lab.nodes]
    writes.wait_applied(lab, everyone)
    lab.sql(nodes[0], "FLUSH STATUS")
    before = _status(lab, nodes[0])
    lab.distance.reset()
    rates, conflicts, began = [], 0, time.monotonic()
    for _ in range(REPETITIONS):
        written, failed = _repetition(lab, nodes)
        rates.append(round(written / REPETITION_S, 1))
        conflicts += failed
    lasted = time.monotonic() - began
    after, report = _status(lab, nodes[0]), lab.distance.report()
    across = [pair for pair in report["pairs"] if pair["from"].startswith("db-a") and pair["to"].startswith("db-b")]
    writes.wait_applied(lab, everyone)
    return Test(
        ARTICLE_NUMBER[writers_at, round_trip_ms, packet], writers_at, round_trip_ms, packet, window, rates, conflicts,
        sum(int(pair["bytes"]) for pair in across), sum(int(pair["packets"]) for pair in across),
        _watched(before, after, lasted), list(report["disturbed"]),
    )  # fmt: skip


def _repetition(lab: Lab, nodes: tuple[str, ...]) -> tuple[int, int]:
    """Rows that were committed, and transactions that another one's certification refused."""
    until = time.monotonic() + REPETITION_S
    counted, failed, lock = [0], [0], threading.Lock()

    def write(number: int) -> None:
        node, turn = nodes[number % len(nodes)], number
        while time.monotonic() < until:
            turn += 1
            try:
                with lab.admin(node, 30) as connection:
                    done = _transaction(connection, turn)
            except writes.REFUSED:
                with lock:
                    failed[0] += 1
                continue
            with lock:
                counted[0] += done

    with ThreadPoolExecutor(WRITERS) as pool:
        list(pool.map(write, range(WRITERS)))
    return counted[0], failed[0]


def _transaction(connection: object, turn: int) -> int:
    """One row of a main table and three of a table that refers to it."""
    child = turn % CHILDREN
    rows(connection, "BEGIN")
    rows(connection, f"INSERT INTO {writes.SCHEMA}.main{child % MAIN} (a, b) VALUES ({turn}, REPEAT('m', 200))")
    values = ", ".join(["(LAST_INSERT_ID(), REPEAT('c', 200))"] * CHILD_ROWS)
    rows(connection, f"INSERT INTO {writes.SCHEMA}.child{child} (main_id, c) VALUES {values}")
    rows(connection, "COMMIT")
    return 1 + CHILD_ROWS


def _status(lab: Lab, node: str) -> dict[str, str]:
    with lab.admin(node) as connection:
        return statuses(connection)


def _watched(before: dict[str, str], after: dict[str, str], lasted_s: float) -> Watched:
    def grown(name: str) -> int:
        return int(after[name]) - int(before[name])

    latency = after["wsrep_evs_repl_latency"].split("/")
    return Watched(
        float(after["wsrep_local_send_queue_avg"]), float(after["wsrep_local_recv_queue_avg"]),
        grown("wsrep_flow_control_paused_ns") / lasted_s / 1e7, float(latency[1]) * 1000 if len(latency) > 1 else 0.0,
        grown("wsrep_replicated_bytes"), float(after["wsrep_apply_window"]), float(after["wsrep_commit_window"]),
        float(after["wsrep_cert_deps_distance"]),
    )  # fmt: skip


def text_of(tests: list[Test], machine: dict[str, str]) -> str:
    """All tests, and what each choice changed in the same run."""
    about = (
        f"{machine['date']}, {machine['MariaDB']}, Galera {machine['Galera']}; {WRITERS} writers, {REPETITIONS} "
        f"repetitions of {REPETITION_S:g} s each, WAN {ROUND_TRIP_MS:g} ms round trip. Machine busy with other work: "
        f"{machine['busy with other work']}. An asterisk: the router's own lateness disturbed the row; `w`: with the "
        "send windows of the two-site profile."
    )
    return "\n\n".join([about, page.table(HEAD, [test.values() for test in tests]), _effects(tests)])


def _effects(tests: list[Test]) -> str:
    found = {(one.writers_at, one.round_trip_ms, one.packet, one.window): one.median for one in tests}
    lines = []
    for writers_at in PLACES:
        for distance in (0.0, ROUND_TRIP_MS):
            small = found[writers_at, distance, PACKETS[0], 2]
            ratios = [
                found[writers_at, distance, PACKETS[1], 2] / small,
                found[writers_at, distance, PACKETS[0], 512] / small,
                found[writers_at, distance, PACKETS[1], 512] / small,
            ]
            lines.append(["WAN" if distance else "LAN", writers_at, *(f"x {each:.2f}" for each in ratios)])
    head = ("rows/s against small packets and default windows", "writers at", "large packets", "windows 512", "both")
    return page.table(head, lines)
