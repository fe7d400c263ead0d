"""Tables of figures: what each key is called on the page."""

from __future__ import annotations

from typing import Any

_ORIGIN = {
    "at": "begun",
    "minutes": "minutes",
    "commit": "commit",
    "dirty": "changed on top of it",
    "seed": "seed",
    "lease_s": "a worker's lease meanwhile (s)",
    "note": "note",
}
MARATHON = {
    **_ORIGIN,
    "switches": "switches done",
    "kinds": "of which",
    "unharmed": "switches unharmed",
    "faults": "switches under a fault",
    "harms": "of which",
    "ends": "how the runs ended",
    "given_up": "legs given up, not among the switches",
    "troubles": "legs in trouble: given up, or condemned by their judge",
    "takeovers_product": "runs that a worker called by the product took up, from the last sign of the one before",
    "takeovers_test": "runs that a worker called by the test took up, from the last sign of the one before",
    "statements": "statements compared with their intents and plans",
    "transactions": "transactions checked one by one",
    "lost": "lost",
    "doubled": "doubled",
    "memory": "resident memory at the end",
}
NAMES = {
    **_ORIGIN,
    "faults_injected": "tests that injected a fault",
    "failed": "tests that failed",
    "unjudged": "tests that ended before their writes were judged",
    "kinds": "kinds of the catalogue among them",
    "runs": "runs of the console",
    "statements": "statements compared with their intents and plans",
    "transactions": "transactions checked one by one",
    "lost": "lost",
    "doubled": "doubled",
    "longest_recovery_s": "longest recovery (s), fault to ended run",
    "races": "two-operator races, one winner each",
    "takeovers": "runs the product itself took up, from the worker's death to the run's next record",
    "api_reads": "API reads with a hung node and runs under way",
    "api_under_way": "share of that time with a run under way",
    "api_reads_per_s": "of them a second",
    "api_p95_ms": "their 95th percentile (ms)",
    "api_quiet_p95_ms": "the same with nothing hung and no run (ms)",
    "api_5xx": "server errors among them",
}
HUNTS = {
    **_ORIGIN,
    "seeds": "shards, by their seeds",
    "failed": "shards that failed",
    "examples": "examples",
    "steps": "steps, every invariant judged after each",
    "runs": "runs of a plan among them",
    "positions": "positions asked for",
    "valid": "of them with an answer that must be found",
    "proven": "answered with proof",
    "wrong": "of those wrong",
    "refused": "refused though an answer must be found",
    "incarnations": "links refused because a cluster is another incarnation",
}


_NAMED_ABOVE = ("failed", "troubles")
"""One by one above the table; in it they are counted."""


def table(names: dict[str, str], figures: dict[str, Any]) -> list[str]:
    """Rows of what is on record."""
    rows = [f"| {name} | {_cell(key, figures[key])} |" for key, name in names.items() if key in figures]
    return ["| what | figure |", "|---|---|", *rows] if rows else ["No long run is on record yet."]


def _cell(key: str, value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if key in _NAMED_ABOVE:
        return str(len(value))
    if key == "seeds":
        return f"{len(value)}: {spans(value)}"
    return ", ".join(value) if isinstance(value, list) else str(value)


def spans(seeds: list[str]) -> str:
    """Neighbouring numbers as first to last, because hundreds one by one tell a reader nothing."""
    found: list[list[int]] = []
    for number in sorted(map(int, seeds)):
        if found and number <= found[-1][1] + 1:
            found[-1][1] = number
        else:
            found.append([number, number])
    return ", ".join(str(first) if first == last else f"{first} to {last}" for first, last in found)


def worlds(figures: dict[str, Any]) -> list[str]:
    """What a hunt's worlds held: how many of them, and how many positions were proven in those; no rows if none."""
    held = {key.removeprefix("worlds, "): value for key, value in figures.items() if key.startswith("worlds, ")}
    rows = [f"| {what} | {count} | {figures.get(f'proven, {what}', 0)} |" for what, count in sorted(held.items())]
    return ["", "| worlds with | worlds | positions proven in them |", "|---|---|---|", *rows] if rows else []


def run_verdict(figures: dict[str, Any]) -> list[str]:
    """Above its table: whether a run was red or cut short, and by what."""
    lines = [] if figures.get("is_over", True) else ["**Cut short: only what ran before is told.**"]
    bad = [name for key in _NAMED_ABOVE for name in figures.get(key, [])]
    if bad:
        lines += [f"**Red: {len(bad)} failed.**", "", *(f"- `{name}`" for name in bad)]
    return [*lines, ""] if lines else []
