"""When each direction was proven, as the monitor stores it look by look."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from backend.clusters.models import Link
from backend.core.link_facts import Divergence
from backend.monitoring import link_roles, retention
from backend.monitoring.models import ChannelRecord, ProofPeriod
from backend.monitoring.recording.stream_accounts import StreamAccounts
from backend.monitoring.times import from_unix
from backend.monitoring.unaccounted import transactions_settle
from tests.monitoring.facts import NOW
from tests.monitoring.stream_polls import Polls, begun

pytestmark = pytest.mark.django_db
TO_FRANKFURT, TO_MILAN = "c_b", "c_a"


@pytest.fixture
def polls(stored_link: Link, settings: Any) -> Polls:
    """A proof stands for half a minute, which needs fewer polls."""
    settings.HAWSER_PROVEN_WITHIN_S = 30
    return begun(stored_link)


def rows(receiving: str = TO_FRANKFURT) -> list[ProofPeriod]:
    return list(ProofPeriod.objects.filter(receiving_cluster_id=receiving).order_by("pk"))


def causes(receiving: str = TO_FRANKFURT) -> list[str]:
    """Of the periods, oldest first, once they are found to follow each other without a hole."""
    found = rows(receiving)
    assert [one.ended_at for one in found[:-1]] == [one.began_at for one in found[1:]]
    assert [one.is_latest for one in found] == [*[None] * (len(found) - 1), True][-len(found) :]
    return [one.cause for one in found]


def test_period__all_stands_on_both_sides__goes_on_with_what_was_counted(polls: Polls) -> None:
    assert causes() == ["begun_anew", ""]
    polls.apply("0-11-2", "0-12-3")
    polls.tick(30)
    assert causes() == ["begun_anew", ""]
    latest = rows()[-1]
    assert (latest.transactions, latest.source_cluster_id) == (2, TO_MILAN)
    assert polls.at_s - latest.ended_at.timestamp() <= 10


def test_period__monitor_restarted_or_another_one_takes_over__goes_on(polls: Polls) -> None:
    polls.apply("0-11-2")
    polls.tick(30)
    polls.accounts = StreamAccounts()
    polls.at_s += 20
    polls.apply("0-11-3")
    polls.tick(30)
    assert causes() == ["begun_anew", ""]
    assert rows()[-1].transactions == 2


def test_period__no_monitor_for_longer_than_a_proof_stands__a_gap_in_which_nobody_looked(polls: Polls) -> None:
    polls.tick(35)
    polls.accounts = StreamAccounts()
    polls.at_s += 300
    polls.apply("0-11-2")
    polls.tick(12)
    assert causes() == ["begun_anew", "", "nobody_looked", ""]
    assert (rows()[2].ended_at - rows()[2].began_at).total_seconds() >= 300


@pytest.mark.parametrize("case", ["tail", "stored"])
def test_period__a_log_became_another_one__over_with_that_reason(polls: Polls, case: str) -> None:
    polls.tick(35)
    if case == "tail":
        polls.source.tail.is_of_another_log = True
    else:
        ChannelRecord.objects.filter(direction="forward").update(
            log_break={"code": "source_log_reset", "sentence": "It was reset.", "found_at_s": NOW}
        )
    polls.tick()
    assert causes() == ["begun_anew", "", "log_changed"]


def test_period__logs_not_read__over_from_when_it_last_stood_and_proven_from_when_it_does_again(polls: Polls) -> None:
    polls.tick(35)
    stood = rows()[-1].ended_at
    polls.tick(45, is_log_read=False)
    assert causes() == ["begun_anew", "", "log_unread"]
    assert rows()[-1].began_at - stood < timedelta(seconds=10)
    polls.tick(2)
    assert causes() == ["begun_anew", "", "log_unread", ""]
    assert rows()[-1].began_at == from_unix(polls.at_s - 1)


def test_period__a_transaction_on_one_side__not_proven_until_it_is_settled(polls: Polls) -> None:
    polls.tick(35)
    polls.source.write("0-11-2")
    polls.passed = polls.source.end
    polls.tick(12)
    assert causes() == ["begun_anew", "", "unaccounted"]
    polls.stored.refresh_from_db()
    transactions_settle(actor="anna", link=polls.stored, direction="forward", gtids=["0-11-2"], reason="brought in")
    polls.tick(2)
    assert causes() == ["begun_anew", "", "unaccounted", ""]


def test_period__sides_diverged__not_proven(polls: Polls) -> None:
    polls.tick(35)
    lost, survivor = polls.stored.active_cluster, polls.stored.standby_cluster
    link_roles.record_divergence(polls.stored.id, Divergence(lost.id, survivor.id, None, NOW))
    polls.tick(2)
    assert causes() == ["begun_anew", "", "diverged"]


def test_period__proven_by_fits_and_starts__one_gap_that_counts_none_of_it_as_proven(polls: Polls) -> None:
    polls.tick(35)
    for _ in range(3):
        polls.source.tail.is_of_another_log = True
        polls.tick()
        polls.source.tail.is_of_another_log = False
        polls.tick(12)
    polls.tick(35)
    assert causes() == ["begun_anew", "", "log_changed", ""]


def test_period__roles_swapped__that_of_the_same_clusters_goes_on(polls: Polls) -> None:
    """What was forward leads from the standby side now."""
    polls.has_back = True
    polls.tick(35)
    polls.has_back = False  # the channel to Milan is behind, and the account of that direction stands no more
    ChannelRecord.objects.filter(direction="reverse").update(account=None)
    link_roles.set_roles(polls.stored.id, TO_FRANKFURT, TO_MILAN)
    polls.stored.refresh_from_db()
    polls.tick(2)
    assert causes(TO_FRANKFURT)[-1] == ""
    assert causes(TO_MILAN)[-2:] == ["", "begun_anew"]
    for row in ProofPeriod.objects.all():
        assert {row.source_cluster_id, row.receiving_cluster_id} == {TO_FRANKFURT, TO_MILAN}


def test_period__a_direction_without_a_channel_so_far__no_history(stored_link: Link) -> None:
    Polls(stored_link, is_one_way=True).tick(2)
    assert rows(TO_MILAN) == []
    assert rows(TO_FRANKFURT) != []


def test_retention__periods_that_ended_long_ago__deleted_and_the_later_ones_kept(polls: Polls) -> None:
    polls.tick(35)
    now = timezone.now()
    for row, age in zip(rows(), (timedelta(seconds=1), timedelta(seconds=-60)), strict=True):
        row.ended_at = now - retention.KEEP_PROOFS - age
        row.save()
    retention.tick()
    assert causes() == [""]
