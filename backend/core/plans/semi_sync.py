"""Semi-synchronous replication in a plan: commits never wait for its steps, and its mode afterwards is said.

A source whose last acknowledging replica is stopped holds each commit until its timeout. So the wait is turned off on
it before the first channel stops, as a step that an abort undoes. At the end it is turned on where the operator had it
on and the replica that then reads acknowledges. One row is committed on the active side before the point of no return
and at the end, within a limit.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from backend.core import probe
from backend.core.dialects import dialect_of
from backend.core.facts.semi_sync import ENABLED, semi_sync_of
from backend.core.findings import Finding, Severity, is_refused
from backend.core.link_facts import LinkFacts
from backend.core.plan import Plan, Step
from backend.core.plans.builders.step_list import StepList
from backend.core.plans.target import current_holder
from backend.core.topology import ClusterFacts, Direction, NodeFacts

_STARTS = frozenset({"start_channel", "resume_channel"})
_ENDS = frozenset({"stop_channel", "reset_channel"})
_INTERRUPTS = _ENDS | {"channel_password"}


def with_semi_sync(plan: Plan, link: LinkFacts, may_set: Mapping[str, bool]) -> Plan:
    """The plan with these steps and findings; unchanged where it is refused, or nothing waits for acknowledgements.

    `may_set` says by node id whether the operator account may turn the wait off and on; missing is unknown. Steps refer
    to each other by code, never by number, so they can be renumbered.
    """
    if plan.is_refused:
        return plan
    waits = _Waits(link, plan)
    found = [*_privilege_findings(waits, may_set), *_findings(waits)]
    if is_refused(found):
        return replace(plan, findings=(*plan.findings, *found), steps=())
    steps = _with_steps(waits) if waits.turned_off or waits.turned_on or waits.is_involved else plan.steps
    loss = plan.loss
    if waits.turned_off:
        names = ", ".join(node.node.name for node in waits.turned_off)
        more = f"Commits of {names} wait for no semi-synchronous acknowledgement during the run."
        loss = {**loss, "detail": f"{loss['detail']} {more}"}
    return replace(plan, findings=(*plan.findings, *found), steps=steps, loss=loss)


@dataclass(frozen=True, slots=True)
class _Pair:
    """A channel as the plan leaves it, or as it found it."""

    source: NodeFacts
    replica: NodeFacts
    is_started: bool = False

    @property
    def is_acknowledged(self) -> bool:
        """Whether the replica is known to acknowledge: since it connected, or as it is set where it is started."""
        seen = semi_sync_of(self.replica)
        return (seen.acknowledges if self.is_started else seen.is_acknowledging) is True

    @property
    def is_semi_synchronous(self) -> bool:
        return bool(semi_sync_of(self.source).is_on) and self.is_acknowledged


@dataclass(frozen=True)
class _Waits:
    """Which nodes would wait for which replica during a plan, and what is done about it."""

    link: LinkFacts
    plan: Plan

    @property
    def is_swapping(self) -> bool:
        return any(step.code == "swap_roles" for step in self.plan.steps)

    @property
    def active_after(self) -> ClusterFacts:
        return self.link.standby if self.is_swapping else self.link.active

    @cached_property
    def before(self) -> Mapping[Direction, _Pair]:
        """The current channels, by the direction that they have now."""
        found = {}
        for direction in Direction:
            holder, recorded = current_holder(self.link, direction), self.link.recorded_channel(direction)
            if holder is not None:
                found[direction] = _Pair(self.link.node(holder.source.id), holder.replica)
            elif recorded is not None:
                found[direction] = _Pair(
                    self.link.node(recorded.source_node_id), self.link.node(recorded.replica_node_id)
                )
        return found

    def old_of(self, direction: Direction, pair: _Pair) -> _Pair | None:
        """Whose place the pair takes: where the roles swap, the one from the new active side that of the old one's."""
        if self.is_swapping and pair.source in self.active_after.nodes:
            return self.before.get(Direction.FORWARD)
        return self.before.get(direction)

    @cached_property
    def after(self) -> Mapping[Direction, _Pair]:
        """The channels that run once the plan is done."""
        found = {}
        for direction in Direction:
            started = [s for s in self.plan.steps if s.code in _STARTS and s.params["direction"] == direction.value]
            if started:
                source = self._source_of(started[-1])
                if source is not None:
                    found[direction] = _Pair(source, self.link.node(str(started[-1].node_id)), is_started=True)
                continue
            holder = current_holder(self.link, direction)
            ended = {step.node_id for step in self.plan.steps if step.code in _ENDS}
            if holder is not None and holder.channel.is_running and holder.replica.node.id not in ended:
                again = {step.node_id for step in self.plan.steps if step.code in _INTERRUPTS}
                is_started = holder.replica.node.id in again
                found[direction] = _Pair(self.link.node(holder.source.id), holder.replica, is_started=is_started)
        return found

    def leaving(self, source: NodeFacts) -> list[NodeFacts]:
        """The replicas of this source that may acknowledge now, and do not while the plan runs: stopped, or lost."""
        pairs = [(self._source_of(s), str(s.node_id)) for s in self.plan.steps if s.code in _INTERRUPTS]
        ids = {replica_id for node, replica_id in pairs if node is not None and node.node.id == source.node.id}
        lost = (r for r in self.link.recorded if r.source_node_id == source.node.id)
        ids |= {r.replica_node_id for r in lost if not self.link.node(r.replica_node_id).is_up}
        replicas = (self.link.node(node_id) for node_id in sorted(ids))
        return [node for node in replicas if not node.is_up or semi_sync_of(node).may_acknowledge]

    def _source_of(self, step: Step) -> NodeFacts | None:
        host, port = step.params["source"]
        sides = (self.link.active, self.link.standby)
        return next((node for side in sides if (node := side.node_at((host, port))) is not None), None)

    @cached_property
    def turned_off(self) -> tuple[NodeFacts, ...]:
        """The nodes on which each commit would wait until its timeout."""
        return tuple(node for node in self.link.nodes if node.is_up and self._would_hold(node))

    def _would_hold(self, node: NodeFacts) -> bool:
        seen, leaving = semi_sync_of(node), self.leaving(node)
        if not seen.is_on or seen.waits_without_replica is False:
            return False
        left = max(0, (seen.clients or 0) - len(leaving))
        return left < seen.needed and (bool(leaving) or seen.is_active is not False)

    @cached_property
    def turned_on(self) -> tuple[_Pair, ...]:
        """The pairs at whose source the wait is given back, or goes over from the source before."""
        return tuple(pair for direction, pair in self.after.items() if self._is_turned_on(direction, pair))

    def _is_turned_on(self, direction: Direction, pair: _Pair) -> bool:
        if not pair.source.is_up or not pair.is_acknowledged:
            return False
        if pair.source in self.turned_off:
            return True
        old = self.old_of(direction, pair)
        was_on = old is not None and old.source.is_up and bool(semi_sync_of(old.source).is_on)
        return was_on and semi_sync_of(pair.source).is_on is False

    @cached_property
    def is_involved(self) -> bool:
        """Whether a source that waits is one of the plan's channels."""
        pairs = (*self.before.values(), *self.after.values())
        return any(pair.source.is_up and bool(semi_sync_of(pair.source).is_on) for pair in pairs)

    def is_on_afterwards(self, pair: _Pair) -> bool:
        """Whether the pair is semi-synchronous at the end."""
        return pair in self.turned_on or (pair.is_semi_synchronous and pair.source not in self.turned_off)

    def committed_on(self, *, at_end: bool) -> list[NodeFacts]:
        """The nodes of the active side on which a commit shows that it goes on."""
        side = self.active_after if at_end else self.link.active
        found = [node for node in self.turned_off if node in side.nodes]
        for pair in self.after.values() if at_end else self.before.values():
            waits = self.is_on_afterwards(pair) if at_end else bool(semi_sync_of(pair.source).is_on)
            if waits and pair.source.is_up and pair.source in side.nodes and pair.source not in found:
                found.append(pair.source)
        return found


def _privilege_findings(waits: _Waits, may_set: Mapping[str, bool]) -> Iterator[Finding]:
    """Without the privilege the run would stop at its first step, or leave the wait off at its end."""
    changed = dict.fromkeys([*(n.node.id for n in waits.turned_off), *(p.source.node.id for p in waits.turned_on)])
    for node_id in changed:
        node, may = waits.link.node(node_id), may_set.get(node_id)
        privilege = dialect_of(node).semi_sync_privilege
        facts = {"node": node.node.name, "privilege": privilege}
        if may is None:
            yield Finding(
                "semi_sync_privilege_unknown",
                Severity.UNKNOWN,
                f"It is unknown whether the operator account may set {ENABLED} on {node.node.name}.",
                f"Check that the operator account can log in to {node.node.name}.",
                facts,
            )
        elif not may:
            yield Finding(
                "semi_sync_privilege_missing",
                Severity.BLOCKER,
                f"Commits of {node.node.name} are to wait for a semi-synchronous acknowledgement, and the operator "
                f"account lacks {privilege}, so that the run could not keep them going.",
                f"GRANT {privilege} ON *.* TO the operator account. Or run SET GLOBAL {ENABLED}=OFF on "
                f"{node.node.name} for the time of the move, and ON afterwards.",
                facts,
            )


def _findings(waits: _Waits) -> Iterator[Finding]:
    for node in waits.turned_off:
        yield _turned_off(waits, node)
    for pair in waits.before.values():
        seen = semi_sync_of(pair.source)
        is_kept = pair.source.is_up and bool(seen.is_on) and pair.source not in waits.turned_off
        if is_kept and waits.leaving(pair.source):
            yield Finding(
                "semi_sync_kept",
                Severity.INFO,
                f"Commits of {pair.source.node.name} go on while {pair.replica.node.name} is stopped: "
                + (
                    "without a replica they do not wait (rpl_semi_sync_master_wait_no_slave=OFF)."
                    if seen.waits_without_replica is False
                    else f"another replica acknowledges them. Should it fail, each waits {seen.longest}."
                ),
                facts={"node": pair.source.node.name, "clients": seen.clients},
            )
    if waits.turned_off or waits.turned_on or waits.is_involved:
        for direction, pair in waits.after.items():
            old = waits.old_of(direction, pair)
            was = old is not None and old.is_semi_synchronous
            if was or waits.is_on_afterwards(pair) or semi_sync_of(pair.source).is_on:
                yield _mode_after(waits, pair, was_semi_synchronous=was)


def _turned_off(waits: _Waits, node: NodeFacts) -> Finding:
    name, seen = node.node.name, semi_sync_of(node)
    replicas = ", ".join(replica.node.name for replica in waits.leaving(node))
    cluster = waits.link.active if node in waits.link.active.nodes else waits.link.standby
    why = f"Once {replicas} is stopped or lost, too" if replicas else "Too"
    back = next((pair for pair in waits.turned_on if pair.source == node), None)
    if back is not None:
        after, remedy = f"It is turned on again at the end, because {back.replica.node.name} acknowledges.", ""
    else:
        after = f"It stays off: after this plan no replica of {name} acknowledges."
        remedy = (
            f"If {name} is to wait again, first let a replica of it acknowledge (rpl_semi_sync_slave_enabled=ON, then "
            f"its channel restarted), then run SET GLOBAL {ENABLED}=ON. An option file of {name} that has it ON turns "
            "it on at the next start, with or without such a replica."
        )
    return Finding(
        "semi_sync_turned_off",
        Severity.WARNING,
        f"{name} waits for semi-synchronous acknowledgements ({ENABLED}=ON). {why} few replicas acknowledge: each "
        f"commit of {name} would wait {seen.longest}, and soon every commit of {cluster.name} with it. The run turns "
        f"the wait off on {name} before it touches a channel, and an abort turns it on again. {after}",
        remedy,
        {"node": name, "clients": seen.clients, "timeout_s": seen.timeout_s, "given_back": back is not None},
    )


def _mode_after(waits: _Waits, pair: _Pair, *, was_semi_synchronous: bool) -> Finding:
    source, replica = pair.source.node.name, pair.replica.node.name
    seen = semi_sync_of(pair.source)
    facts = {"source": source, "replica": replica, "semi_synchronous": waits.is_on_afterwards(pair)}
    if waits.is_on_afterwards(pair):
        says = "The run turns it on: the source before it has it on." if seen.is_on is False else ""
        message = (
            f"Afterwards the channel from {source} to {replica} is semi-synchronous: each commit of {source} waits for "
            f"{replica}, {seen.longest}. {says}"
        )
        return Finding("semi_sync_after", Severity.INFO, message.rstrip(), facts=facts)
    return Finding(
        "semi_sync_after",
        Severity.WARNING if was_semi_synchronous else Severity.INFO,
        f"Afterwards the channel from {source} to {replica} is asynchronous: {_why_asynchronous(pair)}.",
        f"For a semi-synchronous channel run SET GLOBAL rpl_semi_sync_slave_enabled=ON on {replica}, restart its "
        f"channel, then run SET GLOBAL {ENABLED}=ON on {source}."
        if was_semi_synchronous
        else "",
        facts,
    )


def _why_asynchronous(pair: _Pair) -> str:
    if not pair.is_acknowledged:
        return f"{pair.replica.node.name} does not acknowledge (rpl_semi_sync_slave_enabled=ON when its channel starts)"
    return f"{pair.source.node.name} does not wait ({ENABLED}=OFF)"


def _with_steps(waits: _Waits) -> tuple[Step, ...]:
    planned = list(waits.plan.steps)
    head = [step for step in planned[:1] if step.code == "recheck"]
    rest = planned[len(head) :]
    tail = [rest.pop()] if rest and rest[-1].code.startswith("verify") else []
    steps = [*head, *_off_steps(waits.turned_off)]
    closing = _first_closing(rest, [node.node.id for node in waits.link.active.nodes])
    steps += [*rest[:closing], *_commit_steps(waits, at_end=False), *rest[closing:]]
    steps += [*_on_steps(waits), *_commit_steps(waits, at_end=True), *tail]
    return tuple(replace(step, index=index) for index, step in enumerate(steps))


def _first_closing(steps: Sequence[Step], active_ids: Sequence[str]) -> int:
    """The place before the active side is fenced, or of the point of no return."""
    closes = (s.point_of_no_return or (s.code == "fence" and s.node_id in active_ids) for s in steps)
    return next((index for index, is_closing in enumerate(closes) if is_closing), 0)


def _off_steps(nodes: Sequence[NodeFacts]) -> list[Step]:
    steps = StepList()
    for node in nodes:
        dialect = dialect_of(node)
        steps.add(
            "semi_sync_off",
            f"{node.node.name}: let commits go on without a semi-synchronous acknowledgement",
            node,
            sql=(dialect.set_global(ENABLED, "OFF"),),
            undo=(dialect.set_global(ENABLED, "ON"),),
            wanted="OFF",
            was="ON",
        )
    return steps.steps


def _on_steps(waits: _Waits) -> list[Step]:
    steps = StepList()
    for pair in waits.turned_on:
        steps.add(
            "semi_sync_on",
            f"{pair.source.node.name}: let commits wait for {pair.replica.node.name} again, as the operator had it",
            pair.source,
            sql=(dialect_of(pair.source).set_global(ENABLED, "ON"),),
            wanted="ON",
            was="OFF",
        )
    return steps.steps


def _commit_steps(waits: _Waits, *, at_end: bool) -> list[Step]:
    """None where no row of Hawser's own can be written."""
    steps = StepList()
    if not waits.plan.options.get("probe", True):
        return []
    for node in waits.committed_on(at_end=at_end):
        steps.add(
            "verify_commits",
            f"{node.node.name}: commit a row, to show that commits go on",
            node,
            sql=(probe.commit_sql(waits.link.id, node.node.name, at_end=at_end),),
            link_id=waits.link.id,
            at_end=at_end,
            statement_limit_s=COMMIT_LIMIT_S,
        )
    return steps.steps


COMMIT_LIMIT_S = 15.0
"""A commit that takes longer does not go on: it holds an application up as much as one that waits for ever."""
