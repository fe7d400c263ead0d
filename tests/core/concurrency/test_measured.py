"""The measured figures of the page are those of docs/measurements/concurrency.md."""

from __future__ import annotations

import re
from pathlib import Path

from backend.core.adviser.concurrency.measured import CELLS, NO_DISTANCE_MS

PAGE = Path(__file__).parents[3] / "docs/measurements/concurrency.md"
DISTANCE = re.compile(r"\| threads at (\d+) ms ")
LINE = re.compile(r"\| (\d+) \| ([\d.]*) \| ([\d.]+)(?: \*)? \| [\d.]* \| [\d. /]+ \| ([\d.]+)(?: \*)? \|")


def test_measured__each_cell__as_the_last_run_wrote_it() -> None:
    found: dict[tuple[int, float], tuple[float, ...]] = {}
    delay_ms = 0.0
    for line in PAGE.read_text().splitlines():
        if distance := DISTANCE.match(line):
            delay_ms = float(distance[1]) or NO_DISTANCE_MS
        elif row := LINE.match(line):
            found[int(row[1]), delay_ms] = tuple(float(text) for text in row.groups()[1:] if text)
    shown = {
        (cell.threads, float(cell.delay_ms)): tuple(
            seconds for seconds in (cell.article_s, cell.lab_s, cell.lab_large_window_s) if seconds is not None
        )
        for cell in CELLS
    }
    assert found == shown
