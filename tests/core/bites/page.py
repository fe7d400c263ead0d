"""All rules, and the page that names them: `python -m tests.core.bites.page` writes docs/seeded-bugs.md."""

from __future__ import annotations

from pathlib import Path

from tests.core.bites import checking, copying, judging, moving, positions, running, switching
from tests.core.bites.prevents import PREVENTS
from tests.core.bites.rule import Rule

PAGE = Path(__file__).parents[3] / "docs" / "seeded-bugs.md"
ROOMS = {
    "Checks before any plan": checking.RULES,
    "Proving a position": positions.RULES,
    "Carrying a run": running.RULES,
    "Moving channels": moving.RULES,
    "Changing the active side": switching.RULES,
    "Attaching a copied side": copying.RULES,
    "Digest, facts, automation, orphans": judging.RULES,
}
RULES: tuple[Rule, ...] = tuple(rule for rules in ROOMS.values() for rule in rules)
TEST = "tests/core/test_seeded_bugs.py"
HEAD = f"""# Seeded bugs

Each safety rule below is switched off, one at a time, in a copy of the core; the named test then fails, and with
the rule in place it passes. {{count}} rules, all caught. The tests are
`{TEST}::test_rule__taken_out__is_missed[RULE]`;
what each rule's text is and what stands there without it is in `tests/core/bites`.

This page is written by `python -m tests.core.bites.page`; a test fails where it is out of date.
"""


def written() -> str:
    """The page as it must be; KeyError for a rule that does not say what it prevents."""
    parts = [HEAD.format(count=len(RULES))]
    for title, rules in ROOMS.items():
        parts.append(f"## {title}\n\n| rule | without it | switched off in | caught by |\n|---|---|---|---|")
        parts += [_row(rule) for rule in rules]
        parts.append("")
    return "\n".join(parts)


def _row(rule: Rule) -> str:
    rooms = ", ".join(dict.fromkeys(f"`core.{room}`" for room, _, _ in rule.changes))
    name = rule.name.replace("_", " ")
    return f"| {name} | {(PREVENTS | copying.PREVENTS)[rule.name]} | {rooms} | `[{rule.name}]` |"


if __name__ == "__main__":
    PAGE.write_text(written(), encoding="utf-8")
