"""The measured figures of the page are those of docs/measurements/bandwidth.md."""

from __future__ import annotations

import re
from pathlib import Path

from backend.core.adviser.bandwidth.measured import ROWS

PAGE = Path(__file__).parents[3] / "docs/measurements/bandwidth.md"
LINE = re.compile(r"\| \d \((\d) \+ (\d)\) \| ([12]) \| [\d.]+ MB \| ([\d.]+) \| ([\d.]+) \|")


def test_measured__each_layout__as_the_last_run_wrote_it() -> None:
    found = {
        (int(near), int(far), int(segments)): (float(writer), float(across))
        for near, far, segments, writer, across in LINE.findall(PAGE.read_text())
    }
    shown = {
        (row.near, row.far, segments): figures
        for row in ROWS
        for segments, figures in ((1, (row.writer_one, row.across_one)), (2, (row.writer_two, row.across_two)))
    }
    assert found == shown
