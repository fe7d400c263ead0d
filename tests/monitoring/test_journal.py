"""The journal: what it answers, what it keeps."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from pytest_django import DjangoAssertNumQueries

from backend.clusters.models import Link
from backend.core.positions import FilePosition, Seqno
from backend.monitoring.journal import DbJournal, newest_positions, retention_level, thin
from backend.monitoring.models import Checkpoint
from tests.monitoring.facts import UUIDS

pytestmark = pytest.mark.django_db
UUID = UUIDS["a"]
NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


def add(seqno: int, age_s: float, *, exact: bool = True, retention_level: int = 0, uuid: str = UUID) -> None:
    Checkpoint.objects.create(
        node_id="n_a1",
        state_uuid=uuid,
        file="binlog.000002",
        offset=1000 + seqno,
        seqno=seqno,
        exact=exact,
        retention_level=retention_level,
        observed_at=NOW - timedelta(seconds=age_s),
    )


def test_checkpoint_before__several__the_nearest_at_or_before(stored_link: Link) -> None:
    for seqno, age in ((10, 30), (20, 20), (30, 10)):
        add(seqno, age)
    found = DbJournal().checkpoint_before("n_a1", Seqno(UUID, 29))
    assert found is not None
    assert (found.seqno, found.position, found.exact) == (20, FilePosition("binlog.000002", 1020), True)
    assert DbJournal().checkpoint_before("n_a1", Seqno(UUID, 9)) is None


def test_checkpoint_before__other_incarnation__not_answered_from(stored_link: Link) -> None:
    add(10, 30, uuid=UUIDS["b"])
    assert DbJournal().checkpoint_before("n_a1", Seqno(UUID, 29)) is None


def test_checkpoint_at_age__counts_from_the_newest_sample(stored_link: Link) -> None:
    for seqno, age in ((10, 130), (20, 70), (30, 10)):
        add(seqno, age)
    found = DbJournal().checkpoint_at_age("n_a1", UUID, 60)
    assert found is not None
    assert found.seqno == 20
    assert DbJournal().checkpoint_at_age("n_a1", UUID, 600) is None
    assert DbJournal().checkpoint_at_age("n_b1", UUID, 0) is None


def test_seqno_at__hint_or_other_place__not_told(stored_link: Link) -> None:
    add(10, 30)
    add(20, 20, exact=False)
    journal = DbJournal()
    assert journal.seqno_at("n_a1", UUID, FilePosition("binlog.000002", 1010)) == 10
    assert journal.seqno_at("n_a1", UUID, FilePosition("binlog.000002", 1020)) is None
    assert journal.seqno_at("n_a1", UUID, FilePosition("binlog.000002", 1011)) is None


def test_seqno_at__sampled_under_another_state_uuid__unknown(stored_link: Link) -> None:
    """A counter is valid within one state UUID: the same number of another history is another transaction."""
    add(10, 30, uuid=UUIDS["b"])
    assert DbJournal().seqno_at("n_a1", UUID, FilePosition("binlog.000002", 1010)) is None


def test_seqno_at__log_reset_since__unknown_until_seen_there_again(stored_link: Link) -> None:
    """Groups of one size: the same place is the end of another group in the new log."""
    position = FilePosition("binlog.000002", 1010)
    add(10, 30)
    at_place = {"file": position.file, "exact": True, "retention_level": 0, "node_id": "n_a1", "state_uuid": UUID}
    Checkpoint.objects.create(offset=400, seqno=21, observed_at=NOW - timedelta(hours=1), **at_place)
    assert DbJournal().seqno_at("n_a1", UUID, position) is None
    Checkpoint.objects.create(offset=position.offset, seqno=24, observed_at=NOW, **at_place)
    assert DbJournal().seqno_at("n_a1", UUID, position) == 24


def test_first_of_history__another_state_uuid_before__the_first_sample_since(stored_link: Link) -> None:
    journal = DbJournal()
    add(10, 40)
    assert journal.first_of_history("n_a1", UUID) is None
    add(20, 30, uuid=UUIDS["b"])
    assert journal.first_of_history("n_a1", UUID) is None
    add(30, 20)
    add(40, 10)
    found = journal.first_of_history("n_a1", UUID)
    assert found is not None
    assert found.seqno == 30
    add(5, 0)  # the log was reset
    assert journal.first_of_history("n_a1", UUID) is None


def test_thin__by_age__seconds_then_tens_then_minutes_then_nothing(stored_link: Link) -> None:
    ages = {"fresh": 60, "hour": 3600, "day": 86_400, "old": 8 * 86_400}
    for age in ages.values():
        for retention in (0, 1, 2):
            add(int(age) + retention, age, retention_level=retention)
    thin(NOW)
    seqnos = sorted(Checkpoint.objects.values_list("seqno", flat=True))
    assert seqnos == [60, 61, 62, 3601, 3602, 86_402]


def test_retention_level__moments__new_minute_new_ten_seconds_neither() -> None:
    assert retention_level(None, NOW) == 2
    assert retention_level(NOW, NOW + timedelta(seconds=1)) == 0
    assert retention_level(NOW, NOW + timedelta(seconds=11)) == 1
    assert retention_level(NOW, NOW + timedelta(seconds=61)) == 2


def test_newest_positions__hints_do_not_count(stored_link: Link) -> None:
    add(10, 30)
    add(20, 20, exact=False)
    assert newest_positions(["n_a1", "n_a2"]) == {"n_a1": FilePosition("binlog.000002", 1010)}


def test_newest_positions__of_other_nodes_or_of_none__left_out(
    stored_link: Link, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    add(10, 30)
    assert newest_positions(["n_a2"]) == {}
    with django_assert_num_queries(0):
        assert newest_positions([]) == {}


def test_furthest__newer_samples_stand_earlier__the_one_furthest_on(stored_link: Link) -> None:
    for seqno, age in ((10, 130), (30, 70), (20, 10)):
        add(seqno, age, exact=seqno != 30)
    found = DbJournal().furthest("n_a1")
    assert found is not None
    assert found.seqno == 30
    assert DbJournal().furthest("n_a2") is None


def test_furthest__bootstrapped_again_since__what_was_seen_before_counts(stored_link: Link) -> None:
    add(30, 70, uuid=UUIDS["b"])
    add(10, 5)
    found = DbJournal().furthest("n_a1")
    assert found is not None
    assert found.seqno == 30
