"""What the lab's router counted, pasted: of the cluster's nodes alone, and refused where it is none."""

from __future__ import annotations

import json
from typing import Any

import pytest

from backend.core.adviser.bandwidth.counters import read_counters
from backend.core.estimates import FieldError

NODES = ("db-a1", "db-a2")


def report(**changed: Any) -> dict[str, Any]:
    pair = {"from": "db-a1", "to": "db-a2", "bytes": 700, "packets": 3}
    return {"seconds": 10.5, "pairs": [pair, {**pair, "to": "console"}]} | changed


def test_counters__of_the_cluster__other_ends_are_left_out() -> None:
    found = read_counters(json.dumps(report()), NODES)
    assert (found.seconds, found.pairs, found.left_out) == (10.5, {("db-a1", "db-a2"): 700}, 1)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "[" * 100_000,
        json.dumps(report())[:-9],
        json.dumps(report(seconds=0)),
        json.dumps(report(seconds="10")),
        '{"seconds": NaN, "pairs": []}',
        json.dumps(report(pairs=[])),
        json.dumps(report(pairs=[1])),
        json.dumps(report(pairs=report()["pairs"] * 2)),
        json.dumps(report(pairs=[{"from": "db-a1", "to": "db-a1", "bytes": 1}])),
        json.dumps(report(pairs=[{"from": "db-a1", "to": "db-a2", "bytes": -1}])),
        json.dumps(report(pairs=[{"from": "db-a1", "to": "db-a2", "bytes": 1.5}])),
        json.dumps(report(pairs=[{"from": "other-1", "to": "other-2", "bytes": 1}])),
        " " * 400_001,
    ],
)
def test_counters__cut_or_absurd_or_of_others__refused(text: str) -> None:
    with pytest.raises(FieldError) as refused:
        read_counters(text, NODES)
    assert refused.value.field == "output"
