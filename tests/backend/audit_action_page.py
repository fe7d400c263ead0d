"""The reference of audit actions: `python -m tests.backend.audit_action_page` writes the page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from backend.audit.action_catalogue.catalogue import SUBJECTS
from backend.audit.action_catalogue.entry import ActionEntry
from tests.support.catalogue_page import field_table, page_of

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "audit-actions.md"
HEAD = """# Audit actions

For auditors, and for engineers who evaluate an export. You look up an `action` and read who can cause it and what its
record holds.

An action reads source:subject:action. Sources: `api` (a call, from the pages or with a token), `session` (sign-in),
`cli` (a command at the shell), `worker` (a run), `monitor` (the automation) and `console` (Hawser itself). The filter
`action` of `GET /audit` is a beginning of it: `api:run`. Roles include those before them: what an operator can cause,
an approver and an administrator can, too. A user of the shell is a person on a console host.

Every record has these columns; text columns are empty where nothing is said below.

| field | type | meaning |
|---|---|---|
| `seq` | integer, from 1 | its number, without a gap |
| `at` | string, RFC 3339 in UTC | when it was written |
| `actor` | string | user name, `break-glass NAME` or `command line NAME` (at the shell), or a part of Hawser |
| `action` | string | one of those below |
| `link_id`, `run_id` | string | id of the link, id of the run |
| `target` | string | what was acted on |
| `reason` | string | reason or comment of the actor |
| `request_id` | string | id of the request, also in the server log |
| `source_ip` | string | address of the client |
| `facts` | object | the fields below; secrets are masked, and rows of applications left out |
| `prev_hash`, `hash`, `key_id` | string | [the chain](../how-to/verify-audit-log.md) |

No column holds the state before an action: each record says what its action made, and the chain keeps the order. What a
server looked like before a statement is in the run (`GET /runs/ID`), not in the log.

Users are told of what they should know at once by [events](events.md).

This page is written by `python -m tests.backend.audit_action_page` from `backend/audit/action_catalogue`. A test fails
where it is out of date.
"""


def written() -> str:
    """The page as it must be."""
    return page_of(HEAD, SUBJECTS, _lines)


def _lines(entry: ActionEntry) -> Iterator[str]:
    yield from (f'<a id="{action}"></a>' for action in entry.actions)
    yield from ("", f"### {entry.title}: {', '.join(f'`{action}`' for action in entry.actions)}", "")
    yield f"- **Who**: {entry.who}"
    yield f"- **When**: {entry.recorded_when}"
    yield f"- **Columns**: {entry.identifies}."
    yield f"- **Before and after**: {entry.values}"
    yield ""
    if entry.facts:
        yield from (*field_table(entry.facts), "")


if __name__ == "__main__":
    PAGE.write_text(written(), encoding="utf-8")
