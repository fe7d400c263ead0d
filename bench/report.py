"""The figures as a page for people and as JSON for machines."""

from __future__ import annotations

import json
import re
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from bench.committer import Latency
from bench.competitors import MARIADB_BINLOG
from bench.hawser_search import COLD
from bench.machine import BUSY
from bench.measure import Measured
from bench.relocates import BUSY_MOVE, Relocate
from bench.targets import Target
from bench.testbed import SINCE_SAMPLE_S, Testbed
from bench.workspace import Workspace

_HEAD = """# How fast is Hawser, and what does a search cost production?

Measured by `make bench`, which writes this page. Every ratio is of figures from one run on one machine; the figures
themselves belong to that machine.
"""
_BUSY = """
**The machine had other work when this was begun**, so absolute times are longer than those of an idle machine, and
commits waited for a core as well as for the log. Compare within the run only.
"""
_SEARCH = """## Finding a transaction in a long binlog

One binlog file of {size_mb} MB with about {transactions} million transactions ({events} million events) on one server,
and one Xid late in it. Each way searches the same file for the same Xid and must name the same end position. Meanwhile
a client commits one row every 3 ms on the searched server, fully durable; its longest commit is what applications feel.
*Cold* knows nothing but the Xid. *Journalled* starts from the monitor's newest sample, about {age_s:.0f} s and
{gap} events before the Xid. *Whole proof* reads both sides, asks every family of evidence and judges. Hawser's sessions
are encrypted and open already; the other tools connect once, unencrypted, and stop at the hit.
"""
_RELOCATE = """## From *confirm* to *verified*

Two clusters of three nodes with writes at both sites, console, worker and monitor on the same machine. Times are those
the runs record: from the confirmation to the end of the verification, in which a probe transaction written on each side
was seen on every node of the other. {judged}
"""


@dataclass
class Figures:
    """Everything one run measured."""

    machine: dict[str, str]
    ground: dict[str, Any] = field(default_factory=dict)
    idle: list[Latency] = field(default_factory=list)
    searches: list[Measured] = field(default_factory=list)
    relocates: list[Relocate] = field(default_factory=list)
    judged: str = ""
    aims: list[Target] = field(default_factory=list)

    @property
    def longest_idle_ms(self) -> float:
        """The longest commit while nobody searched, before or after."""
        return max(each.longest_ms for each in self.idle)

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        return {
            "machine": self.machine,
            "ground": self.ground,
            "idle": [asdict(each) for each in self.idle],
            "searches": [each.to_json() for each in self.searches],
            "relocates": [each.to_json() for each in self.relocates],
            "judged": self.judged,
            "aims": [each.to_json() for each in self.aims],
        }


def testbed_facts(ground: Testbed) -> dict[str, Any]:
    """Size, contents and target of the searched file."""
    return {
        "file": ground.filled.file,
        "size_bytes": ground.filled.size,
        "fill_s": round(ground.filled.seconds, 1),
        "xid": ground.xid,
        "checkpoint": str(ground.checkpoint),
        "since_sample_s": SINCE_SAMPLE_S,
        "events_since_sample": ground.events_since_sample(),
    }


def page(figures: Figures) -> str:
    """The Markdown page."""
    parts = [_HEAD, machine_table(figures.machine), aims_table(figures.aims)]
    if figures.searches:
        parts += [_search_text(figures), _search_table(figures)]
    if figures.relocates:
        parts += [
            _RELOCATE.format(judged=figures.judged),
            _relocate_table(figures.relocates),
            _steps(figures.relocates),
        ]
    return "\n".join(parts)


def save(figures: Figures, workspace: Workspace, *, publish: bool) -> None:
    """Write the JSON, and the page only where the run was whole; sections of other measurements stay."""
    workspace.results.write_text(json.dumps(figures.to_json(), indent=1) + "\n")
    if publish:
        workspace.page.parent.mkdir(exist_ok=True)
        written = page(figures)
        stored = workspace.page.read_text() if workspace.page.exists() else ""
        workspace.page.write_text("\n".join([written, *other_sections(stored, written)]))


def other_sections(stored: str, written: str) -> list[str]:
    """The sections of a stored page, in its order, that the page being written does not have."""
    own = {section.partition("\n")[0] for section in _sections(written)}
    return [section for section in _sections(stored) if section.partition("\n")[0] not in own]


def _sections(text: str) -> list[str]:
    """Each from its heading of the second level to before the next one."""
    return [f"## {section.rstrip()}\n" for section in re.split(r"^## ", text, flags=re.MULTILINE)[1:]]


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = [f"| {' | '.join(head)} |", f"|{'|'.join('---' for _ in head)}|"]
    return "\n".join([*lines, *(f"| {' | '.join(row)} |" for row in rows)]) + "\n"


def machine_table(machine: dict[str, str]) -> str:
    """What the run stood on, with a warning where that had other work."""
    text = table(("", ""), machine.items())
    return text + _BUSY if machine[BUSY] == "yes" else text


def aims_table(aims: list[Target]) -> str:
    """Each promise with its figure."""
    rows = [(aim.text, aim.measured, "kept" if aim.is_met else "**missed**") for aim in aims]
    return "## Aims\n\n" + table(("aim", "measured", ""), rows)


def _search_text(figures: Figures) -> str:
    answer = next(each.answer for each in figures.searches if each.name == COLD)
    ground = figures.ground
    return _SEARCH.format(
        size_mb=ground["size_bytes"] // 10**6,
        transactions=f"{ground['xid'] / 1e6:.1f}",
        events=f"{answer.events / 1e6:.1f}" if answer and answer.events else "?",
        age_s=ground["since_sample_s"],
        gap=f"{ground['events_since_sample']:,}",
    )


def _search_table(figures: Figures) -> str:
    rival = next((m for m in figures.searches if m.name == MARIADB_BINLOG and (m.gave_up or not m.error)), None)
    rows = [("nobody searches", "", "", *_commits(each)) for each in figures.idle[:1]]
    for each in figures.searches:
        if each.gave_up:
            rows.append((each.name, f"not found within {time_text(each.median_s)}", "", *_commits(each.commits)))
            continue
        if each.error:
            rows.append((each.name, f"failed after {each.median_s:.0f} s: {each.error}", "", *_commits(each.commits)))
            continue
        ratio = f"{rival.median_s / each.median_s:,.1f} x" if rival else ""
        rows.append((each.name, _spread(each.seconds), ratio, *_commits(each.commits)))
    rows += [("nobody searches, afterwards", "", "", *_commits(each)) for each in figures.idle[1:]]
    head = (
        "search",
        "time: median (shortest to longest)",
        "speed against mariadb-binlog",
        "longest commit",
        "p99",
        "median",
    )
    return table(head, rows)


def _commits(latency: Latency) -> tuple[str, str, str]:
    return f"{latency.longest_ms:.1f} ms", f"{latency.p99_ms:.1f} ms", f"{latency.median_ms:.1f} ms"


def _spread(seconds: Sequence[float]) -> str:
    if len(seconds) == 1:
        return time_text(seconds[0])
    median, least, most = (time_text(each) for each in (statistics.median(seconds), min(seconds), max(seconds)))
    return f"{median} ({least} to {most}, {len(seconds)} runs)"


def time_text(seconds: float) -> str:
    """Milliseconds below a second."""
    return f"{seconds * 1000:.1f} ms" if seconds < 1 else f"{seconds:.2f} s"


def _relocate_table(runs: list[Relocate]) -> str:
    rows = []
    for title in dict.fromkeys(run.title for run in runs):
        those = [run for run in runs if run.title == title]
        pauses_s = [run.write_pause_ms / 1000 for run in those if run.write_pause_ms is not None]
        rows.append(
            (
                title,
                _spread([run.verified_s for run in those]),
                _spread([run.queued_s for run in those]),
                _spread([run.plan_s for run in those]),
                _spread(pauses_s) if pauses_s else "none",
                f"{sum(run.verdict == 'verified' for run in those)} of {len(those)}",
            )
        )
    heads = ("run", "confirm to verified", "of it queued", "making the plan, before", "writes paused", "verified")
    return table(heads, rows)


def _steps(all_runs: list[Relocate]) -> str:
    runs = [run for run in all_runs if run.title != BUSY_MOVE]
    codes = dict.fromkeys(code for run in runs for code in run.steps)
    rows = []
    for code in codes:
        took = [run.steps[code] for run in runs if code in run.steps]
        rows.append((f"`{code}`", _spread(took)))
    return table(("step", "time"), rows)
