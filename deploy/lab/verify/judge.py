"""The judge. Pure: ledgers and node contents in, a verdict out.

A write is *lost* if it was acknowledged and a judged node lacks any of its rows, *doubled* if a node holds a row of the
table without a unique key twice, a *ghost* if it failed (or was never made) and is there, *split* if its fate was open
and some nodes have it while others do not, *different* if its rows are not the same on all nodes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from deploy.lab.load.ledger import Write

KINDS = ("lost", "doubled", "ghosts", "split", "different")
SHOWN = 20


@dataclass(frozen=True)
class HeldRows:
    """What one node holds of one write: rows in the keyed and the append-only table, and sums of their checksums."""

    keyed: int = 0
    keyed_sum: int = 0
    appended: int = 0
    appended_parts: int = 0
    appended_sum: int = 0

    @property
    def doubled(self) -> bool:
        return self.appended > self.appended_parts

    def complete(self, parts: int) -> bool:
        """Whether every part is there in both tables."""
        return self.keyed == parts and self.appended_parts == parts

    @property
    def empty(self) -> bool:
        return self.keyed == 0 and self.appended == 0

    def same_rows(self, other: HeldRows) -> bool:
        """Equal contents; doubling is a fault of its own and does not count as a difference."""
        if self.doubled or other.doubled:
            return self.keyed_sum == other.keyed_sum
        return (self.keyed_sum, self.appended_sum) == (other.keyed_sum, other.appended_sum)


NOTHING = HeldRows()


@dataclass(frozen=True)
class NodeContents:
    """One judged node: its writes, the accounts whose balance is not the sum of its transfers, its columns."""

    node: str
    writes: Mapping[str, HeldRows]
    wrong_balances: tuple[str, ...] = ()
    schema: frozenset[str] = frozenset()


@dataclass
class Verdict:
    """What was found. `clean` needs settled nodes and no fault of any kind.

    `faults[kind][write id]` are the nodes concerned, `columns_not_everywhere[column]` those that have it so.
    """

    acknowledged: int = 0
    acknowledged_by_site: dict[str, int] = field(default_factory=dict)
    failed: int = 0
    indeterminate: int = 0
    indeterminate_present: int = 0
    in_flight: int = 0
    nodes: list[str] = field(default_factory=list)
    faults: dict[str, dict[str, list[str]]] = field(default_factory=lambda: {kind: {} for kind in KINDS})
    wrong_balances: dict[str, list[str]] = field(default_factory=dict)
    columns_not_everywhere: dict[str, list[str]] = field(default_factory=dict)
    unsettled: list[str] = field(default_factory=list)

    @property
    def identical(self) -> bool:
        """Whether all judged nodes hold the same."""
        same = not (self.faults["different"] or self.faults["split"] or self.wrong_balances)
        return same and not self.columns_not_everywhere and not self._present_only_somewhere()

    def _present_only_somewhere(self) -> bool:
        partial = (self.faults["lost"], self.faults["doubled"], self.faults["ghosts"])
        return any(set(nodes) != set(self.nodes) for kind in partial for nodes in kind.values())

    @property
    def clean(self) -> bool:
        """No fault, nothing unsettled, and something was judged."""
        return bool(self.nodes) and self.identical and not any(self.faults.values()) and not self.unsettled


def judge(writes: Mapping[str, Write], contents: list[NodeContents]) -> Verdict:
    """Judge every settled write on every given node.

    `writes` must have been read after `contents`, so that a row without a ledger line is a ghost and not a newcomer.
    """
    verdict = Verdict(nodes=[node.node for node in contents])
    for write in writes.values():
        _count(verdict, write)
        if write.outcome != "in_flight":
            _judge_write(verdict, write, contents)
    known = writes.keys()
    for node in contents:
        _add(verdict, "ghosts", ((write_id, node.node) for write_id in node.writes.keys() - known))
        if node.wrong_balances:
            verdict.wrong_balances[node.node] = list(node.wrong_balances)
    verdict.columns_not_everywhere = _columns_not_everywhere(contents)
    return verdict


def _columns_not_everywhere(contents: list[NodeContents]) -> dict[str, list[str]]:
    """Columns that are not the same on all nodes -> the nodes that have them so."""
    schemas = [node.schema for node in contents]
    some = {column for schema in schemas for column in schema if not all(column in other for other in schemas)}
    return {column: [node.node for node in contents if column in node.schema] for column in sorted(some)}


def _count(verdict: Verdict, write: Write) -> None:
    if write.outcome == "acknowledged":
        verdict.acknowledged += 1
        verdict.acknowledged_by_site[write.site] = verdict.acknowledged_by_site.get(write.site, 0) + 1
    else:
        setattr(verdict, write.outcome, getattr(verdict, write.outcome) + 1)


def _judge_write(verdict: Verdict, write: Write, contents: list[NodeContents]) -> None:
    held = {node.node: node.writes.get(write.write_id, NOTHING) for node in contents}
    absent = [node for node, rows in held.items() if not rows.complete(write.parts)]
    present = [node for node, rows in held.items() if not rows.empty]
    one = write.write_id
    _add(verdict, "doubled", ((one, node) for node, rows in held.items() if rows.doubled))
    if write.outcome == "acknowledged":
        _add(verdict, "lost", ((one, node) for node in absent))
    elif write.outcome == "failed":
        _add(verdict, "ghosts", ((one, node) for node in present))
    elif present:
        verdict.indeterminate_present += 1
        _add(verdict, "split", ((one, node) for node in absent))
    whole = [rows for rows in held.values() if rows.complete(write.parts)]
    if any(not rows.same_rows(whole[0]) for rows in whole[1:]):
        _add(verdict, "different", ((one, node) for node in held))


def _add(verdict: Verdict, kind: str, found: Iterable[tuple[str, str]]) -> None:
    for write_id, node in found:
        verdict.faults[kind].setdefault(write_id, []).append(node)
