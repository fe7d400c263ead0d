"""The texts of binlog events without values: of a statement its keywords and shape stay, its literals never do."""

from __future__ import annotations

import re

from backend.core.recording.columns import is_safe
from backend.core.recording.stand_ins import Kind, StandIns

_KEPT = re.compile(
    r"|BEGIN|COMMIT|ROLLBACK|(BEGIN )?GTID \d+-\d+-\d+( cid=\d+)?|COMMIT /\* xid=\d+ \*/|\[[\d,-]*\]"
    r"|Server ver: [\w.~+-]{1,50}, Binlog ver: \d+|table_id: \d+( flags:[A-Z_ ]*)?"
    r"|compression='\w+', decompressed_size=\d+ bytes"
)
_GTID_NEXT = re.compile(r"(?P<before>SET @@SESSION\.GTID_NEXT= ')(?P<gtid>[^']*)(?P<after>')")
_TABLE_MAP = re.compile(r"(?P<head>table_id: \d+ )\((?P<schema>[^.]*)\.(?P<table>.*)\)", re.DOTALL)
_ROTATE = re.compile(r"(?P<file>.*?)(?P<place>(;pos=\d+)?)", re.DOTALL)
_ADDED = re.compile(r"(?P<text>.*?)(?P<added>( /\* xid=\d+ \*/| GTID \d+-\d+-\d+( cid=\d+)?)?)", re.DOTALL)
_TOKEN = re.compile(
    r"(?P<blank>\s+)|(?P<literal>'(?:[^'\\]|''|\\.)*'|\"(?:[^\"\\]|\"\"|\\.)*\"|\d[\w.]*)|`(?P<quoted>(?:[^`]|``)*)`"
    r"|(?P<comment>/\*.*?\*/|--[^\n]*|\#[^\n]*)|(?P<word>[^\W\d]\w*)|(?P<sign>[=<>!(),.;+\-*/%@&|^~:])",
    re.DOTALL,
)
_WORDS = """
    ADD AFTER ALL ALTER ALWAYS AND AS ASC AUTO_INCREMENT BEGIN BETWEEN BIGINT BINARY BLOB BY CASCADE CHANGE CHARACTER
    CHARSET CHECK COLLATE COLUMN COMMENT COMMIT CONSTRAINT CREATE DATABASE DATE DATETIME DECIMAL DEFAULT DELETE DESC
    DOUBLE DROP DUPLICATE END ENGINE EVENT EXISTS FLOAT FOREIGN FROM FUNCTION GENERATED GRANT IDENTIFIED IF IGNORE IN
    INDEX INNODB INSERT INT INTO IS JOIN JSON KEY LIKE LIMIT LONGTEXT MEDIUMTEXT MODIFY NOT NULL ON ONE OR ORDER PHASE
    PARTITION PREPARE PRIMARY PROCEDURE REFERENCES RENAME REPLACE REVOKE ROLLBACK SAVEPOINT SCHEMA SELECT SET SMALLINT
    START STORED TABLE TEXT TIMESTAMP TINYINT TO TRIGGER TRUNCATE UNIQUE UNSIGNED UPDATE USE USER USING VALUES VARCHAR
    VIEW VIRTUAL WHERE WITH XA"""
_KEYWORDS = frozenset(_WORDS.split())
_NAMES_NEVER = re.compile(
    r"[\\@#$\"]|/\*|--|\b(IDENTIFIED|PASSWORD|USER|ROLE|GRANT|REVOKE|SERVER|MASTER|SOURCE|CONNECTION)\b", re.IGNORECASE
)
"""Accounts and connections, and what may be read in two ways: of these no name is kept even where names are."""


class EventTexts:
    """Redacts `Info`."""

    def __init__(self, stand_ins: StandIns, *, keeps_names: bool) -> None:
        self._stand_ins = stand_ins
        self._keeps_names = keeps_names

    def redacted(self, kind: str, info: str) -> str:
        """The text of an event of this type."""
        if _KEPT.fullmatch(info) or is_safe(info):
            return info
        if kind in ("Rotate", "Binlog_checkpoint"):
            found = _ROTATE.fullmatch(info)
            return self._stand_ins.log_file(found["file"]) + found["place"] if found else ""
        table = _TABLE_MAP.fullmatch(info)
        if table:
            return f"{table['head']}({self.name(table['schema'])}.{self.name(table['table'])})"
        gtid = _GTID_NEXT.fullmatch(info)
        if gtid and (is_safe(gtid["gtid"]) or gtid["gtid"] in ("ANONYMOUS", "AUTOMATIC")):
            return info
        return self._statement(info)

    def name(self, text: str) -> str:
        """A schema, table or column."""
        return self._stand_ins.swept(text) if self._keeps_names else self._stand_ins.of(Kind.NAME, text)

    def _statement(self, info: str) -> str:
        found = _ADDED.fullmatch(info)
        text, added = (found["text"], found["added"]) if found else (info, "")
        mark = "# " if text.startswith("# ") else ""
        return mark + self._shape(text.removeprefix("# ")) + added

    def _shape(self, text: str) -> str:
        """Token by token; from one that is none on, nothing."""
        keeps = self._keeps_names and not _NAMES_NEVER.search(text)
        parts, at = [], 0
        while found := _TOKEN.match(text, at):
            parts.append(self._token(found, keeps=keeps))
            at = found.end()
        return "".join(parts) + ("?" if at < len(text) else "")

    def _token(self, found: re.Match[str], *, keeps: bool) -> str:
        kind, text = str(found.lastgroup), found[0]
        if kind in ("literal", "comment"):
            return "?" if kind == "literal" else ""
        if kind in ("blank", "sign"):
            return " " if kind == "blank" else text
        if kind == "word" and text.upper() in _KEYWORDS:
            return text
        bare = text if kind == "word" else found["quoted"]
        shown = self._stand_ins.swept(bare) if keeps else self._stand_ins.of(Kind.NAME, bare)
        return shown if kind == "word" else f"`{shown}`"
