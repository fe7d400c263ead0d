"""Parses a statement as a table definition change; only forms whose effect and inverse are known exactly.

Grammar: MariaDB Server documentation, CREATE TABLE, CREATE INDEX, ALTER TABLE, DROP TABLE.
"""

from __future__ import annotations

import re

from backend.core.orphans.schema_change import AddedIndex, ChangeKind, SchemaChange
from backend.core.orphans.schema_changes.tokens import Token, UnsupportedChangeError, tokens_of

_USE = re.compile(r"use `((?:[^`]|``)+)`; ", re.DOTALL)
_NOT_OURS = frozenset({"mysql", "information_schema", "performance_schema", "sys", "hawser"})
_INDEX_WORDS = frozenset({"INDEX", "KEY", "UNIQUE", "FULLTEXT", "SPATIAL"})
_IN_A_COLUMN = frozenset({"REFERENCES", "PRIMARY", "AUTO_INCREMENT", "AS", "GENERATED", "ROW", "PERIOD", "ON"})
"""Words that make an added column more than a column, or give existing rows a different value on each node."""
_TYPES = frozenset(
    """TINYINT SMALLINT MEDIUMINT INT INTEGER BIGINT BOOL BOOLEAN BIT DECIMAL DEC NUMERIC FIXED FLOAT DOUBLE REAL
    YEAR DATE TIME DATETIME TIMESTAMP CHAR VARCHAR TINYTEXT TEXT MEDIUMTEXT LONGTEXT JSON BINARY VARBINARY
    TINYBLOB BLOB MEDIUMBLOB LONGBLOB ENUM SET UUID INET4 INET6 GEOMETRY POINT""".split()  # noqa: SIM905 - a list to read
)
_TABLE_OPTIONS = frozenset(
    {
        *("ENGINE", "CHARSET", "COLLATE", "COMMENT", "AUTO_INCREMENT", "ROW_FORMAT", "KEY_BLOCK_SIZE", "CHECKSUM"),
        *("STATS_PERSISTENT", "STATS_AUTO_RECALC", "STATS_SAMPLE_PAGES", "AVG_ROW_LENGTH", "MAX_ROWS", "MIN_ROWS"),
    }
)
_CONSTANTS = frozenset({"NULL", "TRUE", "FALSE"})


def parse_logged(info: str) -> SchemaChange:
    """Parse a DDL as SHOW BINLOG EVENTS shows it, with its `use`; raises UnsupportedChangeError."""
    use = _USE.match(info)
    schema = use[1].replace("``", "`") if use else ""
    return parse_schema_change(info[use.end() :] if use else info, schema)


def parse_schema_change(sql: str, default_schema: str) -> SchemaChange:
    """Parse one statement; raises UnsupportedChangeError."""
    change = _Statement(sql, default_schema).parsed()
    if change.schema.lower() in _NOT_OURS:
        raise UnsupportedChangeError(f"{change.schema} is not an application schema")
    return change


class _Statement:
    """Parses left to right; every method reads what it names and raises UnsupportedChangeError for anything else."""

    def __init__(self, sql: str, default_schema: str) -> None:
        self._sql, self._default_schema = sql, default_schema
        self._tokens = tokens_of(sql)
        self._at = 0

    def parsed(self) -> SchemaChange:
        """Parse the whole statement."""
        if self._take_words("CREATE", "TABLE"):
            return self._create_table()
        if self._take_words("CREATE", "UNIQUE", "INDEX"):
            return self._create_index(is_unique=True)
        if self._take_words("CREATE", "INDEX"):
            return self._create_index(is_unique=False)
        if self._take_words("ALTER", "TABLE"):
            return self._alter_table()
        if self._take_words("DROP", "TABLE"):
            return self._drop_table()
        statement = " ".join(token.text for token in self._tokens[:2])
        raise UnsupportedChangeError(f"{statement} can be neither replayed nor undone")

    def _create_table(self) -> SchemaChange:
        is_conditional = self._take_words("IF", "NOT", "EXISTS")
        schema, table = self._table()
        rest = self._tokens[self._at :]
        if not rest or not (rest[0].text == "(" or rest[0].word == "LIKE"):
            raise UnsupportedChangeError("it creates a table without a list of columns")
        if any(token.word in ("SELECT", "UNION", "VALUES") for token in rest):
            raise UnsupportedChangeError("it creates a table from a query, and the statement does not have the rows")
        if rest[0].text == "(":
            self._skip_columns()
            self._table_options()
        return self._change(ChangeKind.CREATE, schema, table, is_conditional=is_conditional)

    def _skip_columns(self) -> None:
        depth = 0
        while True:
            text = self._peek().text
            depth += (text == "(") - (text == ")")
            self._at += 1
            if not depth:
                return

    def _table_options(self) -> None:
        """Another engine, or a place for its files, reaches out of the database: the statement is a server's word."""
        while self._at < len(self._tokens):
            if self._peek().text == ",":
                self._at += 1
            self._take_words("DEFAULT")
            option = self._peek().word
            is_known = self._take_words("CHARACTER", "SET") or (option in _TABLE_OPTIONS and self._take_words(option))
            if not is_known:
                raise UnsupportedChangeError(f"it creates a table with {self._peek().text}")
            if self._peek().text == "=":
                self._at += 1
            if option == "ENGINE" and self._peek().word != "INNODB":
                raise UnsupportedChangeError(f"it creates a table of the engine {self._peek().text}")
            self._at += 1

    def _create_index(self, *, is_unique: bool) -> SchemaChange:
        self._refuse_condition()
        name = self._name()
        if not self._take_words("ON"):
            raise UnsupportedChangeError("it names an index in an unsupported form")
        schema, table = self._table()
        columns = self._index_columns()
        return self._change(ChangeKind.ADD, schema, table, indexes=(AddedIndex(name, columns, is_unique),))

    def _alter_table(self) -> SchemaChange:
        self._refuse_condition()
        schema, table = self._table()
        columns: list[str] = []
        indexes: list[AddedIndex] = []
        while True:
            self._clause(columns, indexes)
            if self._at == len(self._tokens):
                break
            self._take_sign(",")
        if not columns and not indexes:
            raise UnsupportedChangeError("it adds nothing")
        return self._change(ChangeKind.ADD, schema, table, columns=tuple(columns), indexes=tuple(indexes))

    def _drop_table(self) -> SchemaChange:
        is_conditional = self._take_words("IF", "EXISTS")
        schema, table = self._table()
        if self._at != len(self._tokens):
            raise UnsupportedChangeError("it drops more than one table")
        return self._change(ChangeKind.DROP, schema, table, is_conditional=is_conditional)

    def _clause(self, columns: list[str], indexes: list[AddedIndex]) -> None:
        """Parse one part of an ALTER TABLE, up to the next comma."""
        first = self._peek().word
        if first in ("ALGORITHM", "LOCK"):
            self._at += 1
            if self._peek().text == "=":
                self._at += 1
            self._at += 1
        elif not self._take_words("ADD"):
            raise UnsupportedChangeError(f"it contains {self._peek().text}, which has no exact inverse")
        elif self._peek().word in _INDEX_WORDS | {"CONSTRAINT"}:
            indexes.append(self._added_index())
        else:
            self._take_words("COLUMN")
            self._refuse_condition()
            columns.append(self._name())
            self._column_definition()

    def _added_index(self) -> AddedIndex:
        is_constraint = self._take_words("CONSTRAINT")
        name = self._name() if is_constraint else ""
        is_unique = self._take_words("UNIQUE")
        if is_constraint and not is_unique:
            raise UnsupportedChangeError("it adds a constraint that is not a unique key")
        has_kind = is_unique or self._take_words("FULLTEXT") or self._take_words("SPATIAL")
        if not (self._take_words("INDEX") or self._take_words("KEY") or has_kind):
            raise UnsupportedChangeError("it adds something other than an index")
        self._refuse_condition()
        if self._peek().text == "(":
            if not name:
                raise UnsupportedChangeError("it adds an index without a name")
        elif name:
            raise UnsupportedChangeError("it names a constraint and its index differently")
        else:
            name = self._name()
        return AddedIndex(name, self._index_columns(), is_unique)

    def _index_columns(self) -> tuple[str, ...]:
        """Whole columns, () where a part of one is among them; options after the list are skipped."""
        if self._take_words("USING"):
            self._at += 1
        self._take_sign("(")
        names, is_whole = [], True
        while True:
            names.append(self._name())
            if self._peek().text == "(":
                is_whole = False
                self._skip_brackets()
            if self._peek().word in ("ASC", "DESC"):
                self._at += 1
            if self._peek().text == ")":
                break
            self._take_sign(",")
        self._at += 1
        self._to_comma()
        return tuple(names) if is_whole else ()

    def _column_definition(self) -> None:
        """Parse a type with a default that is a constant."""
        start = self._at
        self._to_comma()
        tokens = self._tokens[start : self._at]
        if not tokens or tokens[0].word not in _TYPES:
            raise UnsupportedChangeError("it adds something other than a column of a known type")
        keywords = {token.word for token in tokens}
        if found := keywords & _IN_A_COLUMN:
            raise UnsupportedChangeError(f"it adds a column with {sorted(found)[0]}")
        for i, token in enumerate(tokens):
            if token.word == "DEFAULT" and not self._is_constant(tokens[i + 1 :]):
                raise UnsupportedChangeError("it adds a column whose default is computed")
        if keywords & {"TIMESTAMP"} and not keywords & {"NULL", "DEFAULT"}:
            raise UnsupportedChangeError("it adds a TIMESTAMP whose default is the server's own")

    @staticmethod
    def _is_constant(tokens: list[Token]) -> bool:
        signed = tokens[1:] if tokens and tokens[0].text in "+-" else tokens
        if not signed or (len(signed) > 1 and signed[1].text == "("):
            return False
        return signed[0].kind in ("text", "number") or signed[0].word in _CONSTANTS

    def _to_comma(self) -> None:
        while self._at < len(self._tokens) and self._tokens[self._at].text != ",":
            if self._tokens[self._at].text == "(":
                self._skip_brackets()
            else:
                self._at += 1

    def _skip_brackets(self) -> None:
        depth = 0
        while True:
            token = self._peek()
            self._at += 1
            depth += (token.kind == "sign") * ((token.text == "(") - (token.text == ")"))
            if not depth:
                return

    def _table(self) -> tuple[str, str]:
        first = self._name()
        if self._at < len(self._tokens) and self._tokens[self._at].text == ".":
            self._at += 1
            return first, self._name()
        if not self._default_schema:
            raise UnsupportedChangeError("it names a table without its schema")
        return self._default_schema, first

    def _name(self) -> str:
        token = self._peek()
        if token.kind not in ("word", "name"):
            raise UnsupportedChangeError(f"{token.text!r} is where a name is expected")
        self._at += 1
        return token.text

    def _refuse_condition(self) -> None:
        if self._take_words("IF", "NOT", "EXISTS") or self._take_words("IF", "EXISTS"):
            raise UnsupportedChangeError("with IF (NOT) EXISTS it is unknown whether it changed anything")

    def _take_words(self, *keywords: str) -> bool:
        found = [token.word for token in self._tokens[self._at : self._at + len(keywords)]]
        if found != list(keywords):
            return False
        self._at += len(keywords)
        return True

    def _take_sign(self, sign: str) -> None:
        token = self._peek()
        if token.kind != "sign" or token.text != sign:
            raise UnsupportedChangeError(f"{token.text!r} is where {sign!r} is expected")
        self._at += 1

    def _peek(self) -> Token:
        if self._at >= len(self._tokens):
            raise UnsupportedChangeError("it ends too early")
        return self._tokens[self._at]

    def _change(
        self,
        kind: ChangeKind,
        schema: str,
        table: str,
        *,
        columns: tuple[str, ...] = (),
        indexes: tuple[AddedIndex, ...] = (),
        is_conditional: bool = False,
    ) -> SchemaChange:
        return SchemaChange(kind, schema, table, self._sql, self._default_schema, columns, indexes, is_conditional)
