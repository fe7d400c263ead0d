"""The command line of distance: options in, rules out; and what a report looks like."""

from __future__ import annotations

import argparse
import shlex
from dataclasses import asdict
from typing import Any

import pytest

from deploy.lab.errors import LabError
from deploy.lab.wan import arguments, presentation
from deploy.lab.wan.plan import Plan, Rule
from deploy.lab.wan.scheduler import Counters
from deploy.lab.wan.shape import Shape


def rules(line: str) -> list[Rule]:
    parser = argparse.ArgumentParser()
    arguments.add_options(parser)
    return arguments.rules(parser.parse_args(shlex.split(line)))


def test_rules__every_option__both_directions_between_the_sites() -> None:
    shape = Shape(50, 5, 0.1, 15, 100)
    found = rules("--delay 50ms --jitter 5ms --loss 0.1% --reorder 15% --rate 100mbit")
    assert found == [Rule("a", "b", shape), Rule("b", "a", shape)]


def test_rules__round_trip__half_of_it_each_way() -> None:
    assert [rule.shape.delay_ms for rule in rules("--rtt 50ms")] == [25, 25]


def test_rules__one_direction_or_one_node__only_those() -> None:
    assert [(rule.source, rule.target) for rule in rules("--delay 5ms --from-to b a")] == [("b", "a")]
    assert [(rule.source, rule.target) for rule in rules("--delay 5ms --node db-a3")] == [
        ("db-a3", "all"), ("all", "db-a3"),
    ]  # fmt: skip


def test_rules__no_shape__none() -> None:
    assert rules("") == rules("clear") == rules("--pairs") == []


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("--between a b", "needs a shape"),
        ("clear --delay 5ms", "wan clear takes no shape"),
        ("--rtt 5ms --from-to a b", "use --delay"),
        ("--rtt 5s", "--delay is 2500; it must be 0 to 2000"),
        ("--loss 5", "--loss takes a share in percent"),
    ],
)
def test_rules__contradiction__refused_with_the_remedy(line: str, reason: str) -> None:
    with pytest.raises(LabError, match=reason):
        rules(line)


def pair(source: str, target: str, **counters: int) -> dict[str, Any]:
    return {"from": source, "to": target, **asdict(Counters(**counters))}


REPORT = {
    "pairs": [
        pair("db-a1", "db-b1", packets=3, bytes=1500, lost=1),
        pair("db-a2", "db-b1", packets=1, bytes=500),
        pair("console", "db-b1", packets=1, bytes=60),
        pair("clients-b", "db-b1"),
    ],
    "seconds": 9.6,
    "lateness": {"p50_ms": 0.1, "p99_ms": 3.1, "max_ms": 7.0},
    "disturbed": ["1 % of the packets left more than 3.1 ms late (limit 1 ms)"],
}


def test_report__sites__summed_with_lateness_and_disturbance() -> None:
    plan = Plan().with_rules([Rule("a", "b", Shape(25))]).with_cuts([("db-a1", "db-b2")])
    assert presentation.as_lines(plan, REPORT, each_pair=False) == [
        "distance a -> b: delay 25 ms",
        "cut: db-a1 -> db-b2",
        "cut: db-b2 -> db-a1",
        "  a -> b: 2,000 bytes, 4 packets, lost 1",
        "  console -> b: 60 bytes, 1 packets",
        "router over 10 s: lateness p50 0.1 ms, p99 3.1 ms, max 7 ms",
        "  disturbed: 1 % of the packets left more than 3.1 ms late (limit 1 ms)",
    ]


def test_report__each_pair__by_its_ends() -> None:
    lines = presentation.as_lines(Plan(), REPORT, each_pair=True)
    assert lines[:3] == ["distance: none", "  db-a1 -> db-b1: 1,500 bytes, 3 packets, lost 1",
                         "  db-a2 -> db-b1: 500 bytes, 1 packets"]  # fmt: skip
