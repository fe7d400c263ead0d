"""The scheduler on a clock of the test's own."""

from __future__ import annotations

import random
from dataclasses import replace
from statistics import median

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deploy.lab.wan.scheduler import Path, Scheduler
from deploy.lab.wan.shape import Shape

END_OF_TIME = 1e9


def path(shape: Shape) -> Path:
    made = Path("a", "b")
    made.shape = shape
    return made


def arrivals(scheduler: Scheduler) -> list[tuple[float, bytes]]:
    """When each waiting packet leaves."""
    found = []
    while (popped := scheduler.pop(END_OF_TIME)) is not None:
        found.append((popped[0], popped[2]))
    return found


def seeded(**bounds: int) -> Scheduler:
    return Scheduler(random.Random(1).random, **bounds)


def test_delay__each_way__exact() -> None:
    scheduler, there, back = seeded(), path(Shape(delay_ms=10)), path(Shape(delay_ms=40))
    scheduler.accept(there, b"x", 1.0)
    scheduler.accept(back, b"y", 1.0)
    assert scheduler.next_due() == pytest.approx(1.010)
    assert scheduler.pop(1.009) is None
    left = arrivals(scheduler)
    assert [packet for _, packet in left] == [b"x", b"y"]
    assert [due for due, _ in left] == pytest.approx([1.010, 1.040])


def test_jitter__many_packets_far_apart__within_and_on_both_sides_of_the_delay() -> None:
    scheduler, line = seeded(), path(Shape(delay_ms=50, jitter_ms=5))
    for number in range(500):
        scheduler.accept(line, b"", float(number))
    delays = [(due - number) * 1000 for number, (due, _) in enumerate(arrivals(scheduler))]
    assert min(delays) >= 45
    assert max(delays) <= 55
    assert median(delays) == pytest.approx(50, abs=0.5)


def test_loss_and_reorder__many_packets__as_set() -> None:
    scheduler, line = seeded(most_packets=10_000), path(Shape(delay_ms=50, loss_percent=10, reorder_percent=15))
    for number in range(10_000):
        scheduler.accept(line, b"", float(number))
    assert line.counters.lost == pytest.approx(1000, abs=120)
    assert line.counters.reordered == pytest.approx(1350, abs=140)
    assert line.counters.packets == 10_000 - line.counters.lost


def test_reorder__overtaking_packet__leaves_without_delay() -> None:
    scheduler, line = Scheduler(lambda: 0.99), path(Shape(delay_ms=50, reorder_percent=50))
    scheduler.accept(line, b"first", 0.0)
    scheduler._random = lambda: 0.01
    scheduler.accept(line, b"second", 0.001)
    left = arrivals(scheduler)
    assert [packet for _, packet in left] == [b"second", b"first"]
    assert [due for due, _ in left] == pytest.approx([0.001, 0.050])


def test_rate__burst__spread_over_the_time_that_its_bits_take() -> None:
    scheduler, line = seeded(), path(Shape(rate_mbit=1, queue_ms=2000))
    for _ in range(100):
        scheduler.accept(line, bytes(1250), 0.0)  # 10 ms each
    assert [due for due, _ in arrivals(scheduler)] == pytest.approx([0.01 * (n + 1) for n in range(100)])


def test_rate__queue_full__dropped_and_counted() -> None:
    scheduler, line = seeded(), path(Shape(rate_mbit=1, queue_ms=50))
    for _ in range(100):
        scheduler.accept(line, bytes(1250), 0.0)
    assert (line.counters.packets, line.counters.queue_full) == (6, 94)
    scheduler.accept(line, bytes(1250), 10.0)
    assert line.counters.packets == 7


def test_bounds__packets_and_bytes__beyond_them_dropped_until_some_left() -> None:
    scheduler, line = seeded(most_packets=3, most_bytes=100), path(Shape(delay_ms=10))
    for size in (60, 60, 10, 10, 10):
        scheduler.accept(line, bytes(size), 0.0)
    assert (line.counters.packets, line.counters.queue_full) == (3, 2)
    assert len(arrivals(scheduler)) == 3
    scheduler.accept(line, bytes(60), 1.0)
    assert line.counters.packets == 4


def test_cut__packets__dropped_and_those_on_the_way_arrive() -> None:
    scheduler, line = seeded(), path(Shape(delay_ms=10))
    scheduler.accept(line, b"before", 0.0)
    line.is_cut = True
    scheduler.accept(line, b"after", 0.0)
    assert line.counters.cut == 1
    assert [packet for _, packet in arrivals(scheduler)] == [b"before"]


def test_shape__shortened_while_packets_wait__order_kept() -> None:
    scheduler, line = seeded(), path(Shape(delay_ms=100))
    scheduler.accept(line, b"first", 0.0)
    line.shape = Shape(delay_ms=1)
    scheduler.accept(line, b"second", 0.01)
    scheduler.accept(line, b"third", 0.2)
    assert [(round(due, 6), packet) for due, packet in arrivals(scheduler)] == [
        (0.1, b"first"), (0.1, b"second"), (0.201, b"third"),
    ]  # fmt: skip


SHAPES = st.builds(
    lambda delay, share, loss, rate, queue: Shape(delay, delay * share, loss, 0, rate, queue),
    st.floats(0, 500),
    st.floats(0, 1),
    st.sampled_from([0, 1, 30]),
    st.sampled_from([0, 1, 100]),
    st.floats(0, 500),
)
GAPS = st.lists(st.tuples(st.floats(0, 0.2), st.integers(20, 1500)), min_size=1, max_size=60)


@given(SHAPES, GAPS, st.randoms(use_true_random=False))
def test_any_shape_without_reorder__order_bounds_and_sums_hold(
    shape: Shape, gaps: list[tuple[float, int]], rng: random.Random
) -> None:
    scheduler, line = Scheduler(rng.random), path(shape)
    now, sent = 0.0, {}
    for number, (gap, size) in enumerate(gaps):
        now += gap
        packet = number.to_bytes(4) + bytes(size)
        scheduler.accept(line, packet, now)
        sent[packet[:4]] = now
    left = arrivals(scheduler)
    numbers = [packet[:4] for _, packet in left]
    assert numbers == sorted(numbers)
    for due, packet in left:
        assert due >= sent[packet[:4]] + (shape.delay_ms - shape.jitter_ms) / 1000 - 1e-9
    counters = line.counters
    assert counters.packets + counters.lost + counters.queue_full == len(gaps)
    assert counters.bytes == sum(len(packet) for _, packet in left)
    if shape.rate_mbit and not shape.delay_ms and left:
        bits = sum(len(packet) for _, packet in left[1:]) * 8
        assert bits <= shape.rate_mbit * 1e6 * (left[-1][0] - left[0][0]) + 1e-3


@given(SHAPES, SHAPES, GAPS)
def test_shape_changed_at_any_time__order_holds(first: Shape, second: Shape, gaps: list[tuple[float, int]]) -> None:
    scheduler, line = seeded(), path(replace(first, loss_percent=0))
    now = 0.0
    for number, (gap, _) in enumerate(gaps):
        now += gap
        if number == len(gaps) // 2:
            line.shape = replace(second, loss_percent=0)
        scheduler.accept(line, number.to_bytes(4), now)
    numbers = [packet for _, packet in arrivals(scheduler)]
    assert numbers == sorted(numbers)
