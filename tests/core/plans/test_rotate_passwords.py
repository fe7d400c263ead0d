"""A rotation of passwords: its order, what refuses it, and that an interrupted or failed run locks no account out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from backend.core.checks.context import CheckContext
from backend.core.plan import Plan, Step
from backend.core.plans import rotate_passwords
from backend.core.rotation import ROLES, RotatedAccount
from backend.core.steps.base import Effect, StepContext
from backend.core.steps.sides.passwords import AddPassword, DropPassword, VerifyPassword
from tests.fakes.plans import context_of
from tests.fakes.world import FakeWorld


class FakePasswords:
    """Which of the two passwords each node accepts, and which one the console uses."""

    def __init__(self, accepted: Mapping[str, set[str]]) -> None:
        self.accepted = dict(accepted)
        self.calls: list[str] = []
        self.silent: set[str] = set()

    def prepare(self, role: str, cluster_ids: Sequence[str]) -> None:
        self.calls.append("prepare")

    def use_new(self, role: str, cluster_ids: Sequence[str]) -> None:
        self.calls.append("use new")

    def use_old(self, role: str, cluster_ids: Sequence[str]) -> None:
        self.calls.append("use old")

    def forget_old(self, role: str, cluster_ids: Sequence[str]) -> None:
        self.calls.append("forget old")

    def logins(self, role: str, node_ids: Sequence[str], *, is_new: bool) -> Mapping[str, bool | None]:
        wanted = "new" if is_new else "old"
        return {node: None if node in self.silent else wanted in self.accepted[node] for node in node_ids}


def context(world: FakeWorld) -> CheckContext:
    ctx = context_of(world)
    return replace(ctx, focus=ctx.link.active.nodes)


def accounts(ctx: CheckContext, **faults: str) -> list[RotatedAccount]:
    user = {"replication": "repl"}
    return [
        RotatedAccount(role, user.get(role, f"hawser_{role}"), "%", (ctx.link.active.id,), faults.get(role, ""))
        for role in ROLES
    ]


def plan_for(world: FakeWorld, *, may_alter: bool | None = True, **faults: str) -> Plan:
    ctx = context(world)
    given = accounts(ctx, **faults)
    return rotate_passwords.decide(ctx, (), given, side="active", may_alter=may_alter, options={})


def test_plan__all_roles__old_passwords_end_after_every_use_of_the_new_ones() -> None:
    plan = plan_for(FakeWorld.classic())
    codes = [step.code for step in plan.steps]
    first = codes.index("channel_password") if "channel_password" in codes else codes.index("drop_password")
    assert set(codes[first:]) <= {"channel_password", "drop_password"}
    assert codes.count("drop_password") == codes.count("add_password") == len(ROLES)
    assert [step.index for step in plan.steps if step.point_of_no_return] == [first]


def test_plan__statements__marks_and_no_password() -> None:
    for step in plan_for(FakeWorld.classic()).steps:
        for sql in (*step.sql, *step.undo):
            assert "{{secret:" in sql
            assert "IDENTIFIED BY" not in sql


@pytest.mark.parametrize(("may_alter", "word"), [(False, "lacks"), (None, "unknown")])
def test_plan__privilege_missing_or_unknown__refused(may_alter: bool | None, word: str) -> None:
    plan = plan_for(FakeWorld.classic(), may_alter=may_alter)
    assert plan.is_refused
    assert any(word in finding.message for finding in plan.findings)


def test_plan__account_cannot_be_rotated__refused_with_its_fault() -> None:
    plan = plan_for(FakeWorld.classic(), operator="is in a store")
    assert plan.is_refused
    assert "password_not_rotatable" in {finding.code for finding in plan.findings}


def _step(code: str) -> Step:
    return next(step for step in plan_for(FakeWorld.classic()).steps if step.code == code)


class Waiting:
    """The parts of a context that the steps use; waiting takes no time."""

    def __init__(self, passwords: FakePasswords) -> None:
        self.passwords = passwords

    def wait_for(self, limit_s: float, query: object, *, pause_s: float = 0.0) -> object:
        return query()  # type: ignore[operator]


def waiting(step: Step, accepted: set[str], *last_nodes: set[str]) -> StepContext:
    nodes = step.params["node_ids"]
    sets = [*last_nodes, *[accepted] * (len(nodes) - len(last_nodes))]
    made = FakePasswords(dict(zip(nodes, reversed(sets), strict=True)))
    return Waiting(made)  # type: ignore[return-value]


def test_verify__one_node_refuses_or_does_not_answer__no_success() -> None:
    step = _step("verify_password")
    assert not VerifyPassword().prove(waiting(step, {"old", "new"}, {"old"}), step).is_ok
    ctx = waiting(step, {"old", "new"})
    assert VerifyPassword().prove(ctx, step).is_ok
    ctx.passwords.silent = {step.params["node_ids"][-1]}  # type: ignore[attr-defined]
    assert not VerifyPassword().prove(ctx, step).is_ok


def test_undo__new_password_valid__console_goes_back_before_the_server() -> None:
    step = _step("add_password")
    ctx = waiting(step, {"old", "new"})
    assert AddPassword().undo_statement(ctx, step) == step.undo[0]
    assert ctx.passwords.calls == ["use old"]  # type: ignore[attr-defined]
    assert AddPassword().undo_statement(waiting(step, {"old"}), step) is None


def test_drop__old_password_still_valid_on_one_node__kept_in_the_console() -> None:
    step = _step("drop_password")
    ctx = waiting(step, {"new"}, {"new", "old"})
    assert not DropPassword().prove(ctx, step).is_ok
    assert ctx.passwords.calls == []  # type: ignore[attr-defined]
    assert DropPassword().look(waiting(step, {"new"}), step).effect is Effect.DONE
    assert DropPassword().prove(ctx := waiting(step, {"new"}), step).is_ok
    assert ctx.passwords.calls == ["forget old"]  # type: ignore[attr-defined]


def test_add__neither_password_accepted__nothing_is_sent() -> None:
    step = _step("add_password")
    assert AddPassword().look(waiting(step, set()), step).effect is Effect.FOREIGN
