"""Whether a side that was bootstrapped again holds what the other one has."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from backend.core.equal_data.held import holds_less
from backend.core.findings import Severity

MIB = 1024 * 1024
FULL = {"app.orders": 40 * MIB, "app.lines": 60 * MIB}


@pytest.mark.parametrize(
    ("held", "wanted", "severity"),
    [
        (FULL, FULL, None),
        ({"app.orders": 30 * MIB, "app.lines": 50 * MIB}, FULL, None),
        ({**FULL, "app.own": 5}, FULL, None),
        ({"app.orders": 16_384, "app.lines": 16_384}, FULL, Severity.BLOCKER),
        ({"app.orders": 16_384}, FULL, Severity.BLOCKER),
        ({}, {"app.orders": 16_384}, Severity.BLOCKER),
        ({"other.t": 90 * MIB}, {"app.orders": 16_384}, Severity.BLOCKER),
        (FULL, {**FULL, "reports.own": MIB}, Severity.WARNING),
        ({"app.orders": 16_384}, {"app.orders": 900_000}, None),
        ({}, {}, None),
    ],
    ids=["equal", "about", "more", "emptied", "table-gone", "nothing", "other-data", "own-table", "too-small", "none"],
)
def test_side__holds_less_than_the_other__told(
    held: Mapping[str, int], wanted: Mapping[str, int], severity: Severity | None
) -> None:
    found = holds_less("Milan", held, "Frankfurt", wanted)
    assert (found.severity if found else None) is severity
    if severity is Severity.BLOCKER:
        assert found is not None
        assert found.remedy.startswith("Stop the channel to Frankfurt first")
