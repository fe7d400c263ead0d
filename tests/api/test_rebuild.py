"""Reprotect by a rebuild over HTTP: forms of the backup's position, the guide, and what a person must accept."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from backend.clusters.models import Link
from backend.core.link_facts import Divergence
from backend.monitoring import link_roles
from tests.support.console import Caller

UUID = "9e9b05df-e5ad-11f1-9d3c-6fc4ac82a512"


@pytest.fixture
def lost(link: Link) -> Link:
    """Side a was lost and failed over from; b accepts writes."""
    divergence = Divergence(
        link.active_cluster_id, link.standby_cluster_id, UUID, timezone.now().timestamp(), run_id="r_aaaaaaaaaaaa"
    )
    link_roles.record_divergence(link.id, divergence)
    link_roles.set_roles(link.id, link.standby_cluster_id, link.active_cluster_id)
    return Link.objects.get(pk=link.id)


def ask(caller: Caller, link: Link, **options: Any) -> Any:
    body = {"kind": "reprotect", "reason": "drill", "options": {"orphans": "rebuild", **options}}
    return caller.post(f"/links/{link.id}/plans", body)


@pytest.mark.parametrize(
    "bad",
    ["", "binlog.000002", "binlog.000002:395 x", "395", "binlog 395", "binlog.000002 3", f"{UUID}", f"{UUID}:-1",
     "zz9b05df-e5ad-11f1-9d3c-6fc4ac82a512:7", "binlog.000002 395; rm", "binlog.000002\n395\n7", 395],
)  # fmt: skip
def test_plan__backup_position_of_a_bad_form__400_naming_field_and_form(operator: Caller, lost: Link, bad: Any) -> None:
    answer = ask(operator, lost, backup_position=bad)
    assert (answer.status, answer.body["errors"][0]["field"]) == (400, "options.backup_position")


@pytest.mark.parametrize(
    ("decision", "field"),
    [
        ({"table": "shop.t", "decision": "keep"}, "decision"),
        ({"table": "shop.t"}, "decision"),
        ({"decision": "leave_out"}, "table"),
        ({"table": "shop.t", "decision": "leave_out", "row": "id 1"}, "row"),
        ({"table": "shop.t", "decision": "leave_out", "rows": []}, "rows"),
    ],
)
def test_plan__conflict_decision_of_a_bad_form__400_naming_the_field(
    operator: Caller, lost: Link, decision: dict[str, Any], field: str
) -> None:
    answer = ask(operator, lost, conflict_decisions=[decision])
    assert answer.status == 400
    assert f"conflict_decisions.0.{field}" in answer.body["errors"][0]["field"], answer.body


def test_plan__backup_position_that_is_none__the_form_is_named(operator: Caller, lost: Link) -> None:
    answer = ask(operator, lost, backup_position="the newest one")
    assert "FILE OFFSET of xtrabackup_binlog_info" in answer.body["errors"][0]["message"]


BOTH = f"binlog.000002\t395\t0-21-7\n{UUID}:150 0\n"


@pytest.mark.parametrize(
    "good", ["binlog.000002\t395\t0-21-7", "binlog.000002 395", f"{UUID}:150 0\n", f"{UUID}:150", BOTH]
)
def test_plan__backup_position_as_it_stands_in_the_file__taken(operator: Caller, lost: Link, good: str) -> None:
    answer = ask(operator, lost, backup_position=good)
    assert (answer.status, answer.body["state"]) == (201, "refused")


def test_plan__side_still_away__refused_with_the_guide(operator: Caller, lost: Link) -> None:
    plan = ask(operator, lost).body
    found = {finding["code"]: finding for finding in plan["findings"]}
    assert found["rebuild_by_hand"]["severity"] == "blocker"
    assert found["orphans_unknown"]["severity"] == "unknown"
    guide = plan["situation"]["guide"]
    assert [step["node"] for step in guide] == [
        "payments-a1, payments-a2", "payments-b1", "payments-a1", "payments-a2",
    ]  # fmt: skip
    assert any("mariadb-backup --backup --galera-info" in command for command in guide[1]["commands"])
    assert any("127.0.71.11:" in command for command in guide[2]["commands"])
    assert "Check that payments-a1 has the same" in guide[2]["note"]
    copied = operator.get(f"/links/{lost.id}").body["divergence"]["copied_nodes"]
    assert [(one["node"], one["state"], one["is_done"]) for one in copied] == [
        ("payments-a1", "unknown", False), ("payments-a2", "unknown", False),
    ]  # fmt: skip
    assert plan["loss"]["transactions"] is None
    assert operator.get(f"/plans/{plan['id']}").body["situation"]["guide"] == guide


def test_plan__loss_accepted__said_as_a_warning(operator: Caller, lost: Link) -> None:
    plan = ask(operator, lost, accept_loss=True).body
    severities = {finding["code"]: finding["severity"] for finding in plan["findings"]}
    assert severities["orphans_unknown"] == "warning"
    assert plan["state"] == "refused"


def test_plan__other_ways__no_guide(operator: Caller, lost: Link) -> None:
    assert "guide" not in ask(operator, lost, orphans="attach").body["situation"]
