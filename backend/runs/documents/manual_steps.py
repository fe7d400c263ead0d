"""What a runbook says to whoever follows it by hand: which marks the SQL holds, and how a position is found."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

Shown = Mapping[str, Any]

PAGE = "docs/incident/console-unavailable.md"
SEARCH = (
    (
        "On the old replica, if it lives: `STOP SLAVE`, then `SHOW SLAVE STATUS` and, **before any `CHANGE MASTER` or "
        "`RESET SLAVE`**, `SHOW RELAYLOG EVENTS IN 'Relay_Log_File'`: the last `COMMIT /* xid=N */` before "
        "`Relay_Log_Pos`. N is the seqno. Note the groups behind it that have no Xid (DDL)."
    ),
    (
        "If it is dead, was restarted since it last ran or stopped on an error: on any live node of its cluster, the "
        "last groups in the binlog whose `Server_id` is of the other side. Their Xid is that cluster's own count: they "
        "are found again by what they hold, never by that number."
    ),
    (
        "On the new source `SHOW BINLOG EVENTS IN 'file' FROM pos LIMIT 2000`, in pages: find `xid=N`, check that the "
        "groups before it are the same ones (tables, sizes, statement text, `Server_id`), and take its `End_log_pos`, "
        "or that of the last group without a Xid that was applied behind it. Two places that fit are none."
    ),
)
"""The page says the same; a test compares them."""

_MARK = re.compile(r"\{\{(?:(?P<direction>forward|reverse)\.(?P<part>file|offset|gtid)|probe)\}\}")
_PROBE = (
    "- `{{probe}}`: any new word; it has to arrive on every live node of the other side. Hawser does not know it: "
    "its next plan asks for `attest_unknown_runs`."
)


def placeholders(plan: Shown) -> Iterator[str]:
    """What stands for each mark of the plan's SQL, one line for each direction."""
    found = {match[0]: match["direction"] for match in _MARK.finditer(_all_sql(plan))}
    for direction in dict.fromkeys(found.values()):
        if direction is None:
            yield _PROBE
            continue
        names = _listed(name for name, of in found.items() if of == direction)
        yield (
            f"- {names}: where the {direction} channel resumes. Known only once it stands still: "
            f"{_found_under(plan, direction)}. The place from before the stop would apply transactions twice."
        )


def when_to_locate(plan: Shown, direction: str) -> str:
    """When and where the place of a channel that still moves is found again."""
    stop, search = _step(plan, "stop_channel", direction), _step(plan, "locate", direction)
    after = f"after step {_number(stop)}" if stop else "after that"
    under = f"under step {_number(search)}" if search else "there"
    return f"find it again {after} ({under}; {PAGE} says how)"


def manual_instruction(plan: Shown, step: Shown) -> Iterator[str]:
    """What a person does where a run would look for a position; nothing for any other step."""
    if step["code"] == "locate" and step["params"].get("backup"):
        yield "\nReads only. By hand: the place under Positions, where the backup was taken; no channel ran since."
    elif step["code"] == "locate" and "channel_in_place" in step["params"]:
        yield (
            "\nReads only. By hand: `SHOW SLAVE STATUS` on the replica must still show the place under Positions as "
            "`Relay_Master_Log_File` and `Exec_Master_Log_Pos` (by GTID: `gtid_slave_pos` there). Where it shows "
            "another one, do not start it."
        )
    elif step["code"] == "locate":
        yield from _search(plan, step)
    elif step["code"] == "locate_log_end":
        yield (
            f"\nReads only. By hand: `SHOW MASTER STATUS` on {step['node']}, twice, a second apart; it is fenced and "
            f"runs no channel, so both are the same. That is the place.{_goes_in(plan, step)}"
        )


def _search(plan: Shown, step: Shown) -> Iterator[str]:
    stop = _step(plan, "stop_channel", step["params"]["direction"])
    if step["params"]["provisional"]:
        after = f"step {_number(stop)} has stopped the channel" if stop else "the channel stands still"
        yield f"\nReads only. By hand, once {after}:\n"
    else:
        yield (
            "\nReads only. By hand: the place under Positions, if nothing was applied since the plan was made. "
            "Else, and where you cannot tell, find it anew:\n"
        )
    yield from (f"{number}. {text}" for number, text in enumerate(SEARCH, 1))
    old = f"The old replica is {stop['node']}, the" if stop else "The"
    yield f"\n{old} new source {step['node']}.{_goes_in(plan, step)}"


def _goes_in(plan: Shown, step: Shown) -> str:
    direction = step["params"]["direction"]
    found = dict.fromkeys(m[0] for m in _MARK.finditer(_all_sql(plan)) if m["direction"] == direction)
    if any(name.endswith(".gtid}}") for name in found):
        phrase = f"what `SELECT BINLOG_GTID_POS('file', position)` says of the place on {step['node']}"
        return f" Put {phrase} instead of {_listed(found)}."
    return f" Put the place instead of {_listed(found)}." if found else ""


def _found_under(plan: Shown, direction: str) -> str:
    step = _step(plan, "locate_log_end", direction) or _step(plan, "locate", direction)
    return f"step {_number(step)} says how to find it then" if step else f"{PAGE} says how to find it then"


def _step(plan: Shown, code: str, direction: str) -> Shown | None:
    steps = (step for step in plan["steps"] if step["code"] == code)
    return next((step for step in steps if step["params"].get("direction") == direction), None)


def _number(step: Shown) -> int:
    return int(step["index"]) + 1


def _all_sql(plan: Shown) -> str:
    return "\n".join(sql for step in plan["steps"] for sql in step["sql"])


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)
