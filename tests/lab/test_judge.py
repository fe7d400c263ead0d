"""The judge must be able to fail: every fault a replication can make is named as what it is."""

from __future__ import annotations

from dataclasses import replace

import pytest

from deploy.lab.load.ledger import Outcome, Write
from deploy.lab.verify.judge import KINDS, HeldRows, NodeContents, Verdict, judge
from deploy.lab.verify.report import as_json, as_lines, last_line

NODES = ("db-a1", "db-a2", "db-b1")
WHOLE = HeldRows(keyed=2, keyed_sum=50, appended=2, appended_parts=2, appended_sum=70)


def write(name: str, outcome: Outcome = "acknowledged") -> Write:
    return Write(name, "a", 2, outcome)


def contents(**changed: dict[str, HeldRows]) -> list[NodeContents]:
    """Three nodes that hold w1 and w2 entirely; `changed` replaces one node's rows (db_a1=...)."""
    return [NodeContents(node, changed.get(node.replace("-", "_"), {"w1": WHOLE, "w2": WHOLE})) for node in NODES]


def ledger(*extra: Write) -> dict[str, Write]:
    return {one.write_id: one for one in (write("w1"), write("w2"), *extra)}


def faults(verdict: Verdict) -> dict[str, dict[str, list[str]]]:
    return {kind: found for kind, found in verdict.faults.items() if found}


def test_judge__everything_everywhere__clean() -> None:
    verdict = judge(ledger(), contents())
    assert verdict.clean
    assert last_line(verdict) == "acknowledged 2, lost 0, doubled 0, nodes identical"


def test_judge__acknowledged_write_missing_on_one_node__lost_there() -> None:
    verdict = judge(ledger(), contents(db_b1={"w1": WHOLE}))
    assert faults(verdict) == {"lost": {"w2": ["db-b1"]}}
    assert not verdict.clean
    assert not verdict.identical


def test_judge__acknowledged_write_missing_on_all_nodes__lost_but_nodes_identical() -> None:
    rows = {"w1": WHOLE}
    verdict = judge(ledger(), contents(db_a1=rows, db_a2=rows, db_b1=rows))
    assert last_line(verdict) == "acknowledged 2, lost 1, doubled 0, nodes identical"
    assert not verdict.clean


@pytest.mark.parametrize("partial", [replace(WHOLE, keyed=1), replace(WHOLE, appended_parts=1, appended=1)])
def test_judge__acknowledged_write_only_in_part__lost(partial: HeldRows) -> None:
    verdict = judge(ledger(), contents(db_a2={"w1": WHOLE, "w2": partial}))
    assert verdict.faults["lost"] == {"w2": ["db-a2"]}


def test_judge__row_without_key_twice__doubled() -> None:
    twice = replace(WHOLE, appended=3, appended_sum=105)
    verdict = judge(ledger(), contents(db_b1={"w1": WHOLE, "w2": twice}))
    assert faults(verdict) == {"doubled": {"w2": ["db-b1"]}}
    assert last_line(verdict) == "acknowledged 2, lost 0, doubled 1, nodes differ"


def test_judge__doubled_on_every_node__still_doubled_though_nodes_agree() -> None:
    rows = {"w1": WHOLE, "w2": replace(WHOLE, appended=4)}
    verdict = judge(ledger(), contents(db_a1=rows, db_a2=rows, db_b1=rows))
    assert verdict.identical
    assert not verdict.clean


def test_judge__failed_write_present__ghost() -> None:
    rows = {"w1": WHOLE, "w2": WHOLE, "w3": WHOLE}
    verdict = judge(ledger(write("w3", "failed")), contents(db_a1=rows))
    assert faults(verdict) == {"ghosts": {"w3": ["db-a1"]}}


def test_judge__row_no_ledger_knows__ghost() -> None:
    verdict = judge(ledger(), contents(db_a1={"w1": WHOLE, "w2": WHOLE, "alien": WHOLE}))
    assert faults(verdict) == {"ghosts": {"alien": ["db-a1"]}}


@pytest.mark.parametrize("present", [True, False])
def test_judge__open_fate_same_everywhere__clean(present: bool) -> None:
    rows = {"w1": WHOLE, "w2": WHOLE} | ({"w3": WHOLE} if present else {})
    verdict = judge(ledger(write("w3", "indeterminate")), contents(db_a1=rows, db_a2=rows, db_b1=rows))
    assert verdict.clean
    assert (verdict.indeterminate, verdict.indeterminate_present) == (1, int(present))


def test_judge__open_fate_on_some_nodes__split() -> None:
    rows = {"w1": WHOLE, "w2": WHOLE, "w3": WHOLE}
    verdict = judge(ledger(write("w3", "indeterminate")), contents(db_a1=rows))
    assert faults(verdict) == {"split": {"w3": ["db-a2", "db-b1"]}}


def test_judge__rows_with_other_contents__different() -> None:
    other = replace(WHOLE, keyed_sum=51)
    verdict = judge(ledger(), contents(db_b1={"w1": WHOLE, "w2": other}))
    assert list(faults(verdict)) == ["different"]
    assert not verdict.identical


def test_judge__write_in_flight__not_judged() -> None:
    rows = {"w1": WHOLE, "w2": WHOLE, "w3": WHOLE}
    verdict = judge(ledger(write("w3", "in_flight")), contents(db_a1=rows))
    assert verdict.clean
    assert verdict.in_flight == 1


def test_judge__balance_not_the_sum_of_transfers__unclean() -> None:
    nodes = contents()
    nodes[0] = replace(nodes[0], wrong_balances=("a1-x-0",))
    verdict = judge(ledger(), nodes)
    assert not verdict.clean
    assert last_line(verdict) == "acknowledged 2, lost 0, doubled 0, nodes differ, wrong balances 1"


def test_judge__tables_differ__unclean_and_the_column_named() -> None:
    nodes = [replace(node, schema=frozenset({"transfers.note text"})) for node in contents()]
    nodes[2] = replace(nodes[2], schema=nodes[2].schema | {"transfers.extra int"})
    verdict = judge(ledger(), nodes)
    assert not verdict.clean
    assert f"  column transfers.extra int: only on {nodes[2].node}" in as_lines(verdict)
    assert last_line(verdict).endswith("nodes differ, tables differ")


def test_judge__no_node_read__unclean() -> None:
    assert not judge(ledger(), []).clean


def test_verdict__not_converged__unclean_and_said_last() -> None:
    verdict = judge(ledger(), contents())
    verdict.unsettled = ["db-b1 did not get what site a wrote within 3 s"]
    assert not verdict.clean
    assert as_lines(verdict)[-1].endswith("not settled")


def test_report__json__names_offenders_and_their_nodes() -> None:
    data = as_json(judge(ledger(), contents(db_b1={"w1": WHOLE})))
    assert data["clean"] is False
    assert data["lost"] == 1
    assert data["offenders"]["lost"] == {"w2": ["db-b1"]}
    assert set(KINDS) <= data.keys()
