"""The runs of the page that were measured on disk are those of docs/measurements/state-transfer.md."""

from __future__ import annotations

import re
from pathlib import Path

from backend.core.adviser.state_transfer.measured import LAB_BUSY, LAB_ON_DISK, RUNS

PAGE = Path(__file__).parents[3] / "docs/measurements/state-transfer.md"
ROW = re.compile(r"\| [^|]+ \| [^|]+ \| ([\d,]+) \| (\d+) \| \d+ \| [\d.]+ \| [\d.]+ \| [\d.]+ / ([\d.]+) \|")
P95 = re.compile(r"commit p95 (\d+) ms")


def rows(part: str) -> dict[tuple[float, float], float]:
    """Size and seconds of each transfer, with the p95 of the commits meanwhile."""
    found = (row for line in part.splitlines() if (row := ROW.match(line)))
    return {(float(row[1].replace(",", "")) * 1e6, float(row[2])): float(row[3]) for row in found if row[2] != "0"}


def test_runs__on_disk__as_the_last_runs_wrote_them() -> None:
    calm, busy, *_ = PAGE.read_text().split("<!-- measured: end -->")
    for source, part in ((LAB_ON_DISK, calm), (LAB_BUSY, busy)):
        on_page = rows(part)
        shown = [run for run in RUNS if run.source == source]
        assert shown
        for run in shown:
            assert (run.data_bytes, run.seconds) in on_page, run.case
            if noted := P95.search(run.note):
                assert round(on_page[run.data_bytes, run.seconds]) == int(noted[1]), run.case
