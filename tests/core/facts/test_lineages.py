"""Whether the nodes of a cluster that was split hold the same again: copied whole, or of a half that wrote nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import pytest

from backend.core.checks.halves import check_sites_are_whole, check_survivor_is_whole
from backend.core.facts.halves import DURABLE, away_halves, common_seqno, mixed_halves, was_split
from backend.core.facts.seen_together import updated
from backend.core.facts.side_logs import Parted
from backend.core.facts.split_sites import mixed_halves_finding
from backend.core.findings import Severity
from backend.core.link_facts import LinkFacts, LogRecord
from backend.core.link_state import History, LinkView, derive
from backend.core.plans.failover import KIND as FAILOVER
from backend.core.topology import BinlogFacts, ClusterFacts, Direction, NodeFacts, PartedHalf, Reach, SeenTogether
from tests.fakes.plans import context_of
from tests.fakes.sites import passive, plan_failover
from tests.fakes.world import FakeWorld

COMMON = 601
NAMES = ("a1", "a2", "a3")


@dataclass
class Site:
    """One side, poll by poll: its components, the starts of its servers, and their logs (number, time of its start)."""

    link: LinkFacts = field(default_factory=lambda: passive(FakeWorld.classic()).facts())
    record: SeenTogether | None = None
    now_s: float = 1_000_000.0
    starts: dict[str, float] = field(default_factory=lambda: dict.fromkeys(NAMES, 900_000.0))
    logs: dict[str, tuple[int, float]] = field(default_factory=lambda: dict.fromkeys(NAMES, (7, 900_000.0)))
    variables: Mapping[str, str] = field(default_factory=lambda: {DURABLE: "1"})
    unread: frozenset[str] = frozenset()
    cluster: ClusterFacts | None = None

    def started(self, *names: str) -> None:
        """With their data: a start begins the next file."""
        for name in names:
            self.now_s += 60
            self.starts[name], self.logs[name] = self.now_s, (self.logs[name][0] + 1, self.now_s)

    def copied(self, *names: str) -> None:
        """By an SST: the log begins again."""
        self.started(*names)
        for name in names:
            self.logs[name] = (1, self.now_s)

    def polled(
        self, *components: str, seqno: int = COMMON, unseen: int = 0, parted: Parted | None = None
    ) -> ClusterFacts:
        """These components are seen, at `seqno`; the other nodes are down. `parted`: as their logs show."""
        self.now_s += 2
        of = {name: (place, part.split()) for place, part in enumerate(components) for name in part.split()}
        nodes = [self._node(node, of.get(node.node.name), seqno, unseen) for node in self.link.active.nodes]
        logs = {node.node.id: self._log(node) for node in nodes if node.node.name not in self.unread}
        cluster = replace(self.link.active, nodes=tuple(nodes))
        self.record = updated(self.record, cluster, self.now_s, logs, parted)
        self.cluster = replace(cluster, seen_together=self.record)
        return self.cluster

    def _node(self, node: NodeFacts, part: tuple[int, list[str]] | None, seqno: int, unseen: int) -> NodeFacts:
        if part is None:
            return replace(node, reach=Reach.DOWN, wsrep=None, binlog=None)
        assert node.wsrep is not None
        place, names = part
        members = (*(f"10.0.1.{name[1]}:3306" for name in names), *(f"10.0.1.9{i}:3306" for i in range(unseen)))
        view = {"conf_id": 5 + place, "cluster_size": len(members), "incoming_addresses": members}
        log = BinlogFacts(self._file(node.node.name), 500)
        return replace(
            node,
            observed_at_s=self.now_s,
            uptime_s=int(self.now_s - self.starts[node.node.name]),
            clock_offset_s=0.0,
            variables={**node.variables, **self.variables},
            binlog=log,
            wsrep=replace(node.wsrep, last_committed=seqno, local_index=names.index(node.node.name), **view),
        )

    def _file(self, name: str) -> str:
        return f"mariadb-bin.{self.logs[name][0]:06}"

    def _log(self, node: NodeFacts) -> LogRecord:
        name = node.node.name
        uuid = self.link.active.recorded_state_uuid or ""
        created, start = int(self.logs[name][1]), self.starts[name]
        return LogRecord(uuid, 0, self._file(name), created, None, 4, None, None, start, self.now_s)

    def split(self, *components: str, seqno: int = COMMON + 2) -> None:
        """One view, then these components, the first of which was bootstrapped."""
        self.polled("a1 a2 a3")
        self.started(components[0].split()[0])
        self.polled(*components, seqno=seqno)

    @property
    def differ(self) -> list[list[str]]:
        assert self.cluster is not None
        return [[node.node.name for node in nodes] for nodes in mixed_halves(self.cluster)]

    @property
    def seen_link(self) -> LinkFacts:
        assert self.cluster is not None
        return replace(self.link, active=self.cluster)


def _returned() -> Site:
    """A half of one node was started again among the others, at the same seqno: nothing was transferred."""
    site = Site()
    site.split("a1", "a2 a3")
    site.polled("a2 a3", seqno=603)
    site.started("a1")
    site.polled("a1 a2 a3", seqno=604)
    return site


def _derived(link: LinkFacts) -> LinkView:
    return derive(link, History(gaps={Direction.FORWARD: None}), link.observed_at_s)


def test_half__started_again_without_a_transfer__not_healed_by_membership() -> None:
    site = _returned()
    assert site.differ == [["a2", "a3"], ["a1"]]
    site.polled("a1 a2 a3", seqno=900)
    assert site.differ == [["a2", "a3"], ["a1"]]
    site.started("a1", "a2", "a3")
    site.polled("a1 a2 a3", seqno=900)
    assert site.differ == [["a2", "a3"], ["a1"]]


def test_half__returned__named_with_its_seqnos_and_a_remedy() -> None:
    found = mixed_halves_finding(_cluster(_returned()))
    assert found is not None
    assert (found.code, found.severity) == ("site_was_split", Severity.BLOCKER)
    assert "a1 is in one with a2 and a3 again without a proven full copy (SST)" in found.message
    assert "after seqno 601 (seqnos of its own: a2 and a3: up to 603; a1: up to 603)" in found.message
    assert "remove the file grastate.dat" in found.remedy
    assert (found.facts["nodes"], found.facts["common_seqno"]) == (["a1"], 601)


def _cluster(site: Site) -> ClusterFacts:
    assert site.cluster is not None
    return site.cluster


def test_half__returned__refuses_plans_and_the_link_is_not_protected() -> None:
    site, world = _returned(), passive(FakeWorld.classic())
    link = site.seen_link
    context = replace(context_of(world), link=link)
    found = {one.code: one.severity for one in check_sites_are_whole(context)}
    assert found == {"site_was_split": Severity.BLOCKER}
    view = _derived(link)
    assert view.state.value == "degraded"
    assert "was split, and its nodes differ: a2, a3 | a1." in view.sentence
    assert "in sync" not in view.sentence
    assert view.primary_action is None
    assert {view.readiness[kind].state for kind in ("switchover", "relocate")} == {"blocked"}
    assert view.readiness["failover"].state == "unknown"


def test_failover__halves_differ__from_that_side_the_loss_is_unknown_onto_it_refused() -> None:
    site, world = _returned(), passive(FakeWorld.classic())
    link = site.seen_link
    severities = {one.code: one.severity for one in check_survivor_is_whole(replace(context_of(world), link=link))}
    assert severities == {"site_was_split": Severity.WARNING}
    plan = plan_failover(world, (), link=link)
    assert (plan.kind, plan.loss["transactions"]) == (FAILOVER, None)
    onto = replace(link, active=link.standby, standby=link.active)
    severities = {one.code: one.severity for one in check_survivor_is_whole(replace(context_of(world), link=onto))}
    assert severities == {"site_was_split": Severity.BLOCKER}
    assert _derived(onto).readiness["failover"].state == "blocked"


def test_half__copied_whole__healed() -> None:
    site = _returned()
    site.polled("a2 a3", seqno=605)
    site.copied("a1")
    cluster = site.polled("a1 a2 a3", seqno=606)
    assert (site.differ, was_split(cluster)) == ([], False)
    assert site.record is not None
    assert (site.record.parted, dict(site.record.logs), site.record.is_mixed) == ((), {}, False)


def test_half__copied_at_once__healed_whichever_is_larger() -> None:
    site = Site()
    site.split("a1", "a2 a3")
    site.polled("a1")
    site.copied("a2", "a3")  # both were started at once: no more is seen between them
    assert not was_split(site.polled("a1 a2 a3"))


def test_half__log_not_known_since_its_start__not_healed_until_it_is() -> None:
    site = Site()
    site.split("a1", "a2 a3")
    site.copied("a1")
    site.unread = frozenset({"a1"})
    site.polled("a1 a2 a3")
    assert site.differ == [["a2", "a3"], ["a1"]]
    site.unread = frozenset()
    assert not was_split(site.polled("a1 a2 a3"))


def test_half__log_never_known_before__copying_proves_nothing_a_second_copy_does() -> None:
    site = Site(unread=frozenset({"a1"}))
    site.split("a1", "a2 a3")
    site.copied("a1")
    site.unread = frozenset()
    site.polled("a1 a2 a3")
    assert site.differ == [["a2", "a3"], ["a1"]]
    site.copied("a1")
    assert not was_split(site.polled("a1 a2 a3"))


def test_half__another_log_in_the_same_start__no_copy() -> None:
    """Somebody let the server begin its log again; it is started later, with its data."""
    site = Site()
    site.split("a1", "a2 a3")
    site.logs["a1"] = (1, site.now_s)
    site.polled("a1", "a2 a3")
    site.started("a1")
    site.polled("a1 a2 a3")
    assert site.differ == [["a2", "a3"], ["a1"]]


def test_half__donor_may_be_a_member_that_is_not_seen__undecided_until_it_is() -> None:
    site = Site()
    site.split("a1", "a2 a3")
    site.copied("a1")
    site.polled("a1 a2 a3", unseen=1)
    assert site.differ == [["a2", "a3"], ["a1"]]
    assert not was_split(site.polled("a1 a2 a3"))


def test_half__wrote_nothing__healed_as_it_is() -> None:
    site = Site()
    site.split("a1", "a2 a3", seqno=COMMON)
    site.polled("a2 a3", seqno=700)
    site.started("a1")
    assert not was_split(site.polled("a1 a2 a3", seqno=700))


def test_half__wrote_later_while_the_other_was_away__not_healed() -> None:
    site = Site()
    site.split("a1", "a2 a3", seqno=COMMON)
    site.polled("a2 a3", seqno=700)
    site.polled("a1", seqno=700)
    site.started("a2", "a3")
    site.polled("a1 a2 a3", seqno=701)
    assert site.differ == [["a2", "a3"], ["a1"]]


@pytest.mark.parametrize("more", [{"variables": {DURABLE: "2"}}, {"unread": frozenset(NAMES)}])
def test_half__whether_it_wrote_is_not_certain__not_healed(more: dict[str, object]) -> None:
    """A crash may have taken commits back, whose numbers were given out again; or they were never seen as one."""
    site = Site(**more)  # type: ignore[arg-type]
    if "unread" in more:
        site.polled("a1", "a2 a3", seqno=COMMON)
    else:
        site.split("a1", "a2 a3", seqno=COMMON)
    site.polled("a1 a2 a3")
    assert site.differ == [["a2", "a3"], ["a1"]]


def test_record_of_a_former_version__not_healed_by_membership_but_by_a_copy() -> None:
    site = Site()
    site.polled("a1 a2 a3")
    assert site.record is not None
    site.record = replace(site.record, parted=(PartedHalf(("n_a1",)), PartedHalf(("n_a2", "n_a3"))))
    cluster = site.polled("a2 a3")
    assert [[node.node.name for node in half] for half in away_halves(cluster)] == [["a1"]]
    site.started("a1")
    cluster = site.polled("a1 a2 a3")
    assert site.differ == [["a2", "a3"], ["a1"]]
    found = mixed_halves_finding(cluster)
    assert found is not None
    assert "after an unknown seqno" in found.message
    site.copied("a1")
    assert not was_split(site.polled("a1 a2 a3"))


def test_three_halves__healed_once_all_but_one_are_copied() -> None:
    site = Site()
    site.split("a1", "a2", "a3")
    site.copied("a2")
    site.polled("a1 a2", "a3")
    site.polled("a1 a2")
    site.started("a3")
    site.polled("a1 a2 a3")
    assert site.differ == [["a1", "a2"], ["a3"]]
    site.polled("a1 a2")
    site.copied("a3")
    assert not was_split(site.polled("a1 a2 a3"))


def test_copied_among_members_that_differ__holds_either__healed_by_the_remedy() -> None:
    """a3 is copied from a1 or from a2, and so is a1 then: only a2 is certain."""
    site = _returned()
    for name in ("a3", "a1"):
        site.copied(name)
        site.polled("a1 a2 a3")
    assert {tuple(names) for names in site.differ} == {("a2",), ("a1", "a3")}
    site.polled("a2")
    for name, seen in (("a1", "a1 a2"), ("a3", "a1 a2 a3")):
        site.copied(name)
        cluster = site.polled(seen)
    assert not was_split(cluster)


def test_several_copied_at_once_among_members_that_differ__not_healed() -> None:
    site = _returned()
    site.copied("a1", "a3")
    assert was_split(site.polled("a1 a2 a3"))


def test_node_that_changed_components_without_a_copy__keeps_what_its_half_wrote() -> None:
    site = Site()
    site.split("a1", "a2 a3")
    site.started("a3")
    site.polled("a1 a3", "a2")
    site.polled("a1 a3")
    site.copied("a2")
    site.polled("a1 a2 a3")
    assert was_split(_cluster(site))


def test_half_that_splits_again__is_two_halves() -> None:
    site = Site()
    site.split("a1", "a2 a3")
    site.started("a3")
    site.polled("a1", "a2", "a3", seqno=700)
    site.copied("a1")
    site.started("a3")
    site.polled("a1 a2 a3", seqno=701)
    assert was_split(_cluster(site))


def test_half__split_again_after_it_returned__the_common_seqno_is_still_that_of_the_first_split() -> None:
    site = _returned()
    site.polled("a1 a2 a3", seqno=900)
    assert common_seqno(site.polled("a1", "a2 a3", seqno=901)) == COMMON


def _ids(site: Site, *names: str) -> tuple[str, ...]:
    return tuple(node.node.id for node in site.link.active.nodes if node.node.name in names)


def test_half_that_nobody_saw__logs_differ__named_until_it_is_copied_whole() -> None:
    site = Site()
    site.polled("a1 a2 a3")
    site.polled("a1 a2", seqno=700)
    parted = Parted(650, (_ids(site, "a1", "a2"), _ids(site, "a3")), 645)
    site.polled("a1 a2 a3", seqno=701, parted=parted)
    assert site.differ == [["a1", "a2"], ["a3"]]
    found = mixed_halves_finding(_cluster(site))
    assert found is not None
    assert (found.severity, found.facts["common_seqno"]) == (Severity.BLOCKER, 645)
    site.polled("a1 a2 a3", seqno=710, parted=replace(parted, seqno=651))
    assert site.record is not None
    assert len(site.record.parted) == 2
    site.copied("a3")
    assert not was_split(site.polled("a1 a2 a3", seqno=720))


def test_half_that_nobody_saw__log_of_another_node_does_not_tell__it_may_hold_either() -> None:
    site = Site()
    site.polled("a1 a2 a3")
    site.polled("a1 a2 a3", parted=Parted(650, (_ids(site, "a1"), _ids(site, "a3")), None))
    assert site.differ == [["a1"], ["a2"], ["a3"]]
    site.polled("a1")
    site.copied("a2")
    site.polled("a1 a2")
    site.copied("a3")
    assert not was_split(site.polled("a1 a2 a3"))


def _removed_and_registered_anew() -> Site:
    site = Site()
    site.split("a1", "a2 a3")
    site.polled("a2 a3")
    every = site.link.active.nodes
    nodes = tuple(node for node in every if node.node.name != "a1")
    site.link = replace(site.link, active=replace(site.link.active, nodes=nodes))
    assert not was_split(site.polled("a2 a3"))
    anew = tuple(replace(n, node=replace(n.node, id="n_anew")) if n.node.name == "a1" else n for n in every)
    site.link = replace(site.link, active=replace(site.link.active, nodes=anew))
    return site


def test_node_of_a_half__removed_and_registered_anew__holds_what_its_half_wrote() -> None:
    site = _removed_and_registered_anew()
    site.started("a1")
    site.polled("a1 a2 a3")
    assert site.differ == [["a2", "a3"], ["a1"]]
    site.copied("a1")
    assert not was_split(site.polled("a1 a2 a3"))
    assert site.record is not None
    assert (site.record.parted, dict(site.record.addresses)) == ((), {})


def test_node_of_a_half__removed_and_copied_before_it_is_registered_anew__healed() -> None:
    site = _removed_and_registered_anew()
    site.copied("a1")
    assert not was_split(site.polled("a1 a2 a3"))


def test_member_of_a_half__removed_once_it_was_named__forgotten() -> None:
    """The way out where the log does not tell a copy."""
    site = _returned()
    every = site.link.active.nodes
    site.link = replace(site.link, active=replace(site.link.active, nodes=every[1:]))
    assert not was_split(site.polled("a2 a3"))
    anew = (replace(every[0], node=replace(every[0].node, id="n_anew")), *every[1:])
    site.link = replace(site.link, active=replace(site.link.active, nodes=anew))
    assert not was_split(site.polled("a1 a2 a3"))


def test_cluster_that_was_never_split__nothing_is_kept() -> None:
    site = Site()
    site.polled("a1 a2 a3")
    site.polled("a2 a3", seqno=700)
    site.started("a1")
    site.polled("a1 a2 a3", seqno=701)
    assert site.record is not None
    assert (site.record.parted, dict(site.record.logs)) == ((), {})
    assert not was_split(_cluster(site))
