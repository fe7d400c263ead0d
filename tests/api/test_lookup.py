"""Lookups over HTTP and at the shell: what is asked, what is shown and to whom, and that looking is recorded."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from backend.audit.models import AuditRecord
from backend.clusters.models import Link
from backend.core.link_facts import LinkFacts
from backend.core.lookup.model import NodeAnswer, NodeState
from backend.core.lookup.search import NodeQuestion, search_node
from backend.core.positions import FilePosition
from backend.gateway.transaction_rows import TransactionRows
from backend.monitoring.models import Checkpoint
from backend.transactions.lookup import services
from tests.core.builders.orphan_worlds import KEYED, insert, row
from tests.fakes.dumped_log import FakeDumpedLog, Written
from tests.support.console import Caller

SECRET = "CREATE USER u IDENTIFIED BY PASSWORD '*6BB4837EB74329105EE4568DDA7DC67ED2CA2AD9'"
AT = 1_800_000_000


def active_log() -> FakeDumpedLog:
    """Three transactions, one about an account."""
    log = FakeDumpedLog(began_s=AT - 1_000)
    log.write(Written(11, AT, 1, xid=70, text="INSERT INTO orders VALUES (1)"))
    log.write(Written(11, AT + 5, 2, statement=SECRET))
    log.write(Written(11, AT + 9, 3, xid=71, text="UPDATE orders SET a = 2", value=5))
    return log


@pytest.fixture
def logged(monkeypatch: pytest.MonkeyPatch, link: Link) -> FakeDumpedLog:
    """The first active node has a log, all others are down."""
    log = active_log()
    holder = link.active_cluster.nodes.all()[0].pk

    def node_search(gateway: object, facts: LinkFacts, sample_before: object) -> Any:
        def search(questions: Mapping[str, NodeQuestion]) -> Sequence[NodeAnswer]:
            return [one(node_id, asked) for node_id, asked in questions.items()]

        def one(node_id: str, asked: NodeQuestion) -> NodeAnswer:
            node = facts.node(node_id).node
            if node_id == holder:
                return search_node(log, node, asked, lambda: 0.0)
            return NodeAnswer(node_id, node.cluster_id, NodeState.UNKNOWN, "node_unreachable", f"{node.name} is down.")

        return search

    monkeypatch.setattr(services, "node_search", node_search)
    return log


def test_lookup__xid__place_neighbours_and_unknown_elsewhere(
    operator: Caller, link: Link, logged: FakeDumpedLog
) -> None:
    cluster = link.active_cluster
    body = operator.get(f"/links/{link.id}/lookup?xid=70&cluster={cluster.name}").body
    (found,) = body["transactions"]
    first, *down = found["nodes"]
    assert (found["at"], found["rows"], found["tables"]) == ("2027-01-15T08:00:00Z", 1, ["shop.orders"])
    assert (first["location"]["file"], first["location"]["xid"], first["location"]["gtid"]) == (
        "binlog.000001",
        70,
        "0-11-1",
    )
    assert first["location"]["before"] == {"state": "log_start", "transaction": None}
    assert first["location"]["after"]["transaction"]["gtid"] == "0-11-2"
    assert {one["state"] for one in down} == {"unknown"}
    assert [side["held"] for side in found["sides"]] == ["yes", "unknown"]
    assert body["next"] is None
    assert body["limits"] == {"bytes": 64 * 2**20, "seconds": 10.0, "transactions": 50}


def test_lookup__statement_about_an_account__shown_and_searched_without_its_hash(
    operator: Caller, link: Link, logged: FakeDumpedLog
) -> None:
    (found,) = operator.get(f"/links/{link.id}/lookup?text=create%20user").body["transactions"]
    assert found["statement"] == "use `shop`; CREATE USER u IDENTIFIED BY PASSWORD '***'"
    assert "6BB4837" not in json.dumps(found)
    assert operator.get(f"/links/{link.id}/lookup?text=6BB4837EB").body["transactions"] == []


def test_lookup__limit__continued_with_its_cursor_and_no_other_criteria(
    operator: Caller, link: Link, logged: FakeDumpedLog
) -> None:
    path = f"/links/{link.id}/lookup?table=shop.orders&limit=1"
    page = operator.get(path).body
    rest = operator.get(f"{path}&cursor={page['next']}").body
    assert [page["transactions"][0]["summary"], rest["transactions"][0]["summary"]] == ["insert orders"] * 2
    assert (page["nodes"][0]["stopped_by"], rest["next"]) == ("match_limit", None)
    answer = operator.get(f"/links/{link.id}/lookup?server_id=11&cursor={page['next']}")
    assert [one["field"] for one in answer.body["errors"]] == ["cursor"]


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("", "xid"),
        ("xid=7", "cluster"),
        ("xid=7&cluster=elsewhere", "cluster"),
        ("xid=-1&cluster=x", "xid"),
        ("gtid=0-11", "gtid"),
        ("file=binlog.000001&position=4", "node"),
        ("file=binlog.000001", "position"),
        ("position=4&text=abc", "file"),
        ("table=orders", "table"),
        ("text=ab", "text"),
        ("since=yesterday", "since"),
        ("since=2026-01-02T00:00:00Z&until=2026-01-01T00:00:00Z", "until"),
        ("server_id=1&node=elsewhere", "node"),
        ("server_id=1&limit_s=600", "limit_s"),
        ("server_id=1&cursor=abc", "cursor"),
    ],
)
def test_lookup__bad_criteria__400_names_the_field(operator: Caller, link: Link, query: str, field: str) -> None:
    answer = operator.get(f"/links/{link.id}/lookup?{query}")
    assert answer.status == 400
    assert [one["field"] for one in answer.body["errors"]] == [field]


def test_lookup__no_node_answers__unknown_with_a_reason(operator: Caller, link: Link) -> None:
    body = operator.get(f"/links/{link.id}/lookup?gtid=0-11-5").body
    assert body["transactions"] == []
    assert {(one["state"], one["code"]) for one in body["nodes"]} == {("unknown", "node_unreachable")}
    assert "is not responding" in body["nodes"][0]["detail"]


def test_lookup__recorded__without_the_text(operator: Caller, link: Link, logged: FakeDumpedLog) -> None:
    operator.get(f"/links/{link.id}/lookup?text=VALUES%20(1)&server_id=11")
    record = AuditRecord.objects.get(action="api:lookup:search")
    assert record.facts == {"criteria": {"server_id": "11", "text": "(given)"}, "transactions": 1}


def test_lookup__viewer__sees_no_business_data(viewer: Caller, link: Link) -> None:
    assert viewer.get(f"/links/{link.id}/lookup?server_id=11").status == 403
    assert viewer.get(f"/links/{link.id}/lookup/rows?node=x&file=binlog.000001&position=4").status == 403
    assert not AuditRecord.objects.filter(action__startswith="api:lookup").exists()


def test_rows__operator__values_shown_and_the_look_recorded_without_them(
    operator: Caller, link: Link, monkeypatch: pytest.MonkeyPatch
) -> None:
    begins, end = FilePosition("binlog.000001", 256), FilePosition("binlog.000001", 500)
    read = TransactionRows(begins, end, ("shop.keyed",), ((insert(row(1, "ü".encode())), KEYED),), 1)
    monkeypatch.setattr(services, "read_transaction", lambda *_: read)
    node = link.active_cluster.nodes.all()[0]
    body = operator.get(f"/links/{link.id}/lookup/rows?node={node.name}&file=binlog.000001&position=256").body
    assert (body["row_count"], body["rows"][0]["after"]["name"], body["rows"][0]["before"]) == (1, "ü", None)
    record = AuditRecord.objects.get(action="api:lookup:rows")
    assert record.facts == {"position": "binlog.000001:256", "rows": 1, "tables": ["shop.keyed"]}


def test_rows__node_down__says_so(operator: Caller, link: Link) -> None:
    node = link.active_cluster.nodes.all()[0]
    body = operator.get(f"/links/{link.id}/lookup/rows?node={node.name}&file=binlog.000001&position=256").body
    assert (body["row_count"], body["rows"]) == (None, [])
    assert "is not responding" in body["detail"]


def test_sample__latest_one_before_the_time(link: Link) -> None:
    """From there a log is read, instead of from the beginning of its file."""
    node = link.active_cluster.nodes.all()[0]
    for second in (10, 20, 30):
        Checkpoint.objects.create(
            node=node, state_uuid="u", file="binlog.000001", offset=100 + second, seqno=second,
            exact=True, retention_level=2, observed_at=datetime.fromtimestamp(AT + second, UTC),
        )  # fmt: skip
    assert services._sample_before(node.pk, AT + 25) == (FilePosition("binlog.000001", 120), AT + 20)
    assert services._sample_before(node.pk, AT) is None


def shell(*arguments: str) -> str:
    out = io.StringIO()
    call_command("hawser_lookup", *arguments, stdout=out)
    return out.getvalue()


def test_command__text_and_json__the_same_answer(link: Link, logged: FakeDumpedLog) -> None:
    text = shell(link.name, "--gtid", "0-11-3")
    assert "insert orders: 1 row, written" in text
    assert "GTID 0-11-3, Xid 71" in text
    assert "after  none: the log ends here" in text
    assert f"on {link.standby_cluster.name}: unknown." in text
    body = json.loads(shell(link.pk, "--gtid", "0-11-3", "--json"))
    assert body["transactions"][0]["nodes"][0]["location"]["xid"] == 71
    assert AuditRecord.objects.filter(action="cli:lookup:search").count() == 2


def test_command__limit__names_the_way_on(link: Link, logged: FakeDumpedLog) -> None:
    assert "--cursor " in shell(link.name, "--server-id", "11", "--limit", "1")


def test_command__rows__printed(link: Link, logged: FakeDumpedLog, monkeypatch: pytest.MonkeyPatch) -> None:
    begins = FilePosition("binlog.000001", 256)
    read = TransactionRows(begins, begins, ("shop.keyed",), ((insert(row(1, b"a")), KEYED),), 1)
    monkeypatch.setattr(services, "read_transaction", lambda *_: read)
    assert "insert shop.keyed" in shell(link.name, "--gtid", "0-11-3", "--rows")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--xid", "7"), "Name the cluster"),
        (("--xid", "many", "--cluster", "x"), "--xid: A valid integer is required"),
        (("--gtid", "0-11-99"), "No transaction was found"),
        (("--server-id", "11", "--rows"), "--rows needs criteria that one transaction meets"),
    ],
)
def test_command__bad_or_nothing__fails_with_what_to_do(
    link: Link, logged: FakeDumpedLog, arguments: tuple[str, ...], says: str
) -> None:
    with pytest.raises(CommandError, match=says):
        shell(link.name, *arguments)


def test_command__no_such_link__fails(db: None) -> None:
    with pytest.raises(CommandError, match="No link has the name or id nowhere"):
        shell("nowhere", "--xid", "7")
