"""What 90 days of lag take on a MariaDB of its own: `python -m bench.lag_history`.

Twenty links have all that is kept of them; two hundred have a last minute, for the time of one roll-up.
"""

from __future__ import annotations

import os
import tempfile
import time
from datetime import timedelta
from pathlib import Path
from typing import Any

from deploy.services.mariadb import start_mariadb

KEPT_LINKS = 20
ROLLED_LINKS = 200
NUMBERS = ("forward_gap", "forward_lag_s", "reverse_gap", "reverse_lag_s")


def main() -> None:
    """Start a database, fill it, measure, print."""
    with tempfile.TemporaryDirectory(prefix="hawser-bench-") as folder:
        server = start_mariadb(Path(folder) / "mariadb", Path(folder) / "mariadb.log")
        os.environ |= {"HAWSER_DATABASE_URL": server.url, "HAWSER_DEBUG": "1"}
        try:
            _measure()
        finally:
            server.child.stop()


def _measure() -> None:
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    _register()
    for width_s, rows in ((1, 3600), (10, 8640), (60, 10_080), (600, 12_960)):
        _fill(width_s, rows)
    _print_sizes()
    _print_times()


def _register() -> None:
    from backend.clusters.models import Cluster, Link

    sides = [Cluster.objects.create(name=name, site=name, tls_mode="disabled") for name in ("a", "b")]
    Link.objects.bulk_create(
        Link(
            id=f"l_bench{number:07d}",
            name=f"bench-{number}",
            active_cluster=sides[0],
            standby_cluster=sides[1],
            home_cluster=sides[0],
        )
        for number in range(ROLLED_LINKS)
    )


def _fill(width_s: int, rows: int) -> None:
    """Rows in the order in which the monitor writes them, each time for all links."""
    parts = ("",) if width_s == 1 else ("_min", "_max", "_sum", "_known")
    names = [f"{name}{part}" for name in NUMBERS for part in parts]
    table, keys = ("lagsample", "") if width_s == 1 else ("lagbucket", "width_s, samples, ")
    values = "" if width_s == 1 else f"{width_s}, {width_s}, "
    numbers = ", ".join(["n.seq % 97"] * len(names))
    _run(
        f"INSERT INTO monitoring_{table} (link_id, at, {keys}state_rank, {', '.join(names)}) "
        f"SELECT l.id, UTC_TIMESTAMP() - INTERVAL ({rows} - n.seq) * {width_s} SECOND, {values}0, {numbers} "
        f"FROM seq_1_to_{rows} n CROSS JOIN (SELECT id FROM clusters_link ORDER BY id LIMIT {KEPT_LINKS}) l "
        "ORDER BY n.seq, l.id"
    )


def _run(sql: str) -> list[Any]:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(sql)
        return list(cursor.fetchall()) if cursor.description else []


def _print_sizes() -> None:
    _run("ANALYZE TABLE monitoring_lagsample, monitoring_lagbucket")
    for table in ("monitoring_lagsample", "monitoring_lagbucket"):
        rows = _run(f"SELECT COUNT(*) FROM {table}")[0][0]
        size = _run(
            "SELECT data_length + index_length FROM information_schema.tables "
            f"WHERE table_schema = DATABASE() AND table_name = '{table}'"
        )[0][0]
        print(f"{table}: {rows} rows, {size} bytes, {size / rows:.0f} bytes a row, {size / KEPT_LINKS:.0f} a link")


def _print_times() -> None:
    from django.utils import timezone

    from backend.clusters.models import Link
    from backend.monitoring.lag_history import curve, rollup
    from backend.monitoring.lag_history.archives import archives, automatic, floor_to
    from backend.monitoring.models import LagProgress, LagSample

    now, links = timezone.now(), list(Link.objects.order_by("id"))
    at = floor_to(now, 10)
    LagProgress.objects.bulk_create(
        LagProgress(pk=archive.width_s, rolled_until=floor_to(at, 600), kept_from=now - archive.keep)
        for archive in archives()
    )
    for days in (1 / 24, 1, 7, 90):
        since = now - timedelta(days=days)
        found = automatic(archives(), since, now, now, 900)
        began = time.perf_counter()
        count = len(list(curve.points(links[0].pk, found, since, now)))
        print(f"curve of {days:.2f} days: {count} points of {found.step_s} s in {_milliseconds(began)} ms")
    for age in range(60):
        LagSample.objects.bulk_create(
            LagSample(link=link, at=at - timedelta(seconds=age), state_rank=0, forward_gap=age) for link in links
        )
    for seconds in (20, 30, 40, 50):
        began = time.perf_counter()
        rollup.roll_up(at + timedelta(seconds=seconds))
        print(f"pass over {len(links)} links: {_milliseconds(began)} ms")


def _milliseconds(began: float) -> int:
    return round((time.perf_counter() - began) * 1000)


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "backend.config.settings")
    main()
