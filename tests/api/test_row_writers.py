"""Who changed a row that differs: what the logs of both nodes tell, to those who may look transactions up."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from backend.audit.models import AuditRecord
from backend.clusters.models import Link, Node
from backend.core.orphans.model import Operation
from backend.core.orphans.serialization import shape_to_json
from backend.core.ports import NodeError
from backend.core.positions import FilePosition
from backend.core.table_comparison.row_history import LoggedChange, Row, RowHistory
from backend.monitoring.models import Checkpoint
from backend.transactions.table_comparison import row_writers
from backend.transactions.table_comparison.models import ComparedTable, RowDifference, State, TableComparison
from tests.support.console import Caller
from tests.support.table_snapshots import SHAPE

CHANGE = LoggedChange(FilePosition("binlog.000007", 800), "0-11-57", 11, 1_800_000_000, Operation.UPDATE)


@pytest.fixture
def nodes(link: Link) -> list[Node]:
    """One of each side, whose logs were sampled a day ago."""
    found = [side.nodes.order_by("name")[0] for side in (link.active_cluster, link.standby_cluster)]
    for node in found:
        Checkpoint.objects.create(
            node=node,
            state_uuid="u",
            seqno=5,
            file="binlog.000007",
            offset=400,
            exact=True,
            retention_level=0,
            observed_at=timezone.now() - timedelta(days=1),
        )
    return found


@pytest.fixture
def difference(link: Link, nodes: list[Node]) -> RowDifference:
    """A row that has another total on the second node."""
    comparison = TableComparison.objects.create(
        link=link,
        actor="olaf",
        state=State.FINISHED,
        node_ids=[node.pk for node in nodes],
        rows_per_s=1000,
        busy_percent=20,
        started_at=timezone.now(),
    )
    table = ComparedTable.objects.create(comparison=comparison, name="shop.orders", shape=shape_to_json(SHAPE))
    return RowDifference.objects.create(
        table=table,
        node_id=nodes[1].pk,
        node=nodes[1].name,
        apart="different",
        is_confirmed=True,
        key=[7],
        reference=[7, 70],
        held=[7, 71],
        found_at=timezone.now(),
    )


@pytest.fixture
def logs(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, Any]]:
    """Both logs hold one change, to 70; what was asked of them."""
    asked: list[tuple[str, Any]] = []

    def read(
        _gateway: object, node_id: str, table: str, key: Row, found: Row | None, start: FilePosition
    ) -> RowHistory:
        asked.append((node_id, (table, dict(key), found, str(start))))
        history = RowHistory(found)
        history.add(CHANGE, {"id": 7, "total": 5}, {"id": 7, "total": 70})
        return history

    monkeypatch.setattr(row_writers, "read_row_history", read)
    return asked


def path(difference: RowDifference, **asked: Any) -> str:
    query = "&".join(f"{name}={value}" for name, value in {"difference": difference.pk, **asked}.items())
    return f"/table-comparisons/{difference.table.comparison_id}/row-writers?{query}"


def test_row__logged_on_one_node_alone__the_other_is_said_to_be_changed_without_a_log(
    operator: Caller, difference: RowDifference, logs: Any, nodes: list[Node]
) -> None:
    answer = operator.get(path(difference))
    assert answer.status == 200, answer.body
    reference, held = answer.body["results"]
    assert (reference["node"], reference["is_as_logged"]) == (nodes[0].name, True)
    assert (reference["writer"]["gtid"], reference["writer"]["operation"]) == ("0-11-57", "update")
    assert (held["is_as_logged"], held["writer"], held["last"]["position"]) == (False, None, 800)
    assert "a session with sql_log_bin=0" in held["sentence"]
    assert dict(logs)[nodes[1].pk] == ("shop.orders", {"id": 7}, {"id": 7, "total": 71}, "binlog.000007:400")
    facts = AuditRecord.objects.get(action="api:table_comparison:writers").facts
    assert facts == {"table": "shop.orders", "difference": difference.pk, "hours": 1}


def test_row__missing_on_the_node__its_absence_is_what_was_found(
    operator: Caller, difference: RowDifference, logs: Any
) -> None:
    RowDifference.objects.update(apart="missing", held=None)
    held = operator.get(path(difference)).body["results"][1]
    assert (held["is_as_logged"], held["changes"]) == (False, 1)


def test_row__gone_when_its_values_were_read__nothing_is_concluded(
    operator: Caller, difference: RowDifference, logs: Any
) -> None:
    RowDifference.objects.update(held=None)
    held = operator.get(path(difference)).body["results"][1]
    assert (held["is_as_logged"], held["writer"]) == (None, None)
    assert held["sentence"] == "Unknown: the row was gone when its values were read."


def test_log__that_cannot_be_read__unknown_with_the_reason(
    operator: Caller, difference: RowDifference, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise NodeError("db-a1", "the binary log cannot be read: purged", code=1236)

    monkeypatch.setattr(row_writers, "read_row_history", fails)
    for told in operator.get(path(difference)).body["results"]:
        assert told["is_as_logged"] is None
        assert "purged" in told["sentence"]


def test_log__never_sampled__unknown(operator: Caller, difference: RowDifference, logs: Any) -> None:
    Checkpoint.objects.all().delete()
    assert {told["is_as_logged"] for told in operator.get(path(difference)).body["results"]} == {None}
    assert logs == []


def test_writers__of_a_viewer_a_strange_row_or_one_without_a_key__refused(
    operator: Caller, viewer: Caller, difference: RowDifference, logs: Any
) -> None:
    assert viewer.get(path(difference)).status == 403
    assert operator.get(path(difference, hours=999)).status == 400
    RowDifference.objects.update(key=None)
    assert operator.get(path(difference)).status == 404
    assert logs == []
