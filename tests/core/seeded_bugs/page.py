"""All rules, and the page that names them: `python -m tests.core.seeded_bugs.page FILE` writes it there."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

from tests.backend.seeded_bugs import rules as outer
from tests.backend.seeded_bugs.rule import OuterRule
from tests.core.seeded_bugs import (
    calibration,
    candidates,
    channel_errors,
    channels,
    checks,
    contents,
    definitions,
    events,
    facts,
    gtid_sets,
    halves,
    judged_settings,
    known_defects,
    lookup,
    maintenance,
    membership,
    new_link,
    origins,
    orphans,
    positions,
    rebuild,
    removal,
    returned,
    runner,
    semi_sync,
    settings,
    switchover,
    table_comparison,
)
from tests.core.seeded_bugs.consequences import PREVENTS
from tests.core.seeded_bugs.harnesses import POSITIONS, also_caught
from tests.core.seeded_bugs.rule import Rule

ROOMS: dict[str, ModuleType] = {
    "Checks before any plan": checks,
    "Settings of the servers": judged_settings,
    "Proving a position": positions,
    "Sets of GTIDs": gtid_sets,
    "Comparing two logs": contents,
    "Choosing nodes": candidates,
    "Carrying a run": runner,
    "Moving channels": channels,
    "Members that are not registered": membership,
    "Split sides, and a standby side that takes writes": halves,
    "A new link": new_link,
    "Origins and ends of channels": origins,
    "Ending replication": removal,
    "Changing settings of running nodes": settings,
    "Semi-synchronous replication": semi_sync,
    "Known defects of servers": known_defects,
    "Measurements that write": calibration,
    "Changing the active side": switchover,
    "Events of the event scheduler": events,
    "Replay and undo of orphans": orphans,
    "Changes of definitions among orphans": definitions,
    "A channel that stopped on a row": channel_errors,
    "Looking a transaction up": lookup,
    "Comparing tables while they are written": table_comparison,
    "Attaching a copied side": rebuild,
    "Fencing a side that returns": returned,
    "Taking a node away": maintenance,
    "Digest, facts, automation, orphans": facts,
}
RULES: tuple[Rule, ...] = tuple(rule for room in ROOMS.values() for rule in room.RULES)
PREVENTED = PREVENTS | {rule: text for room in ROOMS.values() for rule, text in getattr(room, "PREVENTS", {}).items()}
TEST = "tests/core/seeded_bugs/test_seeded_bugs.py"
HEAD = f"""# Seeded bugs

Each safety rule below is switched off in a copy of the core, and what it prevents then happens: {{count}} rules.
`{TEST}::test_rule__taken_out__is_missed[RULE]` passes where a check written for
that rule fails without it; `test_rule__in_place__holds[RULE]` shows the same check holding with the rule in place.
What a rule's text is and what stands there without it is in `tests/core/seeded_bugs`.

*Together* says how many texts were replaced at once. Where it is more than one, rules that back each other went
together: one of them alone is not shown to be missed there.

*Also caught by*: the simulation (`tests/sim`) and the positions oracle (`tests/oracle`) know nothing of the single
rule and were run without it on random worlds, the same each time. The word behind a name is the judge that spoke, and
`test_harness__rule_taken_out__its_judge_speaks` shows it each time. "Seldom by": some such worlds showed it, too few to
rest a test on. "Not by": sixty to three hundred simulated worlds, or {POSITIONS:,} that the oracle built, showed
nothing; other rules back this one, or the worlds hardly ever come to it. An empty cell was not tried;
`python -m tests.core.seeded_bugs.harnesses RULE ...` tries.
"""
OUTER = """## Record, workers, sessions and monitor of the console

These rules stand outside the core. Each is switched off in place, and an ordinary test of the console that is green
with the rule turns red without it (`tests/backend/seeded_bugs/test_seeded_bugs.py`, texts beside it).

| rule | without it | switched off in | ordinary test that turns red |
|---|---|---|---|"""


def written() -> str:
    """The page as it must be; KeyError for a rule that does not say what it prevents."""
    parts = [HEAD.format(count=len(RULES))]
    for title, room in ROOMS.items():
        heads = "| rule | without it | switched off in | together | caught by | also caught by |"
        parts.append(f"## {title}\n\n{heads}\n|---|---|---|---|---|---|")
        parts += [_row(rule) for rule in room.RULES]
        parts.append("")
    parts += [OUTER, *(_outer_row(rule) for rule in outer.RULES), ""]
    return "\n".join(parts)


def _row(rule: Rule) -> str:
    rooms = ", ".join(dict.fromkeys(f"`core.{package}`" for package, _, _ in rule.changes))
    name = rule.name.replace("_", " ")
    prevented = PREVENTED[rule.name]
    return f"| {name} | {prevented} | {rooms} | {len(rule.changes)} | `[{rule.name}]` | {also_caught(rule.name)} |"


def _outer_row(rule: OuterRule) -> str:
    module, name = rule.module.removeprefix("backend."), rule.name.replace("_", " ")
    file = rule.tested_in.replace(".", "/")
    return f"| {name} | {rule.prevents} | `{module}` | `{file}.py::{rule.test}` |"


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(written(), encoding="utf-8")
