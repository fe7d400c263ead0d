"""A pair on which a channel would stop reading again is not proposed, and is refused where it is named."""

from __future__ import annotations

from dataclasses import replace

import pytest

from backend.core.checks.context import CheckContext
from backend.core.checks.reading import check_new_pair_reads
from backend.core.findings import Finding, Severity
from backend.core.link_facts import LogBreak, RecordedChannel
from backend.core.plans.candidates import OF_A_NODE
from backend.core.plans.target import choose_pair
from backend.core.topology import Direction
from tests.core.builders.link_facts import context, link, node_of, with_channel, with_variable
from tests.fakes.plans import plan_relocate
from tests.fakes.world import FakeWorld

PACKET = "Got a packet bigger than 'slave_max_allowed_packet' bytes"
TOO_LARGE = (
    "Got fatal error 1236 from master when reading data from binary log: 'log event entry exceeded max_allowed_packet; "
    "the first event 'bin.000002' at 427, the last event read from 'bin.000002' at 427, the last byte read at 446.'"
)
DAMAGED = "Got fatal error 1236 from master when reading data from binary log: 'event read did not pass crc check'"


def found(ctx: CheckContext) -> list[tuple[str, Severity]]:
    return [(finding.code, finding.severity) for finding in check_new_pair_reads(ctx)]


@pytest.mark.parametrize(
    ("limit", "code"),
    [("1048576", "reading_would_stop_again"), (None, "reading_cause_unknown"), ("1073741824", None)],
)
def test_pair__its_replica_accepts_no_larger_row__refused(limit: str | None, code: str | None) -> None:
    stuck = with_channel(link(), "b1", io_running="No", io_errno=1153, io_error=PACKET)
    ctx = context(with_variable(stuck, "b2", "slave_max_allowed_packet", limit))
    assert [one for one, _ in found(ctx)] == ([] if code is None else [code])
    assert code is None or code in OF_A_NODE
    attested = replace(ctx, attested_error_over=True)
    assert all(severity is Severity.WARNING for _, severity in found(attested))


def test_pair__source_that_cannot_read_its_log__left() -> None:
    stuck = with_channel(link(), "b1", io_running="No", io_errno=1236, io_error=DAMAGED)
    assert found(context(stuck)) == []
    assert choose_pair(stuck, None, None).active_node_id != "n_a1"


def test_pair__place_is_one_of_another_log__its_bytes_are_no_event_that_is_too_large() -> None:
    stuck = with_channel(link(), "b1", io_running="No", io_errno=1236, io_error=TOO_LARGE)
    (held,) = node_of(stuck, "b1").channels or ()
    cause = LogBreak("source_log_replaced", "bin.000002 of a1 is another file", 0.0)
    known = RecordedChannel(Direction.FORWARD, "n_b1", "n_a1", held, 0.0)
    other = replace(stuck, recorded=(replace(known, log_break=cause),))
    assert found(context(other)) == []
    assert choose_pair(other, None, None).active_node_id != "n_a1"
    not_compared = replace(known, log_break=replace(cause, code="source_log_unread"))
    for recorded in (known, not_compared):
        assert found(context(replace(stuck, recorded=(recorded,)))) != []


def stuck_world(limits: dict[str, str]) -> FakeWorld:
    """The forward channel of b1 stopped on a row that is larger than b1 accepts; what the others accept is given."""
    world = FakeWorld.classic()
    for name in ("b1", "b2", "b3"):
        world.node(name).variables["slave_max_allowed_packet"] = limits.get(name, "1048576")
    channel = world.node("b1").channels["link1"]
    channel.io, channel.io_error = "No", f"1153: {PACKET}"
    return world


def refusing(findings: tuple[Finding, ...]) -> set[str]:
    return {finding.code for finding in findings if finding.refuses}


def is_refused_everywhere() -> bool:
    """Whether a relocate is refused, for that reason, where no node accepts the row."""
    return "reading_would_stop_again" in refusing(plan_relocate(stuck_world({})).findings)


def test_relocate__nobody_accepts_the_row__refused_with_variable_and_value() -> None:
    assert is_refused_everywhere()
    plan = plan_relocate(stuck_world({}))
    assert plan.steps == ()
    remedy = next(finding.remedy for finding in plan.findings if finding.code == "reading_would_stop_again")
    assert "SET GLOBAL slave_max_allowed_packet=1073741824" in remedy


def test_relocate__one_node_accepts_it__that_one_is_chosen() -> None:
    plan = plan_relocate(stuck_world({"b3": "1073741824"}))
    assert not plan.is_refused
    assert plan.target["replica_name"] == "b3"
