"""No host, user, password or value of a statement is in a recording; what the dialects read of it stays."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.core.dialects import VARIABLES_QUERY, dialect_to_watch
from backend.core.dialects.mariadb.names import VARIABLES as OF_MARIADB
from backend.core.dialects.mysql.names import VARIABLES as OF_MYSQL
from backend.core.ports import Row
from backend.core.recording.columns import Rule, rule_of
from backend.core.recording.event_texts import EventTexts
from backend.core.recording.folder import Recorded, files_of
from backend.core.recording.redaction import REMOVED, Redaction
from backend.core.recording.stand_ins import StandIns
from backend.core.recording.text_form import text_of
from tests.core.builders.examples import examples
from tests.core.dialects.recorded import read, rows

SERVER = "mysql-9.7.4"
_LETTERS = "zqZQ0189_$'\"\\`-. ;#/*@é\t\n"
_secret = st.text(_LETTERS, max_size=8).map(lambda text: f"zqx{text}xqz")
_host = st.text("zq019.-", max_size=8).map(lambda text: f"zqh{text}hqz")
_user = st.text("zq019_.-", max_size=8).map(lambda text: f"zqu{text}uqz")


def _written(answers: Mapping[str, Sequence[Row]], redaction: Redaction) -> str:
    files = files_of(Recorded("mysql", "9.7.4-2", answers), redaction, {})
    return "".join(files.values())


def _quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "''") + "'"


def _answers(host: str, user: str, secret: str) -> dict[str, list[Row]]:
    """The recorded ones, with the three wherever a server shows one."""
    channel = {**rows(SERVER, "replica_status")[0], "Source_Host": host, "Source_User": user}
    channel |= {"Last_IO_Error": f"error connecting to source '{user}@{host}:3306' {secret}", "Of_Later": secret}
    channel |= {"Replica_IO_State": f"Reconnecting to {host}", "Relay_Log_File": f"{host}-relay-bin.000003"}
    settings = {**rows(SERVER, "channel_settings")[0], "HOST": host, "USER": user, "SSL_KEY": f"/etc/{secret}.pem"}
    settings |= {"PRIVILEGE_CHECKS_USER": f"'{user}'@'{host}'"}
    event = {"Log_name": f"{host}-bin.000002", "Pos": 4, "Event_type": "Query", "Server_id": 1, "End_log_pos": 9}
    texts = (
        f"use `zqn`; INSERT INTO t VALUES ({_quoted(secret)}, 17, 0x1F) /* xid=8 */",
        f"CREATE USER {_quoted(user)}@{_quoted(host)} IDENTIFIED WITH 'x' AS {_quoted(secret)}",
        f"CREATE DEFINER=`{user}`@`{host}` PROCEDURE p() SELECT {_quoted(secret)}",
        f"SET PASSWORD FOR {user}@{host} = {_quoted(secret)}",
        f"UPDATE t SET a = {_quoted(secret)} -- {secret}",
    )
    return {
        "variables": [
            *rows(SERVER, "variables"),
            {"Variable_name": "hostname", "Value": host},
            {
                "Variable_name": "wsrep_provider_options",
                "Value": f"base_host = {host}; gcache.size = 128M; a.b = /{secret}",
            },
            {"Variable_name": "added_later", "Value": secret},
        ],
        "status": [{"Variable_name": "wsrep_incoming_addresses", "Value": f"{host}:3306,,[::1]:3306"}],
        "channels": [channel],
        "channel_settings": [settings],
        "binlog_files": [{"Log_name": f"{host}-bin.000002", "File_size": 9}],
        "binlog_events": [event | {"Info": text} for text in texts],
    }


@examples(60)
@given(host=_host, user=_user, secret=_secret, keeps_names=st.booleans(), replaces_uuids=st.booleans())
def test_files__host_user_and_secret_anywhere__in_none(
    host: str, user: str, secret: str, keeps_names: bool, replaces_uuids: bool
) -> None:
    redaction = Redaction(hosts=[], users=[], keeps_names=keeps_names, replaces_uuids=replaces_uuids)
    written = _written(_answers(host, user, secret), redaction).lower()
    for mark in ("zqh", "hqz", "zqu", "uqz", "zqx", "xqz"):
        assert mark not in written


@given(text=st.text(_LETTERS + "aT"), kind=st.sampled_from(["Query", "Rows_query", "Annotate_rows", "User_var"]))
def test_event_text__anything__no_word_of_it_without_names(text: str, kind: str) -> None:
    shown = EventTexts(StandIns(), keeps_names=False).redacted(kind, f"x {text}zqx")
    assert "zq" not in shown.lower()


@pytest.mark.parametrize(
    ("info", "shown"),
    [
        ("BEGIN", "BEGIN"),
        ("BEGIN GTID 1-11-20 cid=4", "BEGIN GTID 1-11-20 cid=4"),
        ("COMMIT /* xid=12 */", "COMMIT /* xid=12 */"),
        ("SET @@SESSION.GTID_NEXT= '57e801c0-e9a7-11f1-a3b8-02fc00000001:blue:1'", None),
        ("Server ver: 9.7.4-2, Binlog ver: 4", None),
        ("compression='ZSTD', decompressed_size=214 bytes", None),
        ("table_id: 109 flags: STMT_END_F USE_SQL_FOREIGN_KEY_F", None),
        ("table_id: 109 (bank.t)", "table_id: 109 (name_1.name_2)"),
        (
            "use `bank`; create table t (id int) /* xid=15 */",
            "use `name_1`; create table name_2 (name_3 int) /* xid=15 */",
        ),
        ("XA PREPARE X'7831',X'',1", "XA PREPARE name_1?,name_1?,?"),
        ("# DELETE FROM t WHERE a = 'x'", "# DELETE FROM name_1 WHERE name_2 = ?"),
    ],
)
def test_event_text__known_form__shape_kept(info: str, shown: str | None) -> None:
    assert EventTexts(StandIns(), keeps_names=False).redacted("Query", info) == (info if shown is None else shown)


def test_event_text__names_kept__literals_and_accounts_are_not() -> None:
    texts = EventTexts(StandIns(), keeps_names=True)
    assert texts.redacted("Query", "INSERT INTO bank.t VALUES ('x', 7)") == "INSERT INTO bank.t VALUES (?, ?)"
    assert texts.redacted("Table_map", "table_id: 109 (bank.t)") == "table_id: 109 (bank.t)"
    assert "repl" not in texts.redacted("Query", "GRANT SELECT ON bank.t TO repl")


def test_redaction__same_host__same_stand_in_in_every_answer() -> None:
    answers = Redaction(hosts=["db-a1"], users=[]).answers(_answers("db-a1", "repl", "x"))
    assert answers["channels"][0]["Source_Host"] == answers["channel_settings"][0]["HOST"] == "host-1"
    assert answers["channels"][0]["Replica_IO_State"] == "Reconnecting to host-1"
    assert answers["status"][0]["Value"] == "host-1:3306,,host-2:3306"
    assert answers["channel_settings"][0]["PRIVILEGE_CHECKS_USER"] == "'user-1'@'host-1'"
    assert answers["variables"][-2]["Value"] == f"base_host = {REMOVED}; gcache.size = 128M; a.b = {REMOVED}"


def test_redaction__uuids__kept_or_replaced_alike() -> None:
    uuid = str(rows(SERVER, "replica_status")[0]["Source_UUID"])
    unchanged = _written(_answers("h", "u", "x"), Redaction(hosts=[], users=[]))
    replaced = _written(_answers("h", "u", "x"), Redaction(hosts=[], users=[], replaces_uuids=True))
    assert uuid in unchanged
    assert uuid not in replaced
    assert "00000000-0000-0000-0000-000000000001:1-20:blue:1" in replaced


def test_files__recorded_answers__dialect_reads_the_same_facts() -> None:
    answers = {
        "variables": rows(SERVER, "variables"),
        "channels": rows(SERVER, "replica_status"),
        "channel_settings": rows(SERVER, "channel_settings"),
        "binlog_files": rows(SERVER, "binlog_files"),
    }
    files = files_of(Recorded("mysql", "9.7.4-2", answers, {"binlog_end": 1227}), Redaction(hosts=[], users=[]), {})
    dialect = dialect_to_watch("mysql", "9.7.4")
    back = {name: read(files[f"{name}.tsv"]) for name in answers}
    (before,) = dialect.parse_channels(answers["channels"], answers["channel_settings"])
    (after,) = dialect.parse_channels(back["channels"], back["channel_settings"])
    assert (after.exec_offset, after.retrieved_gtids) == (before.exec_offset, before.retrieved_gtids)
    assert dialect.settings_of(after) == dialect.settings_of(before)
    about = json.loads(files["about.json"])
    assert about["answers"][0] == {"file": "variables.tsv", "statement": VARIABLES_QUERY, "rows": 43}
    assert {"statement": "SHOW BINARY LOG STATUS", "error": 1227} in about["answers"]


_field = st.text("aN\t\n\r\0\\\x0b\x85 ", max_size=5)


@given(st.lists(st.fixed_dictionaries({"a": st.none() | _field, "b": _field}), min_size=1, max_size=3))
def test_text_of__any_values__read_back(answer: list[Row]) -> None:
    assert read(text_of(answer)) == answer


def test_rules__settings_that_a_poll_asks_for__no_host_or_path_among_the_kept() -> None:
    verbatim = [name for name in (*OF_MARIADB, *OF_MYSQL) if rule_of(name) is Rule.KEPT]
    assert not [
        name for name in verbatim if any(word in name for word in ("host", "dir", "path", "name", "user", "address"))
    ]
