"""The account of a link's stream as the monitor keeps it: stored, told once, settled by a person."""

from __future__ import annotations

import pytest

from backend.clusters.models import Link
from backend.core.link_facts import Divergence
from backend.core.positions import FilePosition
from backend.core.stream_account import StreamAccount
from backend.monitoring.link_roles import record_divergence
from backend.monitoring.models import ChannelRecord
from backend.monitoring.models import Divergence as DivergenceRow
from backend.monitoring.recording.stream_accounts import StreamAccounts, resume_positions
from backend.monitoring.unaccounted import stream_accounts
from tests.monitoring.facts import NOW
from tests.monitoring.stream_polls import FILE, Polls, begun
from tests.monitoring.ticks import raised_kinds

pytestmark = pytest.mark.django_db


@pytest.fixture
def polls(stored_link: Link) -> Polls:
    return begun(stored_link)


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
