"""What a year of 200 links takes in the console's database: `python -m bench storage`.

Each table that grows is filled on a MariaDB of its own with as many rows as stated; what a row takes, with its indexes,
is multiplied by the rows that its retention time leaves.
"""

from __future__ import annotations

import os
import tempfile
import time
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from deploy.services.mariadb import start_mariadb

LINKS, NODES_OF_A_LINK = 200, 6
ROWS = 100_000
DAY_S = 86_400
UUID = "6f1d1c2e-1111-2222-3333-444455556666"
AT = "TIMESTAMP'2026-01-01 00:00:00' + INTERVAL seq SECOND"
DETAIL = 3_000
"""Bytes of each of the four large columns of a rehearsal, as those of the demo have them."""


@dataclass(frozen=True)
class Table:
    """A table, its rows after a year, and a statement that fills it from a sequence."""

    name: str
    rows: int
    why: str
    columns: str
    values: str


def main() -> int:
    """Fill, measure, print."""
    with tempfile.TemporaryDirectory(prefix="hawser-bench-") as folder:
        server = start_mariadb(Path(folder) / "mariadb", Path(folder) / "mariadb.log")
        os.environ |= {
            "DJANGO_SETTINGS_MODULE": "backend.config.settings",
            "HAWSER_DATABASE_URL": server.url,
            "HAWSER_DEBUG": "1",
        }
        try:
            _measure()
        finally:
            server.child.stop()
    return 0


def _tables() -> tuple[Table, ...]:
    nodes = LINKS * NODES_OF_A_LINK
    buckets = DAY_S // 10 + 7 * DAY_S // 60 + 90 * DAY_S // 600
    return (
        Table(
            "monitoring_checkpoint", nodes * (600 + 6_600 // 10 + (7 * DAY_S - 7_200) // 60),
            "10 minutes each second, 2 hours each 10 s, 7 days each minute, of each node",
            "node_id, state_uuid, file, offset, seqno, exact, retention_level, observed_at",
            f"CONCAT('n_bench', seq % 12), '{UUID}', 'binlog.000123', seq * 400, seq, 1, IF(seq % 20, 2, 0), {AT}",
        ),
        Table(
            "monitoring_lagsample", LINKS * 3_600, "an hour each second, of each link",
            "link_id, at, state_rank, forward_gap, forward_lag_s, reverse_gap, reverse_lag_s",
            f"CONCAT('l_bench', seq % 20), {AT}, 1, 7, 1, 0, 0",
        ),
        Table(
            "monitoring_lagbucket", LINKS * buckets, "a day of 10 s, 7 days of minutes, 90 days of 10 minutes",
            "link_id, width_s, at, samples, state_rank, " + ", ".join(
                f"{name}_{part}"
                for name in ("forward_gap", "forward_lag_s", "reverse_gap", "reverse_lag_s")
                for part in ("min", "max", "sum", "known")
            ),
            f"CONCAT('l_bench', seq % 20), 10, {AT}, 10, 1" + ", 0, 7, 35, 10" * 4,
        ),
        Table(
            "monitoring_writesetreading", nodes * (120 + 8 * 24), "2 hours each minute, 8 days each hour, of each node",
            "node_id, at, is_hourly, state_uuid, seqno, replicated, replicated_bytes, received, received_bytes, "
            "write_sets, bytes, own_bytes, covered_s",
            f"CONCAT('n_bench', seq % 12), {AT}, 0, '{UUID}', seq, seq, seq, seq, seq, seq, seq, seq, 60",
        ),
        Table(
            "events_event", LINKS * 3_600, "signals: an hour, each link changing each second",
            "type, at, link_id, run_id, data",
            f"'link.updated', {AT}, CONCAT('l_bench', seq % 20), '', '{{\"link_id\": \"l_bench000001\"}}'",
        ),
        Table(
            "events_event", LINKS * 20 * 400, "history: 400 days, 20 events of a link a day",
            "type, at, link_id, run_id, data",
            f"'event.raised', {AT}, CONCAT('l_bench', seq % 20), '', CONCAT('{{\"kind\": \"node.down\", \"x\": \"', "
            "REPEAT('x', 220), '\"}')",
        ),
        Table(
            "audit_auditrecord", LINKS * 20 * 365, "a year, 20 records of a link a day; they are never deleted",
            "seq, at, actor, action, link_id, run_id, target, reason, request_id, source_ip, facts, prev_hash, hash, "
            "key_id",
            f"seq, {AT}, 'nora', 'api:run:start', CONCAT('l_bench', seq % 20), '', 'p_bench', REPEAT('r', 40), "
            f"'{UUID}', '10.0.0.1', CONCAT('{{\"a\": \"', REPEAT('x', 200), '\"}}'), REPEAT('0', 64), REPEAT('1', 64), "
            "'k1'",
        ),
        Table(
            "rehearsals_rehearsal", LINKS * 3 * 400, "400 days, three a day of each link",
            "id, link_id, kind, state, at, actor, options, summary, sentence, duration_ms, loss, timings, findings, "
            "positions, steps",
            f"CONCAT('h_', seq), CONCAT('l_bench', seq % 20), 'failover', 'passed', {AT}, 'schedule', '{{}}', "
            "REPEAT('s', 120), REPEAT('s', 80), 400, '{}'" + f", CONCAT('[\"', REPEAT('x', {DETAIL}), '\"]')" * 4,
        ),
        Table(
            "history_readinessday", LINKS * 365, "a year of days; 800 days are kept",
            "link_id, day, ready_s, not_ready_s, counted_at",
            f"CONCAT('l_bench', seq % 20), DATE'2000-01-01' + INTERVAL seq DIV 20 DAY, 1, 1, {AT}",
        ),
    )  # fmt: skip


def _measure() -> None:
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    total = 0.0
    print("| table | rows after a year | bytes a row | size | what is kept |\n|---|---|---|---|---|")
    for table in _tables():
        size = _bytes_a_row(table) * table.rows
        total += size
        print(f"| `{table.name}` | {table.rows:,} | {size / table.rows:.0f} | {size / 2**20:,.0f} MiB | {table.why} |")
    print(f"| all | | | {total / 2**30:.1f} GiB | |\n")
    _print_deletion()


def _bytes_a_row(table: Table) -> float:
    from django.db import connection

    rows = min(ROWS, 20_000 if table.name == "rehearsals_rehearsal" else ROWS)
    with connection.cursor() as cursor:
        cursor.execute("SET FOREIGN_KEY_CHECKS = 0")
        cursor.execute(f"TRUNCATE TABLE {table.name}")
        columns = ", ".join(f"`{name.strip()}`" for name in table.columns.split(","))
        cursor.execute(f"INSERT INTO {table.name} ({columns}) SELECT {table.values} FROM seq_1_to_{rows}")
        cursor.execute(f"ANALYZE TABLE {table.name}")
        cursor.fetchall()
        cursor.execute(
            "SELECT data_length + index_length FROM information_schema.tables "
            f"WHERE table_schema = DATABASE() AND table_name = '{table.name}'"
        )
        return float(cursor.fetchone()[0]) / rows


def _print_deletion() -> None:
    """How long it takes to delete a minute's samples of all nodes, in portions."""
    from django.db import connection
    from django.utils import timezone

    from backend.monitoring.journal import thin

    table = _tables()[0]
    _bytes_a_row(table)
    with connection.cursor() as cursor:
        cursor.execute(f"UPDATE {table.name} SET retention_level = IF(seqno <= 50000, 0, 2)")
        cursor.execute(f"UPDATE {table.name} SET observed_at = UTC_TIMESTAMP() - INTERVAL 1 HOUR")
    began = time.perf_counter()
    deleted = thin(timezone.now() + timedelta(seconds=1))
    took_s = time.perf_counter() - began
    print(f"{deleted:,} samples deleted in portions: {took_s:.2f} s, {deleted / took_s:,.0f} a second.")
