"""Runs every measurement side by side, prints the page and keeps it: `python -m bench`."""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Callable
from types import FrameType

from bench import competitors, distance, hawser_search, machine, relocates, report, targets, testbed
from bench.adviser.run import MODULES
from bench.adviser.run import main as adviser
from bench.committer import Committer
from bench.fleet.owners import main as owners
from bench.fleet.polls import main as polls
from bench.fleet.run import main as fleet_page
from bench.listing import main as listing
from bench.measure import measure, measure_idle
from bench.moves import main as moves
from bench.report import Figures
from bench.servers import main as servers
from bench.site_loss.run import main as site_loss
from bench.storage import main as storage
from bench.workspace import Workspace, default_workspace, empty_folder
from deploy.lab.api import Lab

LIMIT_S = 800.0
RELOCATES_S = 240.0
_HELP = (
    "alone: fleet, the polls and the list of many links (fleet-polls, fleet-page); owners, monitors that share them; "
    "site-loss, forty links that lose one site at once; "
    "moves, switchovers and relocates by step; "
    "listing, its answers and event streams; storage, a year of 200 links; servers, the releases of MariaDB; "
    "distance, sites that lie apart; "
    f"adviser, all that the advice rests on: {', '.join(MODULES)}, each of them also alone"
)
MEASUREMENTS: dict[str, Callable[[], int]] = {
    "fleet": lambda: max(polls(), fleet_page()),
    "fleet-polls": polls,
    "fleet-page": fleet_page,
    "moves": moves,
    "owners": owners,
    "site-loss": site_loss,
    "listing": listing,
    "storage": storage,
    "servers": servers,
    "adviser": adviser,
    **MODULES,
    "distance": lambda: distance.main(default_workspace(distance.LIMIT_S)),
}
MEGABYTE = 10**6


def main() -> int:
    """Exit code 0 when everything was measured and every aim kept, else 1."""
    given = _options()
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _on_signal)
    if given.measurement == "servers":
        return servers(moves=given.only != "search")
    if given.measurement is not None:
        return MEASUREMENTS[given.measurement]()
    workspace = default_workspace(LIMIT_S)
    figures = Figures(machine.describe())
    parts = [part for part in ("search", "relocate") if given.only in (None, part)]
    if "search" in parts:
        _searches(workspace, figures, given.mb * MEGABYTE)
    if "relocate" in parts:
        _relocates(workspace, figures, given.rounds)
    report.save(figures, workspace, publish=len(parts) == 2 and not given.keep_page)
    print(report.page(figures), flush=True)
    return 0 if figures.aims and all(aim.is_met for aim in figures.aims) else 1


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("measurement", nargs="?", choices=tuple(MEASUREMENTS), help=_HELP)
    parser.add_argument("--mb", type=int, default=520, help="size of the searched binlog file")
    parser.add_argument("--rounds", type=int, default=3, help="runs of each kind")
    parser.add_argument(
        "--only",
        choices=("search", "relocate"),
        help="measure one half and leave the page alone; `servers --only search` writes a page of its own",
    )
    parser.add_argument("--keep-page", action="store_true", help="do not write docs/evidence/benchmarks.md")
    return parser.parse_args()


def _searches(workspace: Workspace, figures: Figures, size: int) -> None:
    lab = Lab(workspace.lab_home, workspace.net)
    lab.down()
    try:
        _say(f"filling a binlog file of {size // MEGABYTE} MB")
        field = testbed.build(lab, size)
        figures.ground = report.testbed_facts(field)
        _compete(field, workspace, figures)
        field.gateway.close()
    finally:
        lab.down()
    figures.aims += targets.search_targets({each.name: each for each in figures.searches}, figures.longest_idle_ms)


def _compete(field: testbed.Testbed, workspace: Workspace, figures: Figures) -> None:
    folder = empty_folder(workspace.folder / "search")
    with Committer(field.lab, testbed.SOURCE, folder / "commits") as committer:
        figures.idle.append(measure_idle(committer, 15))
        limit_s = min(180.0, max(60.0, (workspace.left_s() - RELOCATES_S) / 3))
        for contender in hawser_search.contenders(field) + competitors.contenders(field, folder, limit_s):
            figures.searches.append(measure(contender, committer))
            _say(f"{contender.name}: {figures.searches[-1].median_s:.3f} s {figures.searches[-1].error}")
        figures.idle.append(measure_idle(committer, 15))


def _relocates(workspace: Workspace, figures: Figures, rounds: int) -> None:
    _say("relocates and switchovers, on two clusters of three nodes")
    figures.relocates, figures.judged = relocates.measure(workspace, rounds)
    figures.aims += targets.relocate_targets(figures.relocates)


def _say(text: str) -> None:
    print(f"- {text}", flush=True)


def _on_signal(number: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt(signal.Signals(number).name)


if __name__ == "__main__":
    sys.exit(main())
