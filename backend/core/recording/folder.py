"""A recording as the files of its folder: one a answer, and `about.json`, which says what they are."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from backend.core.dialects import VARIABLES_QUERY, dialect_to_watch
from backend.core.dialects.base import Row
from backend.core.recording.redaction import Redaction
from backend.core.recording.statements import FILES, LOG, VARIABLES, events_of, statements_of
from backend.core.recording.text_form import text_of

FORMAT = 1


@dataclass(frozen=True, slots=True)
class Recorded:
    """What a server answered: rows by the name of the answer; `refused` has the error numbers of the others."""

    flavor: str
    version: str
    answers: Mapping[str, Sequence[Row]]
    refused: Mapping[str, int] = field(default_factory=dict)


def files_of(recorded: Recorded, redaction: Redaction, about: Mapping[str, object]) -> dict[str, str]:
    """By name the files; what is written is redacted."""
    answers = redaction.answers(recorded.answers)
    statements = _statements(recorded, answers)
    listed = [
        {"file": f"{name}.tsv", "statement": sql, "rows": len(answers[name])}
        if name in answers
        else {"statement": sql, "error": recorded.refused[name]}
        for name, sql in statements.items()
        if name in answers or name in recorded.refused
    ]
    head = {"format": FORMAT, "family": recorded.flavor, "version": recorded.version, **about, "answers": listed}
    texts = {f"{name}.tsv": text_of(rows) for name, rows in answers.items()}
    return texts | {"about.json": json.dumps(head, indent=2) + "\n"}


def _statements(recorded: Recorded, answers: Mapping[str, Sequence[Row]]) -> dict[str, str]:
    """As they were sent, with the stand-in of the file."""
    dialect = dialect_to_watch(recorded.flavor, recorded.version)
    files = answers.get(FILES)
    events = {LOG: events_of(dialect, str(files[-1]["Log_name"]))} if files else {}
    return {VARIABLES: VARIABLES_QUERY, **statements_of(dialect), **events}
