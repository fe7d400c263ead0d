"""The releases of MariaDB that the lab can run, one after another in one run: `python -m bench servers`.

With `--only search` the moves are left out, and the figures are written to a page of their own.

MySQL is not among them: without Galera a transaction has no number of a cluster, so there is no move to measure.
"""

from __future__ import annotations

import json
import os
import statistics
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from bench import competitors, hawser_search, machine, relocates, report, targets, testbed
from bench.committer import Committer
from bench.measure import Measured, measure
from bench.relocates import KINDS, Relocate
from bench.targets import Target
from bench.workspace import Workspace, default_workspace, empty_folder
from deploy.lab.api import Lab
from deploy.lab.layout import parse_servers
from deploy.servers import store
from deploy.servers.errors import ServerError
from deploy.services.process import ROOT

SERVERS = (
    "mariadb-10.11",
    "mariadb-10.5",
    "mariadb-11.4",
    "mariadb-11.8",
    "a=mariadb-10.11,b=mariadb-11.8",
    "a=mariadb-11.8,b=mariadb-10.11",
)
"""In the words of the lab's `--server`; the first is what the others are compared with."""
SEARCHED = tuple(server for server in SERVERS if "=" not in server)
"""A search reads one server's log."""
NEWEST = "mariadb-11.8"
BINLOG_MB = 150
ROUNDS = 2
LIMIT_S = 420.0
"""For each release."""
KINDS_COMPARED = tuple(kind for kind in KINDS if kind[0] in (relocates.MOVE, "source lost", "switchover", "failback"))
PAGE = ROOT / "docs/evidence/benchmarks-servers.md"
_HEAD = f"""# Are other releases of MariaDB slower?

Measured by `make bench ARGS=servers`, which writes this page: each release in one run on one machine, first the search
for one Xid late in a binlog file of {BINLOG_MB} MB (as in [benchmarks](benchmarks.md)), then moves of two clusters of
three nodes under writes. Compare within the page; the figures themselves belong to the machine.
"""
SEARCH_PAGE = ROOT / "docs/evidence/benchmarks-servers-search.md"
_SEARCH_HEAD = f"""# Is each release's own mariadb-binlog faster than Hawser?

Measured by `make bench ARGS='servers --only search'`, which writes this page: each release in one run on one machine,
the search for one Xid late in a binlog file of {BINLOG_MB} MB (as in [benchmarks](benchmarks.md)). `mariadb-binlog` is
the program of the server's own release; a build that has none is read by that of {{newest}}. The figures belong to
the machine, which makes the ratios of a line the result. Moves are in [other releases](benchmarks-servers.md).
"""


@dataclass(frozen=True)
class OnServer:
    """What was measured on one release; `error` says why nothing was."""

    server: str
    searches: tuple[Measured, ...] = ()
    relocates: tuple[Relocate, ...] = ()
    judged: str = ""
    error: str = ""

    @property
    def title(self) -> str:
        """The release as the page names it."""
        series = dict.fromkeys(name.removeprefix("mariadb-") for name in parse_servers(self.server))
        return f"MariaDB {' with '.join(series)}"

    def median_s(self, name: str) -> float | None:
        """The middle of one way's times; None where it did not find the place."""
        return next((each.median_s for each in self.searches if each.name == name and not each.error), None)

    def aims(self) -> list[Target]:
        """The promises for moves, and that every search names the same place."""
        places = {each.answer.end for each in self.searches if each.answer is not None}
        failed = [each.name for each in self.searches if each.error]
        same = Target(f"{self.title}: all searches name the same place", f"{len(places)} place(s)", len(places) == 1)
        moves = [
            replace(aim, text=f"{self.title}, {aim.text}") for aim in targets.relocate_targets(list(self.relocates))
        ]
        return [replace(same, is_met=same.is_met and not failed), *moves]


def main(*, moves: bool = True) -> int:
    """Exit code 0 when every release was measured and every aim kept, else 1."""
    found, facts = [], machine.describe()
    for server in SERVERS if moves else SEARCHED:
        print(f"{server}:", flush=True)
        found.append(_on(server, moves=moves))
    text = page(facts, found) if moves else search_page(facts, found)
    (PAGE if moves else SEARCH_PAGE).write_text(text)
    results = default_workspace(0).folder / ("servers.json" if moves else "servers-search.json")
    results.write_text(json.dumps([_to_json(each) for each in found], indent=1) + "\n")
    print(text, flush=True)
    aims = [aim for each in found for aim in each.aims()]
    return 0 if all(aim.is_met for aim in aims) and not any(each.error for each in found) else 1


def _on(server: str, *, moves: bool) -> OnServer:
    workspace = default_workspace(LIMIT_S)
    try:
        for name in dict.fromkeys(parse_servers(server)):
            store.ensure(name, print)
    except ServerError as error:
        return OnServer(server, error=str(error))
    with _lab_runs(server):
        searches = _searches(workspace, server)
        if not moves:
            return OnServer(server, tuple(searches))
        moved, judged = relocates.measure(workspace, ROUNDS, KINDS_COMPARED, busy_rounds=0)
    return OnServer(server, tuple(searches), tuple(moved), judged)


@contextmanager
def _lab_runs(server: str) -> Iterator[None]:
    """Labs that are made meanwhile, in other processes too, run this release."""
    before = os.environ.get("HAWSER_LAB_SERVER")
    os.environ["HAWSER_LAB_SERVER"] = server
    try:
        yield
    finally:
        os.environ.pop("HAWSER_LAB_SERVER")
        if before is not None:
            os.environ["HAWSER_LAB_SERVER"] = before


def _mariadb_binlog(name: str) -> str:
    """The program of this release, or of the newest where a build has none: an older one refuses a newer server."""
    server = store.ready(name)
    if not server.path:
        return "mariadb-binlog"
    programs = [folder / "mariadb-binlog" for folder in server.path]
    return str(next((program for program in programs if program.exists()), None) or _newest_mariadb_binlog())


def _newest_mariadb_binlog() -> Path:
    programs = [folder / "mariadb-binlog" for folder in store.ensure(NEWEST, print).path]
    return next(program for program in programs if program.exists())


def _searches(workspace: Workspace, server: str) -> list[Measured]:
    lab = Lab(workspace.lab_home, workspace.net)
    lab.down()
    try:
        ground = testbed.build(lab, BINLOG_MB * 10**6)
        folder = empty_folder(workspace.folder / "search")
        program = _mariadb_binlog(parse_servers(server)[0])
        contenders = [*hawser_search.contenders(ground), competitors.mariadb_binlog(ground, folder, 120.0, program)]
        with Committer(lab, testbed.SOURCE, folder / "commits") as committer:
            time.sleep(1)
            searches = [measure(each, committer) for each in contenders]
        ground.gateway.close()
    finally:
        lab.down()
    for each in searches:
        print(f"  {each.name}: {each.median_s:.3f} s {each.error}", flush=True)
    return searches


def page(facts: dict[str, str], found: list[OnServer]) -> str:
    """The Markdown page."""
    aims = [aim for each in found for aim in each.aims() if each.searches]
    parts = [_HEAD, report.machine_table(facts), report.aims_table(aims), _search_table(found), _move_table(found)]
    judged = [f"- {each.title}: {each.judged or each.error}" for each in found]
    return "\n".join([*parts, "## The writes, judged after the moves\n", *judged]) + "\n"


def search_page(facts: dict[str, str], found: list[OnServer]) -> str:
    """The Markdown page of the searches alone; each time beside that of `mariadb-binlog` on the same server."""
    same = [each.aims()[0] for each in found if each.searches]
    names = (competitors.MARIADB_BINLOG, hawser_search.COLD, hawser_search.JOURNALLED, hawser_search.PROOF_JOURNALLED)
    rows = [(each.title, *(_faster(each.median_s(name), each.median_s(names[0])) for name in names)) for each in found]
    head = _SEARCH_HEAD.format(newest=NEWEST.replace("mariadb-", "MariaDB "))
    table = "## Finding a transaction\n\n" + report.table(("server", *names), rows)
    errors = [f"- {each.title}: {each.error}\n" for each in found if each.error]
    return "\n".join([head, report.machine_table(facts), report.aims_table(same), table, *errors]).rstrip() + "\n"


def _search_table(found: list[OnServer]) -> str:
    names = (hawser_search.COLD, hawser_search.JOURNALLED, hawser_search.PROOF_JOURNALLED, competitors.MARIADB_BINLOG)
    rows = [(each.title, *(_against(each.median_s(name), found[0].median_s(name)) for name in names)) for each in found]
    return "## Finding a transaction\n\n" + report.table(("server", *names), rows)


def _move_table(found: list[OnServer]) -> str:
    titles = [title for title, _, _ in KINDS_COMPARED]
    rows = [
        (each.title, *(_against(_verified_s(each, title), _verified_s(found[0], title)) for title in titles))
        for each in found
    ]
    return "## From *confirm* to *verified*\n\n" + report.table(("server", *titles), rows)


def _verified_s(one: OnServer, title: str) -> float | None:
    took = [run.verified_s for run in one.relocates if run.title == title and run.verdict == "verified"]
    return statistics.median(took) if took else None


def _against(seconds: float | None, first_s: float | None) -> str:
    """A time, and how many times that of the first release it is."""
    if seconds is None:
        return "not measured"
    ratio = f" ({seconds / first_s:.2f} x)" if first_s else ""
    return report.time_text(seconds) + ratio


def _faster(seconds: float | None, rival_s: float | None) -> str:
    """A time, and how many times faster than the rival it is."""
    if seconds is None:
        return "not measured"
    is_other = rival_s is not None and seconds != rival_s
    return report.time_text(seconds) + (f" ({rival_s / seconds:.0f} times faster)" if is_other and rival_s else "")


def _to_json(one: OnServer) -> dict[str, Any]:
    return {
        "server": one.server,
        "searches": [each.to_json() for each in one.searches],
        "relocates": [each.to_json() for each in one.relocates],
        "judged": one.judged,
        "error": one.error,
    }
