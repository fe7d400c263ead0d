"""Instructions of a runbook: what the placeholders of the SQL stand for, and how to find a position."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

Shown = Mapping[str, Any]

PAGE = "docs/incident/console-unavailable.md"
SEARCH = (
    (
        "On the old replica, if it is up: `STOP SLAVE`, then `SHOW SLAVE STATUS`. Then, **before any `CHANGE MASTER` "
        "or `RESET SLAVE`**, `SHOW RELAYLOG EVENTS IN 'Relay_Log_File'`. Find the last `COMMIT /* xid=N */` before "
        "`Relay_Log_Pos`. N is the seqno. Note the event groups after it that have no Xid (DDL)."
    ),
    (
        "Use this step instead if the old replica is down, was restarted since it last ran, or stopped on an error. On "
        "any node of its cluster that is up, find the last event groups in the binlog whose `Server_id` is of the "
        "other side. Their Xid is a count of that cluster. Find them again by their content, never by that number."
    ),
    (
        "On the new source `SHOW BINLOG EVENTS IN 'file' FROM pos LIMIT 2000`, in pages: find `xid=N`. Check that the "
        "event groups before it are the same ones (tables, sizes, statement text, `Server_id`). The position is its "
        "`End_log_pos`, or that of the last group without a Xid that was applied after it. If two positions fit, none "
        "is proven."
    ),
)
"""The page has the same text; a test compares them."""

_MARK = re.compile(r"\{\{(?:(?P<direction>forward|reverse)\.(?P<part>file|offset|gtid)|probe)\}\}")
_PROBE = (
    "- `{{probe}}`: any new word. It has to arrive on every node of the other side that is up. Hawser "
    "does not know it: the next plan needs the option `attest_unknown_runs`."
)

_BY_SETS = (
    " The channel uses SOURCE_AUTO_POSITION=1, so the statement has no position. Run it only if, on the new replica, "
    "`SELECT GTID_SUBTRACT('gtid_purged of the new source', @@GLOBAL.gtid_executed)` is empty, and `SELECT "
    "GTID_SUBTRACT(@@GLOBAL.gtid_executed, 'gtid_executed of the new source')` has only what its own side wrote."
)


def placeholders(plan: Shown) -> Iterator[str]:
    """What each placeholder of the plan's SQL stands for, one line per direction."""
    found = {match[0]: match["direction"] for match in _MARK.finditer(_all_sql(plan))}
    for direction in dict.fromkeys(found.values()):
        if direction is None:
            yield _PROBE
            continue
        names = _listed(name for name, of in found.items() if of == direction)
        yield (
            f"- {names}: where the {direction} channel resumes. This is known only once the channel "
            f"has stopped: {_found_under(plan, direction)}. The position from before the stop would "
            "apply transactions twice."
        )


def when_to_locate(plan: Shown, direction: str) -> str:
    """When and where to find the final position of a channel that is still running."""
    stop, search = _step(plan, "stop_channel", direction), _step(plan, "locate", direction)
    after = f"after step {_number(stop)}" if stop else "after that"
    under = f"step {_number(search)} and {PAGE}" if search else PAGE
    return f"find it again {after} (see {under})"


def manual_instruction(plan: Shown, step: Shown) -> Iterator[str]:
    """What an operator does where a run would locate a position; nothing for any other step."""
    if step["code"] == "locate" and step["params"].get("backup"):
        yield (
            "\nReads only. By hand: use the position under Positions, at which the backup was "
            "taken. No channel ran since."
        )
    elif step["code"] == "locate" and "channel_in_place" in step["params"]:
        yield (
            "\nReads only. By hand: run `SHOW SLAVE STATUS` on the replica. It must still show the "
            "position under Positions as `Relay_Master_Log_File` and `Exec_Master_Log_Pos` (by GTID: "
            "`gtid_slave_pos` there). If it shows another one, do not start the channel."
        )
    elif step["code"] == "locate":
        yield from _search(plan, step)
    elif step["code"] == "locate_log_end":
        yield (
            f"\nReads only. By hand: `SHOW MASTER STATUS` on {step['node']}, twice, a second apart. "
            "The node is fenced and runs no channel, so both results are equal. That is the "
            f"position.{_goes_in(plan, step)}"
        )


def _search(plan: Shown, step: Shown) -> Iterator[str]:
    stop = _step(plan, "stop_channel", step["params"]["direction"])
    if step["params"]["provisional"]:
        after = f"step {_number(stop)} has stopped the channel" if stop else "the channel has stopped"
        yield f"\nReads only. By hand, once {after}:\n"
    else:
        yield (
            "\nReads only. By hand: use the position under Positions if nothing was applied since the "
            "plan was made. If something was applied, or if you cannot tell, find the position "
            "again:\n"
        )
    yield from (f"{number}. {text}" for number, text in enumerate(SEARCH, 1))
    old = f"The old replica is {stop['node']}, the" if stop else "The"
    yield f"\n{old} new source is {step['node']}.{_goes_in(plan, step)}"


def _goes_in(plan: Shown, step: Shown) -> str:
    direction = step["params"]["direction"]
    point = _step(plan, "change_source", direction)
    if point is not None and point["params"].get("auto_position"):
        return _BY_SETS
    found = dict.fromkeys(m[0] for m in _MARK.finditer(_all_sql(plan)) if m["direction"] == direction)
    if any(name.endswith(".gtid}}") for name in found):
        phrase = f"what `SELECT BINLOG_GTID_POS('file', position)` shows for the position on {step['node']}"
        return f" Put {phrase} instead of {_listed(found)}."
    return f" Put the position instead of {_listed(found)}." if found else ""


def _found_under(plan: Shown, direction: str) -> str:
    step = _step(plan, "locate_log_end", direction) or _step(plan, "locate", direction)
    return f"see step {_number(step)}" if step else f"see {PAGE}"


def _step(plan: Shown, code: str, direction: str) -> Shown | None:
    steps = (step for step in plan["steps"] if step["code"] == code)
    return next((step for step in steps if step["params"].get("direction") == direction), None)


def _number(step: Shown) -> int:
    return int(step["index"]) + 1


def _all_sql(plan: Shown) -> str:
    return "\n".join(sql for step in plan["steps"] for sql in step["sql"])


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)
