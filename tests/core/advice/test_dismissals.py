"""A dismissal counts for its facts and its time only."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from backend.core.adviser.advice.dismissals import Dismissal, judged
from backend.core.adviser.advice.model import Advice
from backend.core.adviser.advice.registry import cluster_advice
from tests.core.advice.configurations import cluster, with_options, with_status, with_variables

NOW = datetime(2026, 11, 26, 12, tzinfo=UTC)


def _advice(value: str = "0") -> Advice:
    (advice,) = cluster_advice(with_variables(cluster(), {"sync_binlog": value}))
    return advice


def _of(advice: Advice, days: int = 30) -> Dismissal:
    until = NOW + timedelta(days=days)
    return Dismissal("d_1", advice.code, advice.subject_id, advice.fingerprint, "battery", "ann", NOW, until)


def test_judged__dismissed__is_last_and_names_the_dismissal() -> None:
    other = cluster_advice(with_options(cluster(), {"gcs.max_packet_size": "2097152"}))

    found = judged([_advice(), *other], [_of(_advice())], NOW)

    assert [(one.advice.code, one.dismissal and one.dismissal.by) for one in found] == [
        ("packet_size_ineffective", None),
        ("log_not_durable", "ann"),
    ]


def test_judged__facts_changed__advice_is_open_again() -> None:
    assert judged([_advice("100")], [_of(_advice("0"))], NOW)[0].dismissal is None


def test_judged__time_is_over__advice_is_open_again() -> None:
    assert judged([_advice()], [_of(_advice(), days=30)], NOW + timedelta(days=30))[0].dismissal is None


def test_judged__of_another_subject__does_not_count() -> None:
    other = with_variables(cluster(id="c_other"), {"sync_binlog": "0"})

    assert judged(cluster_advice(other), [_of(_advice())], NOW)[0].dismissal is None


def test_fingerprint__measured_rate_varies_a_little__the_same() -> None:
    def one(received: int) -> Advice:
        (advice,) = cluster_advice(with_status(cluster(), {"wsrep_received_bytes": str(received * 1024**3)}))
        return advice

    assert one(40).fingerprint == one(41).fingerprint
    assert one(40).fact != one(41).fact
