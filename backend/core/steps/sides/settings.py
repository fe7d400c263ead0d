"""Changes a provider option or a server variable of one node, and shows that its cluster took no harm.

`SET GLOBAL` takes effect at once and until the node's restart. A value is read from the server before each statement,
never remembered: a successor of a worker that was killed goes on, or goes back, from what is really set.
"""

from __future__ import annotations

from typing import Final

from backend.core.adviser.advice.options.parse import HIDDEN, parse_options
from backend.core.adviser.advice.options.values import same
from backend.core.dialects.galera_configuration import OPTIONS_VARIABLE, read_setting
from backend.core.plan import Step
from backend.core.steps.base import Effect, Observation, Proof, RefusedByFactsError, StepContext
from backend.core.topology import NodeFacts

SET: Final = "set_setting"
SYNCED: Final = 4
WAIT_S: Final = 15.0
"""A node that was asked at a bad moment may answer, or be Synced, again within this time."""
PAUSE_S: Final = 0.5


class ForeignValueError(RefusedByFactsError):
    """The setting has neither the value before the run nor the one of the run, so the run must not overwrite it."""


class SetSetting:
    """One setting of one node; the undo sets the exact value that was read before."""

    def undone(self, step: Step) -> str:
        """The value of before."""
        return f"{step.params['setting']} is {step.params['was']} again"

    def look(self, ctx: StepContext, step: Step) -> Observation:
        """Done where the value is the wanted one; foreign where it is neither that nor the one of before."""
        value, name = read_value(ctx, step), step.params["setting"]
        if value is None:
            return Observation(Effect.UNSEEN, f"{step.node} does not show {name}")
        sentence, state = f"{name} is {value}", {"value": value}
        if same(value, step.params["wanted"]):
            return Observation(Effect.DONE, sentence, state)
        effect = Effect.TO_DO if same(value, step.params["was"]) else Effect.FOREIGN
        return Observation(effect, f"{step.node}: {sentence}", state)

    def statement(self, ctx: StepContext, step: Step) -> str | None:
        """As planned, while the node is healthy."""
        fault = health_fault(ctx, step, ctx.facts_of(step))
        if fault is not None:
            raise RefusedByFactsError(f"{fault}; nothing more is changed")
        return step.sql[0]

    def prove(self, ctx: StepContext, step: Step) -> Proof:
        """The value is read back, and the node is as healthy as before."""
        seen = self.look(ctx, step)
        if seen.effect is not Effect.DONE:
            return Proof(False, f"the statement had no effect: {seen.sentence}", seen.state)
        proof = watched(ctx, step, hold_s=0.0)
        return proof if not proof.is_ok else Proof(True, f"{step.node}: {seen.sentence}", seen.state)

    def undo_statement(self, ctx: StepContext, step: Step) -> str | None:
        """The statement that sets the value of before; None where it is set."""
        value, name = read_value(ctx, step), step.params["setting"]
        if value is not None and same(value, step.params["was"]):
            return None
        if value is None or not same(value, step.params["wanted"]):
            raise ForeignValueError(f"{name} is {value or 'not shown'}, which this run did not set")
        return step.undo[0]


class VerifyHealth:
    """The node is watched for a while: it stays Primary and Synced, and its cluster is not formed again."""

    def look(self, ctx: StepContext, step: Step) -> Observation:
        """Always read again."""
        return Observation(Effect.TO_DO, "watch the node")

    def statement(self, ctx: StepContext, step: Step) -> str | None:
        """Reads only."""
        return None

    def prove(self, ctx: StepContext, step: Step) -> Proof:
        """Healthy without a break for the planned time."""
        return watched(ctx, step, hold_s=float(step.params["hold_s"]))


class CompareSettings:
    """Compares all settings of the plan, on every node, with the values of before or with the wanted ones."""

    def __init__(self, against: str) -> None:
        self._against = against

    def look(self, ctx: StepContext, step: Step) -> Observation:
        """Always read again."""
        return Observation(Effect.TO_DO, "read the settings of every node")

    def statement(self, ctx: StepContext, step: Step) -> str | None:
        """Reads only."""
        return None

    def prove(self, ctx: StepContext, step: Step) -> Proof:
        """Every value is as expected; before the first statement also that no other run has the cluster."""
        other = ctx.console.other_run_on(step.params["cluster_id"]) if self._against == "was" else None
        if other is not None:
            return Proof(False, f"{other}, on the same cluster. Nothing was sent. Create a new plan after it.")
        forms: dict[str, int] = {}
        for one in (step for step in ctx.plan.steps if step.code == SET):
            value, expected = read_value(ctx, one), one.params[self._against]
            if value is None or not same(value, expected):
                name = one.params["setting"]
                return Proof(False, f"{name} of {one.node} is {value or 'not shown'}, not {expected} as planned.")
            facts = ctx.facts_of(one)
            fault = health_fault(ctx, one, facts)
            if fault is not None or facts.wsrep is None:
                return Proof(False, fault or f"the Galera status of {one.node} is unknown")
            forms[str(one.node_id)] = facts.wsrep.conf_id
        return Proof(True, "every node has the expected values", {"conf_ids": forms})


def read_value(ctx: StepContext, step: Step) -> str | None:
    """The step's setting on its node now; None where the server does not show it. Raises NodeError."""
    assert step.node_id is not None
    name, is_option = step.params["setting"], step.params["is_option"]
    rows = ctx.gateway.reader(step.node_id).query(read_setting(OPTIONS_VARIABLE if is_option else name))
    value = rows[0]["value"] if rows else None
    if value is None:
        return None
    found = parse_options(str(value)).get(name) if is_option else str(value)
    return None if found == HIDDEN else found


def watched(ctx: StepContext, step: Step, *, hold_s: float) -> Proof:
    """Healthy for `hold_s` without a break, within limits. A cluster that was formed again is never healthy."""
    until, since = ctx.clock.monotonic_s() + hold_s + WAIT_S, ctx.clock.monotonic_s()
    while True:
        facts = ctx.facts_of(step)
        fault = health_fault(ctx, step, facts)
        if fault is None and ctx.clock.monotonic_s() - since >= hold_s:
            size = step.params["cluster_size"]
            return Proof(True, f"{step.node} is Primary and Synced, and its cluster has {size} nodes as before")
        if fault is not None and (_is_formed_again(ctx, step, facts) or ctx.clock.monotonic_s() >= until):
            return Proof(False, fault)
        ctx.clock.sleep(PAUSE_S)
        since = ctx.clock.monotonic_s() if fault is not None else since


def health_fault(ctx: StepContext, step: Step, facts: NodeFacts) -> str | None:
    """Why the node is not as healthy as it was planned; None where it is. What is unknown is a fault."""
    name, wsrep = facts.node.name, facts.wsrep
    if not facts.is_up or wsrep is None:
        return f"{name} does not report its Galera status ({facts.error or facts.reach.value})"
    if wsrep.cluster_status != "Primary":
        return f"{name} is {wsrep.cluster_status}, not Primary"
    if wsrep.cluster_size != step.params["cluster_size"]:
        return f"the cluster of {name} has {wsrep.cluster_size} nodes, not {step.params['cluster_size']} as before"
    if _is_formed_again(ctx, step, facts):
        return f"the cluster of {name} was formed again during the run"
    if wsrep.local_state != SYNCED or not wsrep.ready or not wsrep.connected or wsrep.desync_count:
        return f"{name} is {wsrep.state}, not Synced"
    return None


def _is_formed_again(ctx: StepContext, step: Step, facts: NodeFacts) -> bool:
    """Whether the membership changed since the run compared the settings: a node left, even where it is back."""
    if facts.wsrep is None:
        return False
    compared = (ctx.results.get(one.index, {}) for one in ctx.plan.steps if one.code == "recheck_settings")
    known = next((found["conf_ids"].get(step.node_id) for found in compared if "conf_ids" in found), None)
    return known is not None and facts.wsrep.conf_id != known
