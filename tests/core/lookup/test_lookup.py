"""A lookup over a link: which logs hold a transaction, and what may be said of the side whose logs do not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import pytest

from backend.core.link_facts import LinkFacts
from backend.core.lookup.applied import Presence
from backend.core.lookup.lookup import LookedUp, Lookup, LookupQuestion, look_up, slack_of
from backend.core.lookup.model import CLOCK_SLACK_S, Criteria, LookupLimits, NodeAnswer, NodeState
from backend.core.lookup.search import NodeQuestion, search_node
from backend.core.positions import FilePosition, MariadbGtid
from backend.core.stream_account import Fault, StreamAccount, Unaccounted
from backend.core.topology import Direction
from tests.core.builders.link_facts import link, with_channel, with_node, with_wsrep
from tests.fakes.dumped_log import FakeDumpedLog, Written

BASE = "mariadb-bin"


@dataclass
class Site:
    """The logs of a1, a2 and b1; all other nodes are down."""

    facts: LinkFacts
    logs: dict[str, FakeDumpedLog] = field(default_factory=dict)
    asked: list[dict[str, NodeQuestion]] = field(default_factory=list)

    def search(self, questions: Mapping[str, NodeQuestion]) -> Sequence[NodeAnswer]:
        """As the gateway does."""
        self.asked.append(dict(questions))
        return [self._one(node_id, question) for node_id, question in questions.items()]

    def _one(self, node_id: str, question: NodeQuestion) -> NodeAnswer:
        node = self.facts.node(node_id).node
        if node_id in self.logs:
            return search_node(self.logs[node_id], node, question, lambda: 0.0)
        return NodeAnswer(node_id, node.cluster_id, NodeState.UNKNOWN, "node_unreachable", f"{node.name} is down.")

    def look_up(self, criteria: Criteria, **more: object) -> Lookup:
        """The whole lookup."""
        return look_up(self.facts, LookupQuestion(criteria, **more), self.search)  # type: ignore[arg-type]

    def only(self, criteria: Criteria, **more: object) -> LookedUp:
        """The one transaction found."""
        (found,) = self.look_up(criteria, **more).transactions
        return found


@pytest.fixture
def site() -> Site:
    """As below."""
    return behind_by_one()


def behind_by_one() -> Site:
    """a wrote three transactions; b applied the first two, under Xids of its own."""
    made = Site(link())
    origin = next(iter(made.facts.active.server_ids))
    for node_id in ("n_a1", "n_a2", "n_b1"):
        log = FakeDumpedLog(began_s=1_000, base=BASE)
        offset = 500 if node_id == "n_b1" else 0
        log.write(Written(origin + 7, 1_500, 900, xid=offset + 1, table=f"own.{node_id}"))
        for i in range(2 if node_id == "n_b1" else 3):
            log.write(Written(origin, 2_000 + i, i, xid=offset + 10 + i, text=f"UPDATE t SET a = {i}"))
        made.logs[node_id] = log
    return made


def states(found: LookedUp) -> dict[str, str]:
    return {
        location.node_id: location.state.value
        for location in found.nodes
        if location.node_id in ("n_a1", "n_a2", "n_b1")
    }


def held(found: LookedUp) -> tuple[Presence, ...]:
    return tuple(side.held for side in found.sides)


def test_xid__of_one_cluster__found_by_content_on_the_other_under_its_own(site: Site) -> None:
    found = site.only(Criteria(xid=11), cluster_id=site.facts.active.id)
    assert states(found) == {"n_a1": "found", "n_a2": "found", "n_b1": "found"}
    location = found.transaction.on_node("n_b1")
    assert location is not None
    assert location.match.found.group.xid == 511
    assert held(found) == (Presence.YES, Presence.YES)
    assert [side.is_origin for side in found.sides] == [True, False]
    assert set(site.asked[0]) == {facts.node.id for facts in site.facts.active.nodes}


def test_not_applied__whole_log_read__no(site: Site) -> None:
    found = site.only(Criteria(text="a = 2"))
    assert states(found)["n_b1"] == "not_found"
    assert held(found) == (Presence.YES, Presence.NO)


@pytest.mark.parametrize("why", ["purged", "limited", "not synced", "log began too late"])
def test_not_applied__log_not_read_far_enough__unknown_and_never_no(site: Site, why: str) -> None:
    log = site.logs["n_b1"]
    if why == "purged":
        log.rotate(2_500)
        log.purge()
    elif why == "log began too late":
        log._created["mariadb-bin.000001"] = 2_002 - CLOCK_SLACK_S + 1
    elif why == "not synced":
        site.facts = with_wsrep(site.facts, "b1", local_state=2)
    limits = LookupLimits(bytes=100) if why == "limited" else LookupLimits()
    found = site.only(Criteria(position=site.logs["n_a1"].order[-1].end), node_id="n_a1", limits=limits)
    assert held(found)[1] is Presence.UNKNOWN


def test_clock_off__more_of_the_log_must_be_read(site: Site) -> None:
    site.facts = with_node(site.facts, "b2", clock_offset_s=-1_000.0)
    assert slack_of(site.facts) == CLOCK_SLACK_S + 1_000
    assert held(site.only(Criteria(text="a = 2")))[1] is Presence.UNKNOWN


def test_channel_executed_past_it__is_evidence_and_no_proof(site: Site) -> None:
    end = site.logs["n_a1"].order[-1].end
    site.facts = with_channel(site.facts, "b1", exec_file=end.file, exec_offset=end.offset)
    site.logs["n_b1"].rotate(2_500)
    site.logs["n_b1"].purge()
    side = site.only(Criteria(text="a = 2")).sides[1]
    assert side.held is Presence.UNKNOWN
    assert "does not prove that it was applied" in side.detail
    assert [(one.family, one.agrees) for one in side.evidence] == [("executed", True)]


def unaccounted(facts: LinkFacts, fault: Fault, node_id: str, begins: FilePosition) -> LinkFacts:
    """The account of the forward channel names this transaction of that node's log."""
    one = Unaccounted(fault, node_id, "0-11-3", 3, 11, str(begins), str(begins), 0.0)
    recorded = tuple(
        replace(each, account=StreamAccount(unaccounted=(one,))) if each.direction is Direction.FORWARD else each
        for each in facts.recorded
    )
    return replace(facts, recorded=recorded)


@pytest.mark.parametrize(
    ("fault", "searched", "lacking"),
    [(Fault.MISSING, "n_a1", 1), (Fault.FILTERED, "n_a1", 1), (Fault.EXTRA, "n_b1", 0)],
)
def test_log_purged__account_of_the_stream_names_it__the_side_lacks_it(
    site: Site, fault: Fault, searched: str, lacking: int
) -> None:
    others = ("n_a1", "n_a2") if searched == "n_b1" else ("n_b1",)
    for node_id in others:
        site.logs[node_id].rotate(2_500)
        site.logs[node_id].purge()
    criteria = Criteria(position=site.logs[searched].order[-1].end)
    assert held(site.only(criteria, node_id=searched))[lacking] is Presence.UNKNOWN
    first, last = (site.logs[searched].order[n].begin for n in (0, -1))
    site.facts = unaccounted(site.facts, fault, searched, first)
    assert held(site.only(criteria, node_id=searched))[lacking] is Presence.UNKNOWN, "another transaction"
    site.facts = unaccounted(site.facts, fault, searched, last)
    side = site.only(criteria, node_id=searched).sides[lacking]
    assert side.held is Presence.NO
    assert "account" in {one.family for one in side.evidence if one.agrees is False}


def test_account_names_it__log_holds_it__held_and_the_evidence_is_shown(site: Site) -> None:
    begins = next(one.begin for one in site.logs["n_a1"].order if one.end == site.logs["n_a1"].order[-2].end)
    site.facts = unaccounted(site.facts, Fault.MISSING, "n_a1", begins)
    side = site.only(Criteria(text="a = 1")).sides[1]
    assert side.held is Presence.YES
    assert "account" in {one.family for one in side.evidence if one.agrees is False}


@pytest.mark.parametrize(
    ("offset", "ignored", "agrees"), [(4, (), False), (4, (None,), None)], ids=["not reached", "ignores its origin"]
)
def test_channel__behind_it_or_ignoring_it__said(
    site: Site, offset: int, ignored: tuple[None, ...], agrees: bool | None
) -> None:
    origin = site.logs["n_a1"].order[-1].written.server_id
    ids = tuple(origin for _ in ignored)
    site.facts = with_channel(
        site.facts, "b1", exec_file="mariadb-bin.000001", exec_offset=offset, ignore_server_ids=ids
    )
    (evidence,) = site.only(Criteria(text="a = 2")).sides[1].evidence
    assert (evidence.family, evidence.agrees) == ("executed", agrees)


def twins(site: Site, *, numbers: tuple[int, int]) -> None:
    """The same statement twice in one second on a, and both on b with these sequence numbers."""
    origin = site.logs["n_a1"].order[-1].written.server_id
    for node_id, log in site.logs.items():
        for i in (0, 1):
            seq_no = numbers[i] if node_id == "n_b1" else 70 + i
            log.write(Written(origin, 3_000, seq_no, xid=70 + i, text="UPDATE t SET n = n + 1"))


def test_equal_transactions__told_apart_by_gtid(site: Site) -> None:
    twins(site, numbers=(70, 71))
    first, second = site.look_up(Criteria(text="n = n + 1")).transactions
    assert held(first) == held(second) == (Presence.YES, Presence.YES)
    gtids = [one.transaction.on_node("n_b1") for one in (first, second)]
    assert [location.match.found.group.gtid for location in gtids if location] == [
        first.transaction.seen.group.gtid,
        second.transaction.seen.group.gtid,
    ]


@pytest.mark.parametrize("applied", [1, 2])
def test_equal_transactions__without_a_common_number__unknown_which(site: Site, applied: int) -> None:
    """Of two equal ones b may hold the other."""
    twins(site, numbers=(800, 801))
    log = site.logs["n_b1"]
    if applied == 1:
        log._files["mariadb-bin.000001"] = [
            e for e in log._files["mariadb-bin.000001"] if e.end <= log.order[-2].end.offset
        ]
    found = site.only(Criteria(xid=71), cluster_id=site.facts.active.id)
    assert held(found) == (Presence.YES, Presence.UNKNOWN)
    assert {one.sides[1].held for one in site.look_up(Criteria(text="n = n + 1")).transactions} == {Presence.UNKNOWN}


def test_only_one_of_its_kind__without_a_common_number__found_by_content(site: Site) -> None:
    origin = site.logs["n_a1"].order[-1].written.server_id
    for node_id, log in site.logs.items():
        log.write(Written(origin, 3_000, 800 if node_id == "n_b1" else 70, xid=70, text="UPDATE t SET n = 1"))
    assert held(site.only(Criteria(xid=70), cluster_id=site.facts.active.id)) == (Presence.YES, Presence.YES)
    assert held(site.only(Criteria(text="n = 1"))) == (Presence.YES, Presence.YES)


@pytest.mark.parametrize("by", ["text", "gtid", "xid", "position"])
def test_criterion_that_is_each_logs_own__the_other_side_is_judged_by_content(site: Site, by: str) -> None:
    """b has no text of it, another GTID and another Xid, and its log is read to the end in vain by the first search."""
    origin = site.logs["n_a1"].order[-1].written.server_id
    for node_id, log in site.logs.items():
        is_replica = node_id == "n_b1"
        text = None if is_replica else "UPDATE t SET z = 1"
        log.write(Written(origin, 3_000, 800 if is_replica else 70, xid=990 if is_replica else 70, text=text))
    asked = {
        "text": Criteria(text="z = 1"),
        "gtid": Criteria(gtid=MariadbGtid(0, origin, 70)),
        "xid": Criteria(xid=70),
        "position": Criteria(position=FilePosition("mariadb-bin.000001", site.logs["n_a1"].end.offset - 1)),
    }
    node = "n_a1" if by in ("xid", "position") else None
    found = site.only(asked[by], node_id=node)
    assert states(found) == {"n_a1": "found", "n_a2": "found", "n_b1": "found"}
    assert held(found) == (Presence.YES, Presence.YES)


def test_many__not_followed__only_what_the_search_met(site: Site) -> None:
    origin = site.logs["n_a1"].order[-1].written.server_id
    for i in range(6):
        site.logs["n_a1"].write(Written(origin, 4_000 + i, 300 + i, xid=300 + i, text="DELETE FROM u"))
    found = site.look_up(Criteria(text="delete from u"), limits=LookupLimits(matches=4))
    assert len(found.transactions) == 4
    assert found.resume.keys() == {"n_a1"}
    rest = site.look_up(Criteria(text="delete from u"), resume=found.resume)
    assert len(rest.transactions) == 2
    assert [set(questions) for questions in site.asked[:2]] == [{n.node.id for n in site.facts.nodes}, {"n_a1"}]


def test_gtid__found_nowhere__every_node_says_why(site: Site) -> None:
    answers = {answer.node_id: answer.code for answer in site.look_up(Criteria(gtid=MariadbGtid(0, 99, 99))).answers}
    assert (answers["n_a1"], answers["n_b1"], answers["n_b2"]) == ("not_found", "not_found", "node_unreachable")


def test_position__of_another_node__not_read_there(site: Site) -> None:
    found = site.look_up(Criteria(position=FilePosition("mariadb-bin.000001", 300)), node_id="n_a2")
    assert [answer.node_id for answer in found.answers] == ["n_a2"]


def test_other_cluster_down__unknown(site: Site) -> None:
    del site.logs["n_b1"]
    found = site.only(Criteria(text="a = 1"))
    assert held(found) == (Presence.YES, Presence.UNKNOWN)
    assert found.nodes[-1].state is NodeState.UNKNOWN
