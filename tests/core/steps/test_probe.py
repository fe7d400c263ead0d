"""A probe behind a backlog: waited for while the channel advances, and no longer."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from backend.core.link_facts import LinkFacts
from backend.core.plan import Step
from backend.core.ports import Row
from backend.core.steps.base import Proof, StepContext
from backend.core.steps.verification.probe import _BEHIND_LIMIT_S, _SEEN_LIMIT_S, Probe
from tests.core.builders.link_facts import link, with_channel
from tests.fakes.clock import FakeClock

TOKEN = "r_0123456789ab"
STEP = Step(10, "probe", "probe", "n_a1", "a1", params={"link_id": "l_1", "direction": "forward"})


class Behind:
    """A link whose forward channel executes `per_s` bytes a second until the probe arrives after `arrives_s`."""

    def __init__(self, clock: FakeClock, arrives_s: float, per_s: int) -> None:
        self._clock, self._arrives_s, self._per_s = clock, arrives_s, per_s
        self._began = clock.monotonic_s()
        self.polled: list[tuple[str, ...]] = []

    def observe_link(self, *, is_patient: bool = False, of: Collection[str] = ()) -> LinkFacts:
        del is_patient
        self.polled.append(tuple(of))
        moved = int((self._clock.monotonic_s() - self._began) * self._per_s)
        return with_channel(link(), "b1", exec_offset=1000 + moved)

    def reader(self, node_id: str) -> Any:
        del node_id
        return self

    def query(self, sql: str) -> list[Row]:
        del sql
        is_there = self._clock.monotonic_s() - self._began >= self._arrives_s
        return [{"token": TOKEN if is_there else "r_older"}]


def proven(gateway: Behind, clock: FakeClock, step: Step) -> Proof:
    ctx = SimpleNamespace(gateway=gateway, clock=clock, probe_token=TOKEN)
    ctx.wait_for = lambda *given, **named: StepContext.wait_for(ctx, *given, **named)  # type: ignore[arg-type]
    return Probe().prove(ctx, step)  # type: ignore[arg-type]


def proof_of(arrives_s: float, per_s: int) -> tuple[Proof, float]:
    clock = FakeClock()
    began = clock.monotonic_s()
    return proven(Behind(clock, arrives_s, per_s), clock, STEP), clock.monotonic_s() - began


@pytest.mark.parametrize("arrives_s", [1.0, 35.0, 100.0])
def test_probe__behind_a_backlog_that_is_worked_off__waited_for(arrives_s: float) -> None:
    proof, took = proof_of(arrives_s, per_s=5000)
    assert proof.is_ok, proof.sentence
    assert arrives_s <= took < arrives_s + 1


def test_probe__channel_stands__not_waited_for_longer_than_its_limit() -> None:
    proof, took = proof_of(100.0, per_s=0)
    assert not proof.is_ok
    assert "still" not in proof.sentence
    assert took < _SEEN_LIMIT_S + 1


def test_probe__backlog_without_end__given_up_in_bounded_time() -> None:
    proof, took = proof_of(10_000.0, per_s=5000)
    assert not proof.is_ok
    assert "is still applying its backlog" in proof.sentence
    assert took < _BEHIND_LIMIT_S + _SEEN_LIMIT_S + 1


@pytest.mark.parametrize(("named", "polled"), [({"receiving_cluster_id": "c_b"}, {("c_b",)}), ({}, {()})])
def test_probe__its_receiving_side_is_polled__all_nodes_where_an_earlier_version_named_none(
    named: dict[str, str], polled: set[tuple[str, ...]]
) -> None:
    clock = FakeClock()
    gateway = Behind(clock, 35.0, per_s=5000)
    assert proven(gateway, clock, replace(STEP, params={**STEP.params, **named})).is_ok
    assert set(gateway.polled) == polled


def test_places__of_the_fake__really_move() -> None:
    clock = FakeClock()
    behind = Behind(clock, 1.0, per_s=5000)
    first = behind.observe_link()
    clock.sleep(1.0)
    assert first != behind.observe_link()
