"""What a person writes for a link, and what is refused."""

from __future__ import annotations

import pytest

from deploy.lab.errors import LabError
from deploy.lab.wan.shape import Shape, parse_megabits, parse_milliseconds, parse_percent


@pytest.mark.parametrize(("text", "expected"), [("50ms", 50), ("0.2s", 200), ("500us", 0.5), ("0ms", 0), (" 5 MS", 5)])
def test_duration__with_a_unit__in_milliseconds(text: str, expected: float) -> None:
    assert parse_milliseconds("--delay", text) == pytest.approx(expected)


def test_share_and_rate__with_a_unit__taken() -> None:
    assert parse_percent("--loss", "0.1%") == pytest.approx(0.1)
    assert [parse_megabits("--rate", text) for text in ("100mbit", "512kbit", "1gbit")] == [100, 0.512, 1000]


@pytest.mark.parametrize("text", ["", "50", "-5ms", "5 minutes", "nanms", "1e3ms", "ms"])
def test_duration__without_unit_or_nonsense__refused_by_name(text: str) -> None:
    with pytest.raises(LabError, match=r"--delay takes a duration with its unit, for example 50ms"):
        parse_milliseconds("--delay", text)


def test_rate__zero__refused_with_the_remedy() -> None:
    with pytest.raises(LabError, match="Leave it out"):
        parse_megabits("--rate", "0mbit")


@pytest.mark.parametrize(
    ("fields", "option"),
    [
        ({"delay_ms": 2001}, "--delay"),
        ({"delay_ms": float("nan")}, "--delay"),
        ({"delay_ms": 5, "jitter_ms": 6}, "--jitter is 6; it must be at most the delay"),
        ({"loss_percent": 101}, "--loss"),
        ({"delay_ms": 1, "reorder_percent": -1}, "--reorder"),
        ({"reorder_percent": 5}, "--reorder needs a --delay"),
        ({"rate_mbit": 20_000}, "--rate"),
        ({"queue_ms": 5000}, "--queue"),
    ],
)
def test_shape__beyond_its_bounds__refused_by_name(fields: dict[str, float], option: str) -> None:
    with pytest.raises(LabError, match=option):
        Shape(**fields)


def test_shape__printed__says_only_what_is_set() -> None:
    assert str(Shape()) == "delay 0 ms"
    assert str(Shape(50, 5, 0.1, 15, 100)) == (
        "delay 50 ms, jitter 5 ms, loss 0.1 %, reorder 15 %, rate 100 Mbit/s, queue 200 ms"
    )
