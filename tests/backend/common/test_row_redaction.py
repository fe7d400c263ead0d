"""Rows that servers' errors quote: left out of every text whose reader may not look rows up."""

from __future__ import annotations

import json

import pytest

from backend.audit import services as audit
from backend.clusters.models import Link
from backend.common.events import services as events
from backend.common.row_redaction import redact_rows, redact_rows_in_document
from tests.support.console import Caller

DUPLICATE = (
    "Could not execute Write_rows_v1 event on table shop.customers; Duplicate entry {} for key 'PRIMARY', "
    "Error_code: 1062; handler error HA_ERR_FOUND_DUPP_KEY"
)
LEFT_OUT = DUPLICATE.format("'***'")
CASES = [
    (DUPLICATE.format("'4711'"), LEFT_OUT),
    (DUPLICATE.format("'O'Brien \"x\" \\ for key \n2'"), LEFT_OUT),
    (DUPLICATE.format("'x' for key 'y'"), LEFT_OUT),
    (f"{DUPLICATE} and {DUPLICATE}".format("'a'", "'b' for key 'c'"), f"{LEFT_OUT} and {LEFT_OUT}"),
    ("1062 Duplicate entry '47", "1062 Duplicate entry '***"),
    (
        "Incorrect integer value: 'abc' for column `a`.`b`.`c` at",
        "Incorrect integer value: '***' for column `a`.`b`.`c` at",
    ),
    ("Truncated incorrect DOUBLE value: '12,x'", "Truncated incorrect DOUBLE value: '***"),
    (
        "Error 'Duplicate entry '1' for key 'PRIMARY'' on query. Query: 'INSERT INTO t VALUES (1'",
        "Error 'Duplicate entry '***' for key 'PRIMARY'' on query. Query: '***",
    ),
    ("Error reading packet from server: Lost connection", "Error reading packet from server: Lost connection"),
    ("incorrect checksum value: 7", "incorrect checksum value: 7"),
]


@pytest.mark.parametrize(("message", "redacted"), CASES, ids=range(len(CASES)))
def test_text__of_a_server__told_without_the_row(message: str, redacted: str) -> None:
    assert redact_rows({"error": message, "all": [message], "n": 1}) == {"error": redacted, "all": [redacted], "n": 1}
    assert redact_rows(redacted) == redacted


@pytest.mark.parametrize(("message", "redacted"), CASES, ids=range(len(CASES)))
def test_json__with_that_text__is_the_same_json_without_the_row(message: str, redacted: str) -> None:
    document = json.dumps({"error": message, "then": "kept 'for key"}, ensure_ascii=False)
    assert json.loads(redact_rows_in_document(document.encode(), "application/json")) == {
        "error": redacted,
        "then": "kept 'for key",
    }


def test_document__of_lines__each_is_told_without_its_row() -> None:
    message = "- 1062 Duplicate entry 'a\"b' for key 'PRIMARY'\n- Query: 'DELETE FROM t'\n- kept 'for key'\n"
    redacted = "- 1062 Duplicate entry '***' for key 'PRIMARY'\n- Query: '***\n- kept 'for key'\n"
    assert redact_rows_in_document(message.encode(), "text/markdown; charset=utf-8").decode() == redacted


def test_history__error_with_a_row__viewer_reads_it_without_the_row(
    viewer: Caller, operator: Caller, link: Link
) -> None:
    events.raised(link_id=link.id, kind="channel.stopped", severity="blocker", message=DUPLICATE.format("'4711'"))
    for path in (f"/links/{link.id}/history", f"/links/{link.id}/lag?minutes=10"):
        assert DUPLICATE.format("'4711'") in str(operator.get(path).body), path
        assert LEFT_OUT in str(viewer.get(path).body), path


def test_audit__error_with_a_row__kept_without_the_row(operator: Caller) -> None:
    """The record is exported, kept for years and read by every user: nothing could be taken out of its chain later."""
    audit.record(actor="nora", action="worker:run:step_failed", facts={"outcome": DUPLICATE.format("'4711'")})
    assert "4711" not in str(operator.get("/audit").body["results"][0]["facts"])
    assert operator.get("/audit/verify").body["ok"]
