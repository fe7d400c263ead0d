"""The page of the fault bench: `python -m tests.faults.page FOLDER FIGURES` writes it into that folder."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from tests.faults.tables import HUNTS, MARATHON, NAMES, run_verdict, table, worlds

_HEAD = """# The fault bench

Written by a run, after a red one as after a green one: what failed is named here. The faults, how each is made and the
tests that cover it: `docs/evidence/fault-catalogue.md`.

The nodes share one network namespace, each on a loopback address of its own, so that load, tests and console reach
them as they stand. Cuts between nodes are packet filter rules on their control groups. All else on the way is the
proxy's, because it tells the console's connections from a channel's on the same port, which a packet
filter does not. `HAWSER_FAULT_WAN=50ms` puts the sites apart: each node in a namespace
of its own, the proxies beside the console.

A run prints its seed; `HAWSER_FAULT_SEED=N` draws the same places again, `HAWSER_MARATHON_LEG=N` beside it walks that
one leg of the marathon. `make test-whole` runs the quick selection, `make faults` all of it.

## Figures of the last long run, fault by fault
"""
_MARATHON_HEAD = """
## The marathon

Switch after switch under load, two in three of them under a drawn fault, on one stack: what a whole night of an
incident would ask of it. Every statement is judged after each switch, every write after each dozen.
"""
_HUNTS_HEAD = """
## The hunts

No servers: the core alone, against what the servers are known to do. `make fuzz` draws new examples: `EXAMPLES=N`
of them in each of eight shards of the simulation (some 150 steps each, every invariant judged after every step),
four times N in the oracle of positions (the locator's answer against the full logs). Hunts of one commit add up;
`HAWSER_FUZZ_SEED=N` draws the same again.
"""


def page(figures: dict[str, Any]) -> str:
    """The whole page."""
    lines = [_HEAD, *run_verdict(figures.get("faults", {})), *table(NAMES, figures.get("faults", {})), _MARATHON_HEAD]
    marathon = figures.get("marathon", {})
    lines += [*run_verdict(marathon), *table(MARATHON, marathon), _HUNTS_HEAD]
    for name, hunt in sorted(figures.get("hunts", {}).items()):
        lines += [f"### {name.capitalize()}", "", *run_verdict(hunt), *table(HUNTS, hunt), *worlds(hunt), ""]
    lines += [] if figures.get("hunts") else [*table(HUNTS, {}), ""]
    return "\n".join(lines).rstrip() + "\n"


def merged(stored: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    """A new run's figures over the kept ones."""
    hunts = dict(stored.get("hunts", {}))
    for name, hunt in new.get("hunts", {}).items():
        hunts[name] = added(hunts.get(name, {}), hunt)
    return stored | new | ({"hunts": hunts} if hunts else {})


def added(stored: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    """Shards of one commit add up; those of another one start at zero."""
    if any(stored.get(key) != new[key] for key in ("commit", "dirty")):
        return new
    same = {"commit": new["commit"], "dirty": new["dirty"], "at": stored["at"]}
    return {key: stored[key] + value if key in stored else value for key, value in new.items()} | same


def write(folder: Path, new: dict[str, Any]) -> None:
    """The page, and the figures that the next run adds to."""
    kept = folder / "fault-bench.json"
    figures = merged(json.loads(kept.read_text()) if kept.exists() else {}, new)
    kept.write_text(json.dumps(figures, indent=1, sort_keys=True) + "\n")
    (folder / "fault-bench.md").write_text(page(figures))


if __name__ == "__main__":
    write(Path(sys.argv[1]), json.loads(Path(sys.argv[2]).read_text()))
