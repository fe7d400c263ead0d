"""The account of a link's stream as the monitor keeps it: stored, told once, settled by a person."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import pytest
from django.db import transaction

from backend.clusters.models import Link
from backend.core.dialects import dialect_for
from backend.core.link_facts import Divergence
from backend.core.positions import FilePosition
from backend.core.stream_account import StreamAccount
from backend.core.topology import BinlogFacts, ChannelFacts, NodeFacts
from backend.gateway.polling.binlog_tail import BinlogTail
from backend.gateway.polling.pollers import Polled
from backend.monitoring.link_roles import record_divergence
from backend.monitoring.models import ChannelRecord, LinkStatus
from backend.monitoring.models import Divergence as DivergenceRow
from backend.monitoring.recording.links import store_links
from backend.monitoring.recording.nodes import store_nodes
from backend.monitoring.recording.stream_accounts import StreamAccounts, resume_positions
from backend.monitoring.times import from_unix
from backend.monitoring.unaccounted import stream_accounts
from tests.monitoring.facts import NOW, channel, link, up
from tests.monitoring.ticks import raised_kinds

pytestmark = pytest.mark.django_db
FILE = "binlog.000002"


@dataclass
class Log:
    """A node's binary log and the tail that follows it; each transaction has 100 bytes."""

    tail: BinlogTail = field(default_factory=lambda: BinlogTail(FilePosition(FILE, 500)))
    end: int = 500
    seqno: int = 700

    def write(self, *gtids: str) -> None:
        rows: list[tuple[object, ...]] = []
        for gtid in gtids:
            origin, begin, self.seqno = int(gtid.split("-")[1]), self.end, self.seqno + 1
            info = b"COMMIT /* xid=%d */" % self.seqno
            rows.append((b"", begin, b"Gtid", origin, begin + 50, f"BEGIN GTID {gtid}".encode()))
            rows.append((b"", begin + 50, b"Xid", origin, begin + 100, info))
            self.end += 100
        end = FilePosition(FILE, self.end)
        self.tail.advance(lambda sql: rows, dialect_for("mariadb", "10.11.19-MariaDB"), end)


@dataclass
class Polls:
    """Polls of milan's source and frankfurt's replica by one monitor; `passed` is the channel's place.

    The channel back is at the end of its source's log, or, without `has_back`, at a place that was not read.
    """

    stored: Link
    source: Log = field(default_factory=Log)
    replica: Log = field(default_factory=Log)
    passed: int = 500
    accounts: StreamAccounts = field(default_factory=StreamAccounts)
    options: dict[str, str] = field(default_factory=dict)
    at_s: float = NOW
    has_back: bool = False

    def apply(self, *gtids: str) -> None:
        """Committed on milan, brought by the channel, and passed."""
        self.source.write(*gtids)
        self.replica.write(*gtids)
        self.passed = self.source.end

    def tick(self, times: int = 1, doubtful: frozenset[str] = frozenset(), *, is_log_read: bool = True) -> LinkStatus:
        for _ in range(times):
            self.at_s += 1
            for log in (self.source, self.replica):
                log.tail.read_at_s = self.at_s if is_log_read else self.at_s - 1
            forward = replace(channel("a1"), exec_file=FILE, exec_offset=self.passed, options=self.options)
            back = replace(channel("b1"), exec_file=FILE, exec_offset=self.replica.end)
            nodes = {
                "a1": self._up("a1", self.source, back if self.has_back else channel("b1")),
                "b1": self._up("b1", self.replica, forward),
            }
            facts = {node.node.id: node for node in link(nodes).nodes}
            facts = {key: replace(node, observed_at_s=self.at_s) for key, node in facts.items()}
            now = from_unix(self.at_s)
            store_nodes(facts, now)
            polled = {
                node_id: Polled(facts[node_id], None, log.tail)
                for node_id, log in (("n_a1", self.source), ("n_b1", self.replica))
            }
            with transaction.atomic():
                store_links([self.stored], facts, polled, now, fails=True, accounts=self.accounts, doubtful=doubtful)
        return LinkStatus.objects.get(link=self.stored)

    def _up(self, name: str, log: Log, held: ChannelFacts) -> NodeFacts:
        return replace(up(name, held), binlog=BinlogFacts(FILE, log.end, ((FILE, log.end),)))

    def found(self) -> list[tuple[str, str]]:
        shown = stream_accounts(self.stored)
        return [(one.fault, one.gtid) for one in (*shown.forward.transactions, *shown.reverse.transactions)]


@pytest.fixture
def polls(stored_link: Link) -> Polls:
    """With a span begun in both directions."""
    polls = Polls(stored_link)
    polls.apply("0-11-1")
    polls.tick(4)
    return polls


def test_account__all_stands_on_both_sides__protected_and_the_span_is_stored(polls: Polls) -> None:
    polls.apply("0-11-2", "0-12-3")
    status = polls.tick(12)
    account = stream_accounts(polls.stored).forward
    assert (status.state, polls.found()) == ("protected", [])
    assert account.groups == 2
    assert account.since is not None
    assert account.until is not None


def test_account__a_transaction_left_out__degraded_told_once_and_kept_by_the_next_monitor(polls: Polls) -> None:
    polls.source.write("0-11-2", "0-11-3")
    polls.replica.write("0-11-3")
    polls.passed = polls.source.end
    status = polls.tick(3)
    assert polls.found() == [("missing", "0-11-2")]
    assert status.state == "degraded"
    assert "Frankfurt lacks 1 transaction of Milan." in status.sentence
    assert status.readiness["switchover"]["state"] == "blocked"
    assert "transactions_left_out" in [one["code"] for one in status.findings]
    failover = status.readiness["failover"]
    assert failover["sentence"] == "Frankfurt can be activated; it lacks 1 transaction that never came."
    assert (failover["loss_transactions"], failover["loss_at_least"]) == (1, 1)
    polls.accounts = StreamAccounts()
    status = polls.tick(6)
    assert (polls.found(), status.state) == ([("missing", "0-11-2")], "degraded")
    assert raised_kinds().count("channel.unaccounted") == 1


def test_account__left_out_while_no_monitor_ran__named_by_the_next_one(polls: Polls) -> None:
    polls.tick(11)
    polls.accounts = StreamAccounts()
    polls.source.write("0-11-2")
    polls.passed = polls.source.end
    polls.apply("0-11-3")
    polls.tick(3)
    assert polls.found() == [("missing", "0-11-2")]


def test_resume__a_stored_span_reaches_back_further_than_the_newest_sample__its_place(polls: Polls) -> None:
    polls.tick(11)
    later, other = FilePosition(FILE, 9_000), FilePosition("mysql-bin.000002", 9_000)
    assert resume_positions({"n_a1": later, "n_a2": later}) == {"n_a1": FilePosition(FILE, 600), "n_a2": later}
    assert resume_positions({"n_b1": other}) == {"n_b1": other}


def test_account__filtered_by_the_channel__listed_and_missing_once_the_filter_is_gone(polls: Polls) -> None:
    polls.options = {"Replicate_Ignore_DB": "audit"}
    polls.source.write("0-11-2")
    polls.passed = polls.source.end
    status = polls.tick(3)
    assert polls.found() == [("filtered", "0-11-2")]
    assert {one["code"] for one in status.findings} & {"channel_filtered", "transactions_left_out"} == {
        "channel_filtered"
    }
    polls.options = {}
    assert "transactions_left_out" in {one["code"] for one in polls.tick(2).findings}


def test_account__side_lost_in_a_failover__what_it_had_alone_is_named_as_lost_and_not_here(polls: Polls) -> None:
    """Its channel begins behind that again."""
    lost, survivor = polls.stored.active_cluster, polls.stored.standby_cluster
    record_divergence(polls.stored.id, Divergence(lost.id, survivor.id, None, NOW))
    polls.source.write("0-11-2", "0-11-3")
    polls.tick(2)
    DivergenceRow.objects.all().delete()
    polls.passed = polls.source.end
    polls.apply("0-11-4")
    polls.tick(6)
    assert polls.found() == []


def test_account__channels_created_by_a_run_that_proved_equal_data__begins_anew(polls: Polls) -> None:
    polls.tick(11)
    ChannelRecord.objects.update(account=None)
    polls.source.write("0-11-2")
    polls.passed = polls.source.end
    polls.tick(6)
    assert polls.found() == []


def test_account__the_same_poll_seen_twice__proves_nothing_of_the_place_behind_it(polls: Polls) -> None:
    """The place was told after the end of the log: only a later poll has what was passed by then."""
    polls.source.write("0-11-2")
    polls.passed = polls.source.end
    polls.tick()
    polls.at_s -= 1
    polls.tick()
    assert polls.found() == []


@pytest.mark.parametrize("case", ["another log", "doubtful"])
def test_account__logs_that_cannot_be_compared__nothing_is_named(polls: Polls, case: str) -> None:
    polls.source.write("0-11-2")
    polls.passed = polls.source.end
    polls.source.tail.is_of_another_log = case == "another log"
    polls.tick(3, frozenset({"n_b1"} if case == "doubtful" else ()))
    assert polls.found() == []


def test_account__facts_of_a_slow_poll_before_its_log_was_read__nothing_is_named(polls: Polls) -> None:
    polls.source.write("0-11-2")
    polls.passed = polls.source.end
    polls.tick()
    polls.tick(3, is_log_read=False)
    assert polls.found() == []
    polls.replica.write("0-11-2")
    polls.tick(3)
    assert polls.found() == []


def test_account__a_log_not_read_to_its_end__nothing_is_named_until_it_is(polls: Polls) -> None:
    polls.replica.tail.is_current = False
    polls.source.write("0-11-2")
    polls.passed = polls.source.end
    polls.tick(3)
    assert polls.found() == []
    polls.replica.write()
    polls.tick(2)
    assert polls.found() == [("missing", "0-11-2")]


def test_account__logs_not_read_for_a_minute__unproven_until_they_are(polls: Polls) -> None:
    polls.has_back = True
    assert polls.tick(12).state == "protected"
    polls.at_s += 45
    assert polls.tick(is_log_read=False).state == "protected"
    polls.at_s += 45
    status = polls.tick(is_log_read=False)
    assert status.state == "unproven"
    assert "It has not been proven for 1 min that Frankfurt holds what Milan sends." in status.sentence
    assert polls.tick(2).state == "protected"
    assert [kind for kind in raised_kinds() if kind.startswith("link.")][-2:] == ["link.unproven", "link.protected"]


def test_account__never_begun__unproven_after_a_minute(stored_link: Link) -> None:
    polls = Polls(stored_link, has_back=True)
    assert polls.tick(2, is_log_read=False).state == "protected"
    polls.at_s += 45
    polls.accounts = StreamAccounts()
    assert polls.tick(2, is_log_read=False).state == "protected"
    polls.at_s += 45
    assert polls.tick(is_log_read=False).state == "unproven"
    polls.apply("0-11-1")
    assert polls.tick(5).state == "protected"


def test_account__the_log_became_another__awaited_from_when_it_last_stood(polls: Polls) -> None:
    polls.tick(12)
    polls.source.tail.is_of_another_log = True
    polls.tick()
    (forward,) = ChannelRecord.objects.filter(direction="forward")
    account = StreamAccount.from_json(forward.account)
    assert account.until_s is None
    assert account.awaited_s is not None
    assert account.awaited_s <= polls.at_s - 1


def test_account__what_was_not_stored_because_the_database_failed__is_compared_again(polls: Polls) -> None:
    polls.apply("0-11-2")
    polls.tick(11)
    polls.accounts.forget()
    polls.source.write("0-11-3")
    polls.passed = polls.source.end
    polls.tick(3)
    assert polls.found() == [("missing", "0-11-3")]
