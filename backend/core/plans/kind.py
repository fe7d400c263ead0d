"""The declaration of a kind of plan: what it checks, what it asks for, how it decides, and what is said of its runs.

The planner, the API, the pages, rehearsals, the change calendar and reports read it; none of them names a kind of its
own. Each kind's declaration stands beside its `decide`, and `kinds` lists them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from backend.core.checks.context import CheckContext
from backend.core.checks.run import Check
from backend.core.findings import Finding, is_refused
from backend.core.locate.requests import LocateRequest
from backend.core.plan import Plan
from backend.core.plans.candidates import Attempt

if TYPE_CHECKING:
    from backend.core.adviser.advice.facts import ClusterConfiguration
    from backend.core.link_facts import LinkFacts
    from backend.core.orphans.report import OrphanReport
    from backend.core.plans.equal_sides import ComparedSides
    from backend.core.plans.failover import ObservedLoss
    from backend.core.plans.maintenance_findings import Absence
    from backend.core.rotation import RotatedAccount
    from backend.core.topology import ClusterFacts, Direction

Options = Mapping[str, Any]
Checks = tuple[Check, ...]
PAIR = ("source_node", "replica_node")
"""The options that name the nodes of the channels, active side first."""
REHEARSAL = "rehearsal"
"""The option that only rehearsals set."""


class PlanFacts(Protocol):
    """What a plan may ask of servers and console beyond its context; nothing of it is read before."""

    def judged(self, link: LinkFacts, **named: str) -> Given:
        """The same facts judged with other options, which are not stored in the plan."""
        ...

    def replication_users(self) -> Mapping[str, str]:
        """The account with which each cluster's channels log in, by cluster id."""
        ...

    def unapplied(self, link: LinkFacts) -> Mapping[Direction, int | None]:
        """Transactions of each direction that its replica has not applied; None where unknown."""
        ...

    def observed_loss(self, link: LinkFacts) -> ObservedLoss:
        """What the standby had not applied when the active side was last read."""
        ...

    def orphans(self, ctx: CheckContext, way: str, decisions: Sequence[Mapping[str, Any]]) -> OrphanReport:
        """The orphans of the returned side, and whether they can be handled in this way."""
        ...

    def compared_sides(self, ctx: CheckContext) -> ComparedSides:
        """Both sides' tables by name and definition, read once."""
        ...

    def copied_accounts(self, link: LinkFacts) -> Iterable[Finding]:
        """The accounts that a copied side refuses."""
        ...

    def held_data(self, ctx: CheckContext) -> Iterable[Finding]:
        """Whether a side that was bootstrapped again holds what the other one has of it."""
        ...

    def other_run(self, cluster_id: str) -> Iterable[Finding]:
        """Whether an unfinished run of any link of the cluster is in the way."""
        ...

    def absence(self, link: LinkFacts, options: Options) -> Absence:
        """The node to be maintained, its donors, and the time until an SST, read once. May raise TargetError."""
        ...

    def configuration(self, ctx: CheckContext, side: ClusterFacts) -> ClusterConfiguration:
        """The settings of every node of the side, read now."""
        ...

    def may_set(self, side: ClusterFacts) -> Mapping[str, Mapping[str, bool]]:
        """The privileges of the operator account to change settings, by node id; a node is missing where unknown."""
        ...

    def accounts(self, side: ClusterFacts, roles: Sequence[str]) -> Sequence[RotatedAccount]:
        """The side's stored accounts of these roles as a node knows them."""
        ...

    def may_alter(self, side: ClusterFacts) -> bool | None:
        """Whether the operator account may change passwords; None where unknown."""
        ...


@dataclass(frozen=True, slots=True)
class Given(Attempt):
    """What a plan is decided from: context, findings and positions, and `facts`, which can be asked for more.

    `options` as they are stored: they get no probe if none can be read back.
    """

    options: Options
    facts: PlanFacts


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """What is known of every kind of run, also of one that no person plans.

    `done` and `to_do` are predicates of a sentence, of a run that reached its result and of one that was to.
    `is_emergency`: it restores or protects replication after a failure, and the change calendar never blocks it.
    `proves_continuity`: its verification shows that no transaction is missing; else its loss is what the plan states.
    """

    kind: str
    done: str
    to_do: str
    is_emergency: bool
    proves_continuity: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanKind(Operation):
    """A kind of plan that people ask for. `checks` stand in the order in which operators read them.

    The planner reads the link, makes the context, checks, probes, locates and lets `decide` turn it into a plan.
    """

    checks: Checks
    decide: Callable[[Given], Plan]

    ways: Mapping[str, Checks] = field(default_factory=dict)
    """The checks of the ways that have others."""
    way: Callable[[CheckContext, Options], str] = lambda *_: ""

    is_rehearsed: bool = False
    """Whether it can be rehearsed: operations of an emergency, and those that are needed regularly."""
    loses_active_side: bool = False
    """Whether a rehearsal takes the active side for lost, and its fencing for attested."""

    chooses: tuple[str, ...] = ()
    """Which options of `PAIR` it follows; with both, the channels get new sources, whose logins are tried."""
    prefers: Callable[[LinkFacts, Options], Options] = lambda _link, options: options
    """Names nodes that no option names."""
    asks_channel_tls: bool = False
    asks_activity: bool = False
    asks_events: bool = False
    """What the context holds beside the link: a default for TLS, sessions of the active side, events of all nodes."""
    in_context: Callable[[CheckContext, Options, PlanFacts], CheckContext] = lambda ctx, *_: ctx
    """Its channels and subjects. Raises TargetError for an option that does not fit."""
    waits_for_expulsion: bool = False
    """Whether a node that has just failed is given the time that its cluster needs to expel it."""

    findings: Callable[[CheckContext, Options, PlanFacts], Iterable[Finding]] = lambda *_: ()
    """What is found beyond its checks."""
    is_probed: Callable[[CheckContext, Options, PlanFacts], bool] = lambda *_: False
    """Whether the plan says what becomes of a probe, which the steps write at the end."""
    requests: Callable[[CheckContext, Options], Sequence[LocateRequest]] = lambda *_: ()
    """The positions that it rests on."""
    is_search_blocked: Callable[[Sequence[Finding]], bool] = is_refused
    """Whether these findings refuse the plan whatever the logs show."""

    def checks_for(self, ctx: CheckContext, options: Options) -> Checks:
        """The checks of the way that the options choose."""
        return self.ways.get(self.way(ctx, options), self.checks)

    @property
    def every_way(self) -> tuple[Checks, ...]:
        """The checks of each way."""
        return (self.checks, *self.ways.values())
