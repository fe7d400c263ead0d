"""What of a link is to be settled, over HTTP: listed for all, settled by an operator for a reason."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from django.utils import timezone

from backend.audit.models import AuditRecord
from backend.clusters.models import Link
from backend.common.events.models import Event
from backend.core.stream_account import Fault, StreamAccount, Unaccounted
from backend.monitoring.models import ChannelRecord, UnsafePeriod
from tests.support.console import Caller

SKIPPED = ("0-11-77", "0-11-78")


@pytest.fixture
def left_out(link: Link) -> Link:
    """A link whose forward channel skipped two transactions."""
    source, replica = link.active_cluster.nodes.all()[0], link.standby_cluster.nodes.all()[0]
    found = tuple(
        Unaccounted(Fault.MISSING, source.id, gtid, 512, 11, "binlog.000001:900", "binlog.000001:1200", 1_800_000_000)
        for gtid in SKIPPED
    )
    account = StreamAccount(1_799_999_000.0, 1_800_000_000.0, 4_200, found, compared=4_100)
    ChannelRecord.objects.create(
        link=link,
        direction="forward",
        source_node=source,
        replica_node=replica,
        channel={"name": ""},
        observed_at=timezone.now(),
        account=account.to_json(),
    )
    return link


def settle(caller: Caller, link: Link, *gtids: str, **changes: Any) -> Any:
    body = {"direction": "forward", "gtids": list(gtids), "reason": "the rows were brought in"} | changes
    return caller.post(f"/links/{link.id}/unaccounted/settle", body)


def test_list__what_was_found_and_the_time_in_which_all_else_was_accounted_for(viewer: Caller, left_out: Link) -> None:
    body = viewer.get(f"/links/{left_out.id}/unaccounted").body

    assert (body["forward"]["groups"], body["forward"]["compared"], body["forward"]["more"]) == (4_200, 4_100, 0)
    assert body["forward"]["until"] == "2027-01-15T08:00:00Z"
    first = body["forward"]["transactions"][0]
    assert (first["fault"], first["gtid"], first["seqno"], first["server_id"]) == ("missing", SKIPPED[0], 512, 11)
    assert (first["file"], first["position"], first["end_position"]) == ("binlog.000001", 900, 1200)
    assert body["unsafe_settings"] == []
    assert body["reverse"] == {"since": None, "until": None, "groups": 0, "compared": 0, "transactions": [], "more": 0}


def test_settle__by_an_operator__gone_recorded_and_told(operator: Caller, left_out: Link) -> None:
    answer = settle(operator, left_out, SKIPPED[0])

    assert answer.status == 200
    assert [one["gtid"] for one in answer.body["forward"]["transactions"]] == [SKIPPED[1]]
    record = AuditRecord.objects.get(action="api:link:settle_transactions")
    assert record.facts == {"direction": "forward", "gtids": [SKIPPED[0]], "reason": "the rows were brought in"}
    assert "channel.settled" in [event.data["kind"] for event in Event.objects.filter(type="event.raised")]


@pytest.mark.parametrize(
    ("changes", "status", "code"),
    [
        ({"gtids": [SKIPPED[0], "0-11-79"]}, 409, "unaccounted_changed"),
        ({"direction": "reverse"}, 409, "unaccounted_changed"),
        ({"direction": "sideways"}, 400, "validation_failed"),
        ({"reason": ""}, 400, "validation_failed"),
        ({"gtids": []}, 400, "validation_failed"),
    ],
)
def test_settle__what_is_not_in_the_list_or_without_a_reason__refused_and_nothing_is_settled(
    operator: Caller, left_out: Link, changes: dict[str, Any], status: int, code: str
) -> None:
    answer = settle(operator, left_out, SKIPPED[0], **changes)

    assert (answer.status, answer.body.get("code")) == (status, code)
    assert len(StreamAccount.from_json(ChannelRecord.objects.get().account).unaccounted) == 2
    assert not AuditRecord.objects.filter(action="api:link:settle_transactions").exists()


def test_settle__by_a_viewer__forbidden(viewer: Caller, left_out: Link) -> None:
    assert settle(viewer, left_out, SKIPPED[0]).status == 403


@pytest.fixture
def unsafe(link: Link) -> Link:
    """A link of which a node had a setting, and another one still has it."""
    for number, ended_at in enumerate((datetime(2027, 1, 15, 8, 0, 9, tzinfo=UTC), None), 1):
        UnsafePeriod.objects.create(
            link=link,
            node_id=f"n_{number}",
            node_name=f"db-a{number}",
            variable="binlog_ignore_db",
            value="app",
            began_at=datetime(2027, 1, 15, 8, tzinfo=UTC),
            ended_at=ended_at,
        )
    return link


def settle_settings(caller: Caller, link: Link, *node_ids: str, **changes: Any) -> Any:
    settings = [{"node_id": node_id, "variable": "binlog_ignore_db"} for node_id in node_ids]
    body = {"settings": settings, "reason": "the tables were compared"} | changes
    return caller.post(f"/links/{link.id}/unaccounted/settle-settings", body)


def test_unsafe_settings__listed_with_their_time(viewer: Caller, unsafe: Link) -> None:
    over, still = viewer.get(f"/links/{unsafe.id}/unaccounted").body["unsafe_settings"]

    assert over == {
        "node_id": "n_1",
        "node": "db-a1",
        "variable": "binlog_ignore_db",
        "value": "app",
        "since": "2027-01-15T08:00:00Z",
        "until": "2027-01-15T08:00:09Z",
    }
    assert (still["node"], still["until"]) == ("db-a2", None)


def test_unsafe_setting__that_is_over_settled_by_an_operator__gone_recorded_and_told(
    operator: Caller, unsafe: Link
) -> None:
    answer = settle_settings(operator, unsafe, "n_1")

    assert (answer.status, [one["node"] for one in answer.body["unsafe_settings"]]) == (200, ["db-a2"])
    record = AuditRecord.objects.get(action="api:link:settle_unsafe_settings")
    assert record.facts == {
        "settings": [{"node": "db-a1", "variable": "binlog_ignore_db", "value": "app"}],
        "reason": "the tables were compared",
    }
    assert "link.rows_settled" in [event.data["kind"] for event in Event.objects.filter(type="event.raised")]


@pytest.mark.parametrize(
    ("node_ids", "changes", "status", "told"),
    [
        (("n_1", "n_2"), {}, 409, "db-a2 still has binlog_ignore_db=app"),
        (("n_1", "n_3"), {}, 409, "Not listed"),
        (("n_1",), {"reason": ""}, 400, "reason"),
        ((), {}, 400, "settings"),
    ],
)
def test_unsafe_setting__that_is_not_over_or_not_listed__refused_and_none_is_settled(
    operator: Caller, unsafe: Link, node_ids: tuple[str, ...], changes: dict[str, Any], status: int, told: str
) -> None:
    answer = settle_settings(operator, unsafe, *node_ids, **changes)

    assert answer.status == status
    assert told in str(answer.body)
    assert UnsafePeriod.objects.count() == 2
    assert not AuditRecord.objects.filter(action="api:link:settle_unsafe_settings").exists()


def test_unsafe_setting__settled_by_a_viewer__forbidden(viewer: Caller, unsafe: Link) -> None:
    assert settle_settings(viewer, unsafe, "n_1").status == 403
