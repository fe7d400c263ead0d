"""States at the session's end how much was simulated and located; a hunt keeps it in HAWSER_FUZZ_RESULTS, too."""

from __future__ import annotations

import json
import os
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.core.builders.examples import SEED
from tests.support.provenance import provenance, times

BEGAN, SOURCE = datetime.now(UTC), pytest.StashKey[dict[str, Any]]()
IS_TOLD = pytest.StashKey[bool]()
HUNTS = {"simulated ": ("simulation", "tests/sim/"), "located ": ("oracle", "tests/oracle/")}
"""What a property's name begins with -> the hunt it belongs to and where its tests lie."""


def pytest_configure(config: pytest.Config) -> None:
    """The commit is asked before the long work begins; a conftest takes this hook by importing it."""
    if "HAWSER_FUZZ_RESULTS" in os.environ:
        config.stash.setdefault(SOURCE, provenance())


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """A line each: steps, runs, positions and what came of them; said once, whichever module imported this."""
    if config.stash.get(IS_TOLD, False):
        return
    config.stash[IS_TOLD] = True
    found = totals([report for reports in terminalreporter.stats.values() for report in reports])
    for name, value in sorted(found.items()):
        terminalreporter.write_line(f"{name}: {value:,}")
    if SOURCE in config.stash:
        bad = [report.nodeid for kind in ("failed", "error") for report in terminalreporter.stats.get(kind, ())]
        seed = os.environ[SEED]
        results = {"hunts": figures(found, bad, seed, config.stash[SOURCE] | times(BEGAN))}
        Path(os.environ["HAWSER_FUZZ_RESULTS"]).write_text(json.dumps(results, indent=1, sort_keys=True) + "\n")


def totals(reports: list[Any]) -> Counter[str]:
    """Sums of what tests recorded, whether they passed or failed."""
    found: Counter[str] = Counter()
    for report in reports:
        for name, value in report.user_properties if getattr(report, "when", "") == "call" else ():
            if name.startswith(tuple(HUNTS)):
                found[name] += int(value)
    return found


def figures(found: Counter[str], bad: list[str], seed: str, origin: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """A part for each hunt that ran."""
    parts: dict[str, dict[str, Any]] = {}
    for prefix, (hunt, folder) in HUNTS.items():
        counted = {name.removeprefix(prefix): value for name, value in found.items() if name.startswith(prefix)}
        failed = [name for name in bad if name.startswith(folder)]
        if counted or failed:
            parts[hunt] = origin | counted | {"seeds": [seed], "failed": failed}
    return parts
