"""Rows that servers' errors quote: left out of every text whose reader may not look rows up."""

from __future__ import annotations

import json
import logging
import logging.config
import sys

import pytest
from django.conf import settings

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
    (
        "error 1062: Doppelter Eintrag 'O'Neil' für Schlüssel 'PRIMARY'",
        "error 1062: Doppelter Eintrag '***",
    ),
    (
        "Write_rows_v1 event on table a.b; Doppelter Eintrag 'x, Error_code: 1' für Schlüssel 'k', Error_code: 1062; x",
        "Write_rows_v1 event on table a.b; Doppelter Eintrag '***, Error_code: 1062; x",
    ),
    (
        "Error 'Doppelter Eintrag '1' für Schlüssel 1' on query. Default database: 'a'. Query: 'INSERT'",
        "Error 'Doppelter Eintrag '***",
    ),
    ("(1062, \"Doppelter Eintrag '1' für Schlüssel 1\")", "(1062, \"Doppelter Eintrag '***"),
    ("Warning 1292: Falscher DOUBLE-Wert: 'x'\nthen", "Warning 1292: Falscher DOUBLE-Wert: '***"),
    ("error 1064: You have an error; near 'x' at line 1", "error 1064: You have an error; near '***"),
    ("error 1526: Tabelle hat für den Wert 4711 keine Partition", "error 1526: ***"),
    ("error 1644: customer Alice is not welcome", "error 1644: ***"),
    ("error 1300: Invalid utf8mb4 character string: '\\xE4'", "error 1300: Invalid utf8mb4 character string: '***"),
    ("BIGINT UNSIGNED value is out of range in '(7 - 8)'", "BIGINT UNSIGNED value is out of range in '***"),
    ("Table has no partition for value 4711", "Table has no partition for value ***"),
    (
        "error 1045: Access denied for user 'h'@'10.0.0.1'; error 1062: Doppelt 'x'",
        "error 1045: Access denied for user 'h'@'10.0.0.1'; error 1062: Doppelt '***",
    ),
    (
        "stopped with error 1146: Error 'Table 'a.b' doesn't exist' on query. Default database: 'a'. Query: 'INSERT'",
        "stopped with error 1146: Error 'Table 'a.b' doesn't exist' on query. Default database: 'a'. Query: '***",
    ),
    (
        "error 1236: 'log.7'; event on table a.b; Can't find 'b', Error_code: 1032; Doppelt 'x', Error_code: 1062;",
        "error 1236: 'log.7'; event on table a.b; Can't find '***, Error_code: 1062;",
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


def test_log__errors_with_rows__a_line_without_them() -> None:
    formatter = logging.config.DictConfigurator(settings.LOGGING).configure_formatter(
        settings.LOGGING["formatters"]["structured"]
    )
    try:
        raise ValueError("error 1062: Doppelter Eintrag '4711' für Schlüssel 'PRIMARY'")
    except ValueError:
        record = logging.LogRecord("x", logging.ERROR, "", 1, "a %s", (DUPLICATE.format("'4712'"),), sys.exc_info())
    line = formatter.format(record)
    assert ("Doppelter" in line, "Could not execute" in line) == (True, True)
    assert "471" not in line


def test_audit__error_with_a_row__kept_without_the_row(operator: Caller) -> None:
    """The record is exported, kept for years and read by every user: nothing could be taken out of its chain later."""
    row = DUPLICATE.format("'4711'")
    audit.record(actor="nora", action="worker:run:step_failed", reason=f"stopped: {row}", facts={"outcome": row})
    kept = operator.get("/audit").body["results"][0]
    assert (kept["reason"], kept["facts"]) == (f"stopped: {LEFT_OUT}", {"outcome": LEFT_OUT})
    assert operator.get("/audit/verify").body["ok"]


def test_errors__thousands_in_one_text__each_judged() -> None:
    """As a log that quotes a server's log has them."""
    listed = "Error 1146: Table 'bank.t' doesn't exist; " * 3_000
    assert redact_rows(listed) == listed
    assert (
        redact_rows(f"{listed}Error 1062: Doppelter Eintrag 'alice'") == f"{listed}Error 1062: Doppelter Eintrag '***"
    )
