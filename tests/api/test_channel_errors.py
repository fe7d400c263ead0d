"""A channel's error over HTTP: whom it is shown to, how, and that looking is recorded."""

from __future__ import annotations

from dataclasses import replace

import pytest

from backend.audit.models import AuditRecord
from backend.clusters.models import Link
from backend.core.channel_errors.model import ChannelErrorReport, ErrorState, FailedRow, FailedTransaction, SourceRow
from backend.core.channel_errors.ways_on import MendNodes, ways_on
from backend.core.positions import FilePosition
from backend.core.topology import Direction
from backend.transactions.channel_errors import services
from tests.core.builders.orphan_worlds import KEYED, insert, row
from tests.support.console import Caller

FAILED = FailedRow(insert(row(1, b"a")), KEYED, ((("id",), row(1, "ü".encode())),))
REPORT = ChannelErrorReport(
    Direction.FORWARD,
    ErrorState.ROW_IN_THE_WAY,
    "The insert cannot be applied.",
    errno=1062,
    error="Duplicate entry",
    replica="b1",
    source="a1",
    transaction=FailedTransaction(
        begin=FilePosition("binlog.000001", 100),
        end=FilePosition("binlog.000001", 200),
        seqno=7,
        gtid="0-1-7",
        at_s=1_800_000_000,
        tables=("shop.keyed",),
        rows=1,
    ),
    row=FAILED,
    source_row=SourceRow(row(1, b"now")),
    ways=ways_on(ErrorState.ROW_IN_THE_WAY, FAILED, SourceRow(row(1, b"now")), MendNodes("a1", "b1", ("b1", "b2"))),
)


@pytest.fixture
def reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the servers told this."""
    monkeypatch.setattr(
        services, "read_channel_error", lambda gateway, facts, direction: replace(REPORT, direction=direction)
    )


def test_channel_error__row_in_the_way__row_of_each_side_and_statements(
    operator: Caller, link: Link, reported: None
) -> None:
    body = operator.get(f"/links/{link.id}/channel-error?direction=reverse").body
    assert (body["direction"], body["state"], body["errno"]) == ("reverse", "row_in_the_way", 1062)
    assert body["transaction"]["from"] == {"file": "binlog.000001", "position": 100}
    shown = body["row"]
    assert (shown["after"]["name"], shown["source"]["name"], shown["replica"][0]["name"]) == ("a", "now", "ü")
    assert (shown["before"], shown["key"], shown["differing"]) == (None, ["id"], ["name"])
    first = body["ways"][0]
    assert (first["code"], first["plan_kind"]) == ("keep_source_row", "start_channel")
    assert [one["node"] for one in first["statements"]] == ["b1", "b1", "b2", "b2"]
    assert first["statements"][1]["sql"].startswith("DELETE FROM `shop`.`keyed` WHERE ")
    assert first["put_back"][1]["sql"].startswith("INSERT INTO `shop`.`keyed` ")


def test_channel_error__looked_at__recorded_without_values(operator: Caller, link: Link, reported: None) -> None:
    operator.get(f"/links/{link.id}/channel-error")
    record = AuditRecord.objects.get(action="api:channel-error:read")
    assert (record.link_id, record.target) == (link.id, "forward")
    assert record.facts == {"state": "row_in_the_way", "errno": 1062, "table": "shop.keyed"}


def test_channel_error__viewer__sees_no_business_data(viewer: Caller, link: Link, reported: None) -> None:
    assert viewer.get(f"/links/{link.id}/channel-error").status == 403
    assert not AuditRecord.objects.filter(action="api:channel-error:read").exists()


@pytest.mark.parametrize("bad", ["direction=sideways", "other=1"])
def test_channel_error__bad_query__400(operator: Caller, link: Link, bad: str) -> None:
    assert operator.get(f"/links/{link.id}/channel-error?{bad}").status == 400


def test_channel_error__no_such_link__404(operator: Caller) -> None:
    assert operator.get("/links/l_none/channel-error").status == 404


def test_channel_error__nobody_answers__says_that_no_channel_is_known(operator: Caller, link: Link) -> None:
    body = operator.get(f"/links/{link.id}/channel-error").body
    assert (body["state"], body["row"], body["ways"]) == ("none", None, [])
    assert "No forward channel" in body["detail"]
