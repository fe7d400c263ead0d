"""The simulation's model of runs is the console's: whatever happens in whatever order, both answer alike."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from backend.clusters.models import Link
from tests.backend.execution.both_links import Both, DifferenceError
from tests.core.builders.examples import examples
from tests.sim.link import SimLink
from tests.sim.run import CLAIMABLE, LEASE_S, SimRun, StaleEpochError
from tests.support.console import core_plan

BACK = st.sampled_from((0, 0, 0, 0, 0, 1, 2))
WAITS = st.sampled_from((1, 8, 9, 29, 30, 30, 31, 31, 899, 900))
OFTEN = ("take", "claim", "stop", "confirm", "check", "pass_return", "abort", "come_out", "intend")
ONCE = ("plan", "resume", "lose_right", "sweep", "lose_messages", "release", "succeed", "renew", "finish_step")
EVENTS = st.one_of(
    st.tuples(st.sampled_from(OFTEN), BACK), st.tuples(st.sampled_from(ONCE), BACK), st.tuples(st.just("wait"), WAITS)
)
TRACES = st.lists(EVENTS, min_size=8, max_size=24)
USUAL = 60
BEGIN = (("confirm", 0), ("take", 0))


@contextmanager
def both(link: Link) -> Iterator[Both]:
    """The pair, on a database that is as it was afterwards."""
    with transaction.atomic(), pytest.MonkeyPatch.context() as patch:
        try:
            yield Both(link, core_plan(link, steps=1), patch)
        finally:
            transaction.set_rollback(True)


def test_model_of_runs__any_order_of_events__answers_as_the_console(link: Link) -> None:
    @settings(examples(USUAL), suppress_health_check=list(HealthCheck))
    @given(TRACES, st.booleans())
    def agree(trace: list[tuple[str, int]], is_begun: bool) -> None:
        with both(link) as pair:
            pair.follow([*(BEGIN if is_begun else ()), *trace])

    agree()


def _claims_at_the_last_moment(run: SimRun, now_s: float) -> bool:
    return run.state in CLAIMABLE and (run.lease_until_s is None or run.lease_until_s <= now_s)


def _checks_the_epoch_alone(run: SimRun, epoch: int, now_s: float) -> None:
    del now_s
    run.mine(epoch)


def _writes_after_the_end(run: SimRun, epoch: int) -> None:
    if run.epoch != epoch:
        raise StaleEpochError(run.id)


def _renews_without_asking(run: SimRun, epoch: int, now_s: float) -> None:
    del epoch
    run.lease_until_s = now_s + LEASE_S


def _keeps_its_epoch(run: SimRun, successor_id: str) -> None:
    run.superseded_by = successor_id
    run.go("failed")


def _passes_after_an_abort(run: SimRun, epoch: int, now_s: float) -> bool:
    del epoch, now_s
    run.memory.is_past_return = True
    return True


def _rings_for_nobody(link: SimLink, now_s: float) -> int:
    del link, now_s
    return 0


def _starts_beside(link: SimLink, run: SimRun, now_s: float) -> bool:
    run.announced_s = now_s
    link.runs.append(run)
    link.messages.append(run)
    return True


SEEDED: tuple[tuple[type, str, Callable[..., object], tuple[tuple[str, int], ...]], ...] = (
    (SimRun, "is_free", _claims_at_the_last_moment, (("wait", 30), ("claim", 0))),
    (SimRun, "check", _checks_the_epoch_alone, (("wait", 30), ("check", 0))),
    (SimRun, "mine", _writes_after_the_end, (("stop", 0), ("intend", 0))),
    (SimRun, "renew", _renews_without_asking, (("wait", 31), ("claim", 0), ("wait", 1), ("renew", 1))),
    (SimRun, "supersede", _keeps_its_epoch, (("stop", 0), ("confirm", 0))),
    (SimRun, "pass_return", _passes_after_an_abort, (("abort", 0), ("pass_return", 0))),
    (SimLink, "start", _starts_beside, (("confirm", 0),)),
    (SimLink, "sweep", _rings_for_nobody, (("wait", 31), ("sweep", 0))),
)


@pytest.mark.parametrize(
    ("of", "name", "wrong", "trace"), SEEDED, ids=[wrong.__name__.strip("_") for _, _, wrong, _ in SEEDED]
)
def test_model_of_runs__another_rule_than_the_console__noticed(
    link: Link,
    monkeypatch: pytest.MonkeyPatch,
    of: type,
    name: str,
    wrong: Callable[..., object],
    trace: tuple[tuple[str, int], ...],
) -> None:
    with both(link) as pair:
        pair.follow([*BEGIN, *trace])
    monkeypatch.setattr(of, name, wrong)
    with both(link) as pair, pytest.raises(DifferenceError):
        pair.follow([*BEGIN, *trace])
