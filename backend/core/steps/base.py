"""The interface of a step to the runner: look, decide the statement, prove. Each step has a file of its own.

Every step can be entered again after a crash. `look` reads from the server itself whether the step's effect shows, is
still to be made, or whether something outside the run changed what the plan rests on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol, runtime_checkable

from backend.core.binlog.logs import BinaryLog, log_of
from backend.core.connection_names import is_same_name
from backend.core.dialects import dialect_of
from backend.core.dialects.base import Dialect
from backend.core.equal_data.contents import ContentsReader, SideContents
from backend.core.link_facts import LinkFacts
from backend.core.locate.model import Located
from backend.core.locate.requests import LocateRequest
from backend.core.orphans.model import OrphanList
from backend.core.orphans.side_rows import NodeRows, SideRows
from backend.core.plan import PLAN_LIFETIME_S, Plan, Step
from backend.core.ports import Clock, Console, Gateway, Journal
from backend.core.positions import FilePosition
from backend.core.rotation import NoPasswords, Passwords
from backend.core.topology import ChannelFacts, NodeFacts

STATEMENT_LIMIT_S = 60.0
"""STOP SLAVE waits for the running event group; after this time its outcome counts as unknown."""
SCHEMA_LIMIT_S = 1_800.0
"""A change of a definition may rebuild a table; after this time its outcome counts as unknown."""
SHORT_PAUSE_S = 0.1
"""A pause up to this asks a node or two, so that it may begin shorter; longer ones ask all of them."""
LEAST_PAUSE_S = 0.005
OUTSIDE_STREAM = "outside_stream"
"""Of a located position: the server_ids whose groups were no part of the stream. The channel that told them may be
removed before the position is used."""
AHEAD_S = 0.25
"""How old facts may be that were polled while a run waited: a variable is set by them, and read back afterwards."""


class Effect(StrEnum):
    """What `look` observed. UNSEEN, of a node that does not report, does not mean that something changed it."""

    TO_DO = "to_do"
    DONE = "done"
    FOREIGN = "foreign"
    UNSEEN = "unseen"


@dataclass(frozen=True, slots=True)
class Observation:
    """An observation of the server: whether the effect shows, and the state before it (stored with the intent)."""

    effect: Effect
    sentence: str
    state: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Proof:
    """Whether the effect shows on the server, with a sentence and facts for the console's database."""

    is_ok: bool
    sentence: str
    facts: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class WatchStart:
    """An end of a node's log that held all that its cluster had committed, and the monotonic time when it was read."""

    node_id: str
    end: FilePosition
    read_s: float


@dataclass(frozen=True, slots=True)
class FenceWatch:
    """Since when a fenced side's log is watched for transactions of its own, on which node, and from where on."""

    witness: NodeFacts
    server_ids: tuple[int, ...]
    begin: FilePosition
    since_s: float


class _NoRows:
    """The rows of a context whose plan touches no row."""

    def on(self, node_id: str) -> NodeRows:
        """Never called."""
        raise LookupError("rows are read only by plans that replay or undo orphans")

    def overwritten(
        self, node_id: str, since: FilePosition, survivor_ids: Sequence[int], book: OrphanList
    ) -> Mapping[str, int]:
        """Never called."""
        raise LookupError("rows are read only by plans that replay or undo orphans")


def _no_orphans(scan_id: str) -> OrphanList:
    raise LookupError(f"no orphans are stored under {scan_id!r}")


def _no_contents(node_ids: Sequence[str], *, has_checksums: bool, limit_s: float) -> Sequence[SideContents]:
    raise LookupError("tables are compared only by plans that create channels")


@dataclass(slots=True)
class StepContext:
    """Everything steps may use. `results` holds the facts of finished steps by index; `orphans` a scan by its id."""

    plan: Plan
    gateway: Gateway
    clock: Clock
    locate: Callable[[LocateRequest, LinkFacts], Located]
    results: dict[int, Mapping[str, Any]]
    console: Console
    journal: Journal
    facts_confirmed_at_s: float = 0.0
    """When the plan's facts were last compared before this run, where that was after the plan was created."""
    probe_token: str = ""
    orphans: Callable[[str], OrphanList] = _no_orphans
    rows: SideRows = field(default_factory=_NoRows)
    contents: ContentsReader = _no_contents
    passwords: Passwords = field(default_factory=NoPasswords)
    fence_watches: dict[str, FenceWatch] = field(default_factory=dict)
    """By cluster, of this walk: a successor proves the fence again, and begins another one."""
    watch_starts: dict[str, WatchStart] = field(default_factory=dict)
    """By cluster, read when all its fences were accepted and none was read back yet."""
    known_dialects: dict[str, Dialect] = field(default_factory=dict)
    """By node, of the nodes that a step polled: what a server is does not change during a run."""
    known_versions: dict[str, str] = field(default_factory=dict)
    """By node, of the same nodes."""
    polled: dict[str, NodeFacts] = field(default_factory=dict)
    """By node, polled just now together with others, for the steps that look at them next: each is used once."""
    ahead: dict[str, tuple[float, NodeFacts]] = field(default_factory=dict)
    """By node, polled while the run waited for something else, and when."""

    @property
    def expires_at_s(self) -> float:
        """Unix time after which no step starts: the facts are too old by then."""
        return max(self.plan.expires_at_s, self.facts_confirmed_at_s + PLAN_LIFETIME_S)

    def facts_of(self, step: Step) -> NodeFacts:
        """The step's node, polled now."""
        assert step.node_id is not None
        facts = self.polled.pop(step.node_id, None) or self.gateway.observe_node(step.node_id)
        if facts.is_up and step.node_id not in self.known_dialects:
            self.known_dialects[step.node_id] = dialect_of(facts)
            self.known_versions[step.node_id] = facts.version or ""
        return facts

    def look_ahead(self, code: str) -> None:
        """Poll the nodes of all steps of this kind while the run waits for something else."""
        node_ids = [str(step.node_id) for step in self.plan.steps if step.code == code]
        polled_s = self.clock.monotonic_s()
        self.ahead = {node_id: (polled_s, facts) for node_id, facts in self.gateway.observe_nodes(node_ids).items()}

    def polled_ahead(self, steps: Sequence[Step]) -> dict[str, NodeFacts]:
        """The facts of those of these nodes that were polled ahead less than AHEAD_S ago; each is used once."""
        taken = {str(step.node_id): self.ahead.pop(str(step.node_id), None) for step in steps}
        since_s = self.clock.monotonic_s() - AHEAD_S
        return {node_id: one[1] for node_id, one in taken.items() if one is not None and one[0] >= since_s}

    def dialect_of(self, facts: NodeFacts) -> Dialect:
        """The node's dialect; UnobservedNodeError where it does not answer, DialectError where it is unknown."""
        if not facts.is_up:
            raise UnobservedNodeError(unobserved(facts).sentence)
        return dialect_of(facts)

    def log_of(self, facts: NodeFacts) -> BinaryLog:
        """The node's binary log; raises as `dialect_of` does."""
        self.dialect_of(facts)
        return log_of(self.gateway.reader(facts.node.id), facts)

    def result_of(self, code: str, direction: str) -> Mapping[str, Any]:
        """Facts of the finished step of that code and direction; KeyError where there is none.

        The end of a log (`locate_log_end`) counts as a located position, too.
        """
        codes = ("locate", "locate_log_end") if code == "locate" else (code,)
        for step in self.plan.steps:
            if step.code in codes and step.params.get("direction") == direction:
                return self.results[step.index]
        raise KeyError(f"{code}/{direction}")

    def wait_for(self, limit_s: float, query: Callable[[], Proof], *, pause_s: float = 0.03) -> Proof:
        """Query until the proof holds or the time is over; returns the last proof in both cases.

        Short pauses begin shorter still: what is about to show is seen within a quarter more of its time.
        """
        started = self.clock.monotonic_s()
        while True:
            proof = query()
            waited = self.clock.monotonic_s() - started
            if proof.is_ok or waited >= limit_s:
                return proof
            self.clock.sleep(pause_s if pause_s > SHORT_PAUSE_S else min(pause_s, max(LEAST_PAUSE_S, waited / 4)))


class StepKind(Protocol):
    """One kind of step. Raises NodeError where a node does not answer."""

    def look(self, ctx: StepContext, step: Step) -> Observation:
        """Observe the server; reads only."""
        ...

    def statement(self, ctx: StepContext, step: Step) -> str | None:
        """The statement to send, None for a step that only reads."""
        ...

    def prove(self, ctx: StepContext, step: Step) -> Proof:
        """Show from the server that the statement took effect; may wait, within limits."""
        ...


@runtime_checkable
class Undoable(Protocol):
    """A kind of step whose effect can be reverted before the point of no return."""

    def undone(self, step: Step) -> str:
        """What holds after the undo, for the console's database."""
        ...

    def undo_statement(self, ctx: StepContext, step: Step) -> str | None:
        """The statement that restores the state before; None where it is restored already.

        Raises where this run must not restore it.
        """
        ...


@runtime_checkable
class SentTogether(Protocol):
    """A kind of step that reads something as soon as the statements of neighbouring steps were accepted at once."""

    def all_accepted(self, ctx: StepContext, steps: Sequence[Step]) -> None:
        """Called before any of these steps is proven. What it polls of their nodes is left in `ctx.polled`."""
        ...


class RefusedByFactsError(Exception):
    """The servers' state forbids the statement; the text is the sentence that an operator reads."""


class UnobservedNodeError(RefusedByFactsError):
    """A node does not report its state, so it is unknown what must be restored there."""


def channel_at(facts: NodeFacts, name: str, source: tuple[str, int]) -> ChannelFacts | None:
    """The connection of that name where it replicates from that source."""
    channel = facts.channel(name)
    return channel if channel is not None and channel.source_address == source else None


def threads_and_place(channel: ChannelFacts) -> dict[str, Any]:
    """A channel's threads and position, for the console's database."""
    return {
        "io_running": channel.io_running,
        "sql_running": channel.sql_running,
        "position": f"{channel.exec_file}:{channel.exec_offset}",
    }


def source_of(step: Step) -> tuple[str, int]:
    """The source address of a channel step."""
    host, port = step.params["source"]
    return str(host), int(port)


def moved_since_stop(ctx: StepContext, step: Step, channel: ChannelFacts) -> str | None:
    """Why a stopped channel is not where this run left it: it was started meanwhile and applied more."""
    stopped_at = step.params.get("stopped_at")
    for other in ctx.plan.steps:
        same = other.node_id == step.node_id and is_same_name(other.params.get("name", ""), channel.name)
        if other.code == "stop_channel" and same and other.index in ctx.results:
            stopped_at = ctx.results[other.index].get("position")
    now = f"{channel.exec_file}:{channel.exec_offset}"
    if stopped_at is None or stopped_at == now:
        return None
    return f"the channel of {step.node} was stopped at {stopped_at} and is at {now} now"


def unobserved(facts: NodeFacts) -> Observation:
    """The observation of a node that does not answer, or whose channels cannot be read: nothing is concluded."""
    return Observation(
        Effect.UNSEEN,
        f"{facts.node.name} cannot be read now ({facts.reach.value}): {facts.error or 'channels unknown'}",
    )
