"""Bytes of each pair of nodes in one cluster over two sites, by number of nodes, with one segment and with two.

A lab of five nodes for each; nodes are stopped one after the other. The router of the lab's distance counts. Byte
counts and their ratios do not depend on the load of the machine, unlike times, so no time is printed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import partial

from bench.adviser import page, writes
from bench.machine import describe
from bench.workspace import Workspace, default_workspace
from deploy.lab.api import Lab
from deploy.lab.layout import Settings
from deploy.lab.wan.presentation import site_of

NAME = "bandwidth"
LIMIT_S = 600.0
ROUND_TRIP_MS = 10.0
ROWS, WRITERS = 2_000, 8
WRITER = "db-a1"
STOPPED = ((), ("db-a3",), ("db-b2",), ("db-a2",))
"""5 nodes are 3 + 2, then 2 + 2, 2 + 1 and 1 + 1."""
WHOLE, SOME = 0.5, 0.02
"""A pair with less than half of the write-sets' bytes carries acknowledgements; below 2 % next to nothing."""


@dataclass(frozen=True)
class Layout:
    """What was counted with so many nodes."""

    nodes: str
    count: int
    segments: int
    write_set_bytes: int
    writer_bytes: int
    across_bytes: int
    back_bytes: int
    most_of_another: int
    pairs_with_writes: int
    pairs_with_some: int
    pairs: dict[str, int]

    def ratio(self, counted: int) -> str:
        """To the bytes of the write-sets."""
        return f"{counted / self.write_set_bytes:.2f}"

    def values(self) -> list[str]:
        """For a table."""
        return [
            f"{self.count} ({self.nodes})", str(self.segments), f"{self.write_set_bytes / 1e6:.2f} MB",
            *(self.ratio(one) for one in (self.writer_bytes, self.across_bytes, self.back_bytes, self.most_of_another)),
            str(self.pairs_with_writes), str(self.pairs_with_some),
        ]  # fmt: skip


HEAD = (
    "nodes", "segments", "write-sets", "writer sends", "writer's site to the other", "back",
    "most that another node sends", "pairs across with write-sets", "with 2 % or more",
)  # fmt: skip


def main() -> int:
    """Exit code 0 when all layouts were measured."""
    workspace = default_workspace(LIMIT_S)
    layouts: list[Layout] = []
    for segments in (1, 2):
        for layout in _with_segments(workspace, segments):
            layouts.append(layout)
            print(f"  {' | '.join(layout.values())}", flush=True)
    machine = describe()
    found = {"machine": machine, "layouts": [asdict(layout) for layout in layouts]}
    (workspace.folder / "bandwidth.json").write_text(json.dumps(found, indent=1) + "\n")
    page.publish(NAME, text_of(layouts, machine))
    return 0


def _with_segments(workspace: Workspace, segments: int) -> Iterator[Layout]:
    lab = Lab(workspace.lab_home, workspace.net)
    lab.down()
    try:
        lab.up(Settings(sizes=(3, 2), wan=True, one_cluster=True, segments=segments == 2, overrides=writes.RELAXED))
        lab.distance.set_round_trip(ROUND_TRIP_MS)
        writes.prepare(lab, WRITER)
        for names in STOPPED:
            for name in names:
                lab.stop(name)
            yield _counted(lab, segments)
    finally:
        lab.down()


def _counted(lab: Lab, segments: int) -> Layout:
    nodes = [node.name for node in lab.nodes if lab.state(node.name) == "running"]
    number = partial(writes.status_number, lab, WRITER, "wsrep_replicated_bytes")
    writes.wait_applied(lab, nodes)
    lab.distance.reset()
    before = number()
    writes.insert(lab, WRITER, ROWS, WRITERS)
    writes.wait_applied(lab, nodes)
    counted = {(pair["from"], pair["to"]): int(pair["bytes"]) for pair in lab.distance.report()["pairs"]}
    return _layout(nodes, segments, number() - before, {p: n for p, n in counted.items() if set(p) <= set(nodes)})


def _layout(nodes: list[str], segments: int, written: int, counted: dict[tuple[str, str], int]) -> Layout:
    sent = {node: sum(size for (source, _), size in counted.items() if source == node) for node in nodes}
    across = {pair: size for pair, size in counted.items() if site_of(pair[0]) == "a" and site_of(pair[1]) == "b"}
    back = sum(size for pair, size in counted.items() if site_of(pair[0]) == "b" and site_of(pair[1]) == "a")
    sizes = [sum(site_of(node) == site for node in nodes) for site in "ab"]
    return Layout(
        f"{sizes[0]} + {sizes[1]}", len(nodes), segments, written, sent[WRITER], sum(across.values()), back,
        max(size for node, size in sent.items() if node != WRITER),
        sum(size > WHOLE * written for size in across.values()),
        sum(size > SOME * written for size in across.values()),
        {f"{source} -> {target}": size for (source, target), size in counted.items()},
    )  # fmt: skip


def text_of(layouts: list[Layout], machine: dict[str, str]) -> str:
    """The tables of one run."""
    about = (
        f"{machine['date']}, {machine['MariaDB']}, Galera {machine['Galera']}; {ROWS:,} inserts of 1 KB by {WRITERS} "
        f"writers on {WRITER}, {ROUND_TRIP_MS:g} ms round trip between the sites. Numbers without a unit are bytes on "
        "the wire for one byte of write-sets."
    )
    parts = [about, page.table(HEAD, [layout.values() for layout in layouts]), _effect(layouts)]
    return "\n\n".join(part for part in parts if part)


def _effect(layouts: list[Layout]) -> str:
    """What two segments save, of layouts of the same run."""
    rows = []
    for one in layouts:
        two = next((each for each in layouts if each.segments == 2 and each.nodes == one.nodes), None)
        if one.segments == 1 and two is not None:
            saved = [
                (getattr(two, name) / two.write_set_bytes) / (getattr(one, name) / one.write_set_bytes)
                for name in ("writer_bytes", "across_bytes")
            ]
            rows.append([f"{one.count} ({one.nodes})", *(f"x {factor:.2f}" for factor in saved)])
    return page.table(("two segments against one", "writer sends", "writer's site to the other"), rows)
