"""Steps of a rotation of passwords. What holds is found by logging in, never remembered.

Both passwords are valid between `add_password` and `drop_password`, so a run may be interrupted anywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from backend.core.plan import Step
from backend.core.steps.base import (
    Effect,
    Observation,
    Proof,
    StepContext,
    UnobservedNodeError,
    channel_at,
    source_of,
    unobserved,
)

WAIT_S = 30.0
"""ALTER USER reaches the nodes of a cluster at once, those of the other side by the channel."""
PAUSE_S = 0.5


class _Always:
    """A step whose call to the console may be repeated, and that sends nothing."""

    def look(self, ctx: StepContext, step: Step) -> Observation:
        """Always to do."""
        return Observation(Effect.TO_DO, step.title)

    def statement(self, ctx: StepContext, step: Step) -> str | None:
        """No server is changed."""
        return None


class PreparePassword(_Always):
    """The new password is stored, encrypted, before any server knows it."""

    def prove(self, ctx: StepContext, step: Step) -> Proof:
        """Stored; a second time it stays the same."""
        ctx.passwords.prepare(*_account(step))
        return Proof(True, "the new password is stored, encrypted")


class VerifyPassword(_Always):
    """The new password logs in on every node."""

    def prove(self, ctx: StepContext, step: Step) -> Proof:
        """On all of them within the time; one that does not answer is unknown, which is no success."""
        return ctx.wait_for(WAIT_S, lambda: _works_everywhere(ctx, step), pause_s=PAUSE_S)


class UsePassword(_Always):
    """The console connects with the new password from now on."""

    def prove(self, ctx: StepContext, step: Step) -> Proof:
        """Only after it was verified."""
        ctx.passwords.use_new(*_account(step))
        return Proof(True, "Hawser uses the new password")


class AddPassword:
    """Both passwords log in; the undo leaves the old one alone, in the console first."""

    def undone(self, step: Step) -> str:
        """The old password."""
        return "the old password alone logs in"

    def look(self, ctx: StepContext, step: Step) -> Observation:
        """Done where the new password logs in."""
        return _seen(ctx, step, is_done=lambda old, new: new)

    def statement(self, ctx: StepContext, step: Step) -> str | None:
        """As planned."""
        return step.sql[0]

    def prove(self, ctx: StepContext, step: Step) -> Proof:
        """Both log in on this node."""
        old, new = _logins(ctx, step)
        sentence = "both passwords log in" if old and new else "one of the two passwords does not log in"
        return Proof(bool(old and new), sentence)

    def undo_statement(self, ctx: StepContext, step: Step) -> str | None:
        """None where the old password alone logs in; the console uses it before the new one ends."""
        ctx.passwords.use_old(*_account(step))
        old, new = _logins(ctx, step)
        if old is None or new is None:
            raise UnobservedNodeError(f"{step.node} does not answer, so it is unknown which passwords log in there")
        return None if old and not new else step.undo[0]


class ChannelPassword:
    """A channel logs in with the new password. A server does not show it, so after a crash it is given again."""

    def look(self, ctx: StepContext, step: Step) -> Observation:
        """To do, where the channel is the planned one."""
        facts = ctx.facts_of(step)
        if facts.channels is None:
            return unobserved(facts)
        if channel_at(facts, step.params["name"], source_of(step)) is None:
            return Observation(Effect.FOREIGN, f"{facts.node.name} no longer has the planned channel")
        return Observation(Effect.TO_DO, "give the channel the new password")

    def statement(self, ctx: StepContext, step: Step) -> str | None:
        """As planned."""
        return step.sql[0]

    def prove(self, ctx: StepContext, step: Step) -> Proof:
        """Both threads run: the channel has logged in."""
        return ctx.wait_for(WAIT_S, lambda: _runs(ctx, step), pause_s=PAUSE_S)


class DropPassword:
    """Only the new password logs in."""

    def look(self, ctx: StepContext, step: Step) -> Observation:
        """Done where the old password does not log in, and the new one does."""
        return _seen(ctx, step, is_done=lambda old, new: new and not old)

    def statement(self, ctx: StepContext, step: Step) -> str | None:
        """As planned."""
        return step.sql[0]

    def prove(self, ctx: StepContext, step: Step) -> Proof:
        """The new one logs in on every node and the old one on none; then the console forgets it."""
        proof = ctx.wait_for(WAIT_S, lambda: _works_everywhere(ctx, step, is_alone=True), pause_s=PAUSE_S)
        if proof.is_ok:
            ctx.passwords.forget_old(*_account(step))
        return proof


def _account(step: Step) -> tuple[str, Sequence[str]]:
    rotation = step.params["rotation"]
    return str(rotation["role"]), list(rotation["cluster_ids"])


def _logins(ctx: StepContext, step: Step) -> tuple[bool | None, bool | None]:
    """Whether the old and the new password log in on the step's node."""
    assert step.node_id is not None
    role = _account(step)[0]
    old, new = (ctx.passwords.logins(role, [step.node_id], is_new=is_new)[step.node_id] for is_new in (False, True))
    return old, new


def _seen(ctx: StepContext, step: Step, *, is_done: Callable[[bool, bool], bool]) -> Observation:
    old, new = _logins(ctx, step)
    if old is None or new is None:
        return Observation(Effect.UNSEEN, f"{step.node} does not answer a login")
    if not old and not new:
        return Observation(Effect.FOREIGN, f"{step.node} accepts neither password")
    return Observation(Effect.DONE if is_done(old, new) else Effect.TO_DO, f"old {old}, new {new}")


def _works_everywhere(ctx: StepContext, step: Step, *, is_alone: bool = False) -> Proof:
    role, nodes = _account(step)[0], step.params["node_ids"]
    refused = [node for node, works in ctx.passwords.logins(role, nodes, is_new=True).items() if not works]
    if refused:
        return Proof(False, f"the new password does not log in on {len(refused)} of {len(nodes)} nodes")
    if is_alone:
        left = [node for node, works in ctx.passwords.logins(role, nodes, is_new=False).items() if works is not False]
        if left:
            return Proof(False, f"the old password may still log in on {len(left)} of {len(nodes)} nodes")
    return Proof(True, f"the new password logs in on all {len(nodes)} nodes")


def _runs(ctx: StepContext, step: Step) -> Proof:
    facts = ctx.facts_of(step)
    channel = channel_at(facts, step.params["name"], source_of(step))
    if channel is None:
        return Proof(False, unobserved(facts).sentence)
    is_running = channel.io_running == "Yes" and channel.sql_running == "Yes"
    error = channel.io_error or channel.sql_error or f"I/O {channel.io_running}, SQL {channel.sql_running}"
    return Proof(is_running, "both threads run" if is_running else error[:300])
