"""Reads the answers of one node that a recording consists of."""

from __future__ import annotations

from collections.abc import Sequence

from backend.core.dialects import VARIABLES_QUERY, dialect_to_watch, flavor_of
from backend.core.ports import NodeError, Row
from backend.core.recording.folder import Recorded
from backend.core.recording.statements import FILES, LOG, VARIABLES, events_of, statements_of
from backend.gateway.connection.errors import LostError
from backend.gateway.reader import Reader


def read_answers(reader: Reader) -> Recorded:
    """Ask statement by statement; one that is refused is left out. Raises NodeError, DialectError."""
    variables = reader.query(VARIABLES_QUERY)
    shown = {str(row["Variable_name"]).lower(): str(row["Value"]) for row in variables}
    version = shown.get("version", "")
    flavor = flavor_of(shown)
    dialect = dialect_to_watch(flavor, version)
    answers: dict[str, Sequence[Row]] = {VARIABLES: variables}
    refused: dict[str, int] = {}
    for name, sql in statements_of(dialect).items():
        _ask(reader, name, sql, answers, refused)
    files = answers.get(FILES)
    if files:
        _ask(reader, LOG, events_of(dialect, str(files[-1]["Log_name"])), answers, refused)
    return Recorded(flavor, version, answers, refused)


def _ask(reader: Reader, name: str, sql: str, answers: dict[str, Sequence[Row]], refused: dict[str, int]) -> None:
    try:
        answers[name] = reader.query(sql)
    except LostError:
        raise
    except NodeError as error:
        refused[name] = error.code
