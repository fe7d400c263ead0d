"""What a binary log can hold: one small load of each kind, and what a search must say where it stands at the seam."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class By(StrEnum):
    """The node that a load is written through: the channel's source, the node that is to take its place, or a third."""

    SOURCE = "source"
    CANDIDATE = "candidate"
    THIRD = "third"


PROVEN = ""
NOT_PROVEN = "position_not_proven"


@dataclass(frozen=True)
class Kind:
    """A load and its outcome: the code of the refusal (PROVEN: none) and what its sentence says.

    `tables` exist everywhere before; `load` runs in one session, with `{n}` for the number of the repetition.
    `restore` undoes settings.
    """

    name: str
    by: By
    tables: tuple[str, ...]
    load: tuple[str, ...]
    outcome: str = PROVEN
    says: tuple[str, ...] = ()
    restore: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """Its id as a test."""
        return f"{self.name}-{self.by}"


_PLAIN = "CREATE TABLE bank.k_plain (id INT AUTO_INCREMENT PRIMARY KEY, v VARCHAR(300), w TEXT)"
_INSERT = "INSERT INTO bank.k_plain (v, w) VALUES ('{n}', REPEAT('w', 150))"
_SIZES = "binlog_row_image or binlog-row-event-max-size may have differed"
_OTHER_CHANGE = "tables, kind of change or origin"


def _proven(name: str, tables: tuple[str, ...], load: tuple[str, ...], **more: object) -> Kind:
    """The hardest case: the writer's own log is the one that is searched."""
    return Kind(name, By.CANDIDATE, tables, load, **more)  # type: ignore[arg-type]


def _only_from_another(
    name: str, tables: tuple[str, ...], load: tuple[str, ...], *says: str, **more: object
) -> tuple[Kind, Kind]:
    """Refused where the writer's own log is searched, proven in any other."""
    return (
        Kind(name, By.CANDIDATE, tables, load, NOT_PROVEN, says, **more),  # type: ignore[arg-type]
        Kind(name, By.THIRD, tables, load, **more),  # type: ignore[arg-type]
    )


KINDS: tuple[Kind, ...] = (
    _proven("plain", (_PLAIN,), (_INSERT, "UPDATE bank.k_plain SET v = 'y' WHERE v = '{n}'")),
    _proven(
        "trigger",
        (
            _PLAIN,
            "CREATE TABLE bank.k_log (id INT AUTO_INCREMENT PRIMARY KEY, o INT)",
            (
                "CREATE TRIGGER bank.k_ai AFTER INSERT ON bank.k_plain FOR EACH ROW"
                " INSERT INTO bank.k_log (o) VALUES (NEW.id)"
            ),
        ),
        (_INSERT,),
    ),
    _proven(
        "event",
        (_PLAIN,),
        (
            "SET GLOBAL event_scheduler = ON",
            (
                "CREATE OR REPLACE EVENT bank.k_event ON SCHEDULE EVERY 1 SECOND"
                " ENDS CURRENT_TIMESTAMP + INTERVAL 2 SECOND DO INSERT INTO bank.k_plain (v) VALUES ('event')"
            ),
            "DO SLEEP(4)",
        ),
        restore=("SET GLOBAL event_scheduler = OFF",),
    ),
    _proven(
        "routine",
        (_PLAIN, "CREATE PROCEDURE bank.k_add() INSERT INTO bank.k_plain (v) VALUES ('routine')"),
        ("CALL bank.k_add()",),
    ),
    _proven(
        "temporary",
        (_PLAIN,),
        (
            "CREATE TEMPORARY TABLE bank.k_tmp (v VARCHAR(30))",
            "INSERT INTO bank.k_tmp VALUES ('{n}')",
            "INSERT INTO bank.k_plain (v) SELECT v FROM bank.k_tmp",
            "DROP TEMPORARY TABLE bank.k_tmp",
        ),
    ),
    _proven(
        "sequence",
        (
            "CREATE SEQUENCE bank.k_seq START WITH 1 INCREMENT BY 1 NOCACHE",
            "CREATE TABLE bank.k_numbered (id BIGINT DEFAULT NEXT VALUE FOR bank.k_seq PRIMARY KEY, v INT)",
            _PLAIN,
        ),
        (
            "SELECT NEXT VALUE FOR bank.k_seq",
            "INSERT INTO bank.k_numbered (v) VALUES ({n}), ({n})",
            "BEGIN",
            "INSERT INTO bank.k_numbered (v) VALUES ({n})",
            _INSERT,
            "INSERT INTO bank.k_numbered (v) VALUES ({n})",
            "COMMIT",
        ),
    ),
    _proven("sequence_set", ("CREATE SEQUENCE bank.k_seq NOCACHE",), ("SELECT SETVAL(bank.k_seq, 5{n})",)),
    _proven(
        "streaming",
        (_PLAIN,),
        (
            "SET SESSION wsrep_trx_fragment_unit = 'rows', wsrep_trx_fragment_size = 2",
            "BEGIN",
            _INSERT,
            "INSERT INTO bank.k_plain (v) VALUES ('a'), ('b'), ('c'), ('d'), ('e')",
            "COMMIT",
        ),
    ),
    _proven(
        "streaming_rolled_back",
        (_PLAIN,),
        (
            _INSERT,
            "SET SESSION wsrep_trx_fragment_unit = 'rows', wsrep_trx_fragment_size = 1",
            "BEGIN",
            "INSERT INTO bank.k_plain (v) VALUES ('a'), ('b')",
            "ROLLBACK",
            "SET SESSION wsrep_trx_fragment_size = 0",
        ),
    ),
    _proven(
        "skipped_ddl",
        (_PLAIN,),
        (_INSERT, "DROP TABLE IF EXISTS bank.k_absent", "CREATE DATABASE IF NOT EXISTS bank", "FLUSH TABLES"),
    ),
    _proven("ctas", (), ("CREATE TABLE bank.k_copy{n} (id INT PRIMARY KEY) AS SELECT 1 AS id, 'x' AS v",)),
    _proven("truncate", (_PLAIN,), (_INSERT, "TRUNCATE bank.k_plain", "ANALYZE TABLE bank.k_plain")),
    _proven(
        "compressed",
        (_PLAIN,),
        ("SET GLOBAL log_bin_compress = ON", "INSERT INTO bank.k_plain (w) VALUES (REPEAT('c', 2000))"),
        restore=("SET GLOBAL log_bin_compress = OFF",),
    ),
    *_only_from_another(
        "row_image_minimal",
        (_PLAIN,),
        ("SET SESSION binlog_row_image = MINIMAL", _INSERT, "UPDATE bank.k_plain SET v = 'y' WHERE v = '{n}'"),
        _SIZES,
    ),
    *_only_from_another(
        "row_image_noblob",
        (_PLAIN,),
        ("SET SESSION binlog_row_image = NOBLOB", _INSERT, "UPDATE bank.k_plain SET v = 'y' WHERE v = '{n}'"),
        _SIZES,
    ),
    *_only_from_another(
        "format_statement",
        (_PLAIN,),
        ("SET SESSION binlog_format = STATEMENT", "SET @u = 'u'", "INSERT INTO bank.k_plain (v) VALUES (@u)"),
        _OTHER_CHANGE,
    ),
    *_only_from_another(
        "ddl_not_logged",
        (_PLAIN,),
        (_INSERT, "SET sql_log_bin = 0", "ALTER TABLE bank.k_plain COMMENT '{n}'", "SET sql_log_bin = 1"),
    ),
    *_only_from_another(
        "myisam",
        (_PLAIN, "CREATE TABLE bank.k_myisam (id INT AUTO_INCREMENT PRIMARY KEY) ENGINE=MyISAM"),
        (_INSERT, "INSERT INTO bank.k_myisam VALUES ()"),
        "bank.k_myisam (MyISAM)",
    ),
    *_only_from_another(
        "aria",
        (_PLAIN, "CREATE TABLE bank.k_aria (id INT AUTO_INCREMENT PRIMARY KEY) ENGINE=Aria"),
        (_INSERT, "INSERT INTO bank.k_aria VALUES ()"),
        "bank.k_aria (Aria)",
    ),
    Kind(
        "myisam",
        By.SOURCE,
        (_PLAIN, "CREATE TABLE bank.k_myisam (id INT AUTO_INCREMENT PRIMARY KEY) ENGINE=MyISAM"),
        (_INSERT, "INSERT INTO bank.k_myisam VALUES ()"),
        NOT_PROVEN,
        ("bank.k_myisam (MyISAM)",),
    ),
    *(
        Kind(
            "rolling_schema_upgrade",
            by,
            (_PLAIN,),
            (_INSERT, "SET SESSION wsrep_OSU_method = RSU", "ALTER TABLE bank.k_plain COMMENT '{n}'"),
            NOT_PROVEN,
        )
        for by in (By.SOURCE, By.CANDIDATE)
    ),
    Kind(
        "rolling_schema_upgrade",
        By.THIRD,
        (_PLAIN,),
        (_INSERT, "SET SESSION wsrep_OSU_method = RSU", "ALTER TABLE bank.k_plain COMMENT '{n}'"),
    ),
)
