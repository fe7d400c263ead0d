"""What the load remembers of its writes."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from deploy.lab.load.ledger import Ledger, Part, Write, parse, read_all
from deploy.lab.load.transactions import LARGEST_WRITE, new_write, statements
from deploy.lab.load.writer import commit_outcome
from deploy.lab.verify.run import before_cut


def test_ledger__written_and_read__same_outcomes(tmp_path: Path) -> None:
    book = Ledger(tmp_path, "a1-x", "a")
    for name in ("w1", "w2", "w3"):
        book.intend(name, "db-a1", [Part("a1-x-0", 5), Part("a1-x-1", -5)])
    book.record_outcome("w1", "acknowledged")
    book.record_outcome("w2", "failed", "deadlock")
    book.note({"sql": "CREATE TABLE t (id INT)"})
    book.close()
    found = read_all(tmp_path, ended=True)
    assert {name: one.outcome for name, one in found.items()} == {
        "w1": "acknowledged",
        "w2": "failed",
        "w3": "indeterminate",
    }
    assert {one.parts for one in found.values()} == {2}


def test_ledger__intent_without_result_while_load_runs__in_flight() -> None:
    (found,) = parse(['{"w":"w1","s":"b","n":"db-b1","p":1}\n'], ended=False)
    assert found.outcome == "in_flight"


def test_ledger__torn_last_line__ignored() -> None:
    lines = ['{"w":"w1","s":"b","n":"db-b1","p":1}\n', '{"w":"w1","o":"acknow']
    (found,) = parse(lines, ended=True)
    assert found.outcome == "indeterminate"


def test_ledger__same_writer_twice__refused(tmp_path: Path) -> None:
    Ledger(tmp_path, "a1-x", "a").close()
    with pytest.raises(FileExistsError):
        Ledger(tmp_path, "a1-x", "a")


def test_cut__write_acknowledged_after_the_cut__stays_in_flight() -> None:
    cut = {"w1": Write("w1", "a", 1, "in_flight")}
    writes = {"w1": Write("w1", "a", 1, "acknowledged"), "w2": Write("w2", "a", 1, "acknowledged")}
    assert {name: one.outcome for name, one in before_cut(cut, writes).items()} == {
        "w1": "in_flight",
        "w2": "in_flight",
    }


def test_work__many_writes__accounts_belong_to_the_writer_and_ids_differ() -> None:
    rng = random.Random(7)
    made = [new_write(rng, "b2-y") for _ in range(500)]
    assert len({write_id for write_id, _ in made}) == 500
    assert all(part.account.startswith("b2-y-") for _, parts in made for part in parts)
    assert {len(parts) for _, parts in made} >= {1, 2, LARGEST_WRITE}


def test_work__statements__three_a_part() -> None:
    sql = [text for text, _ in statements("w", [Part("x", 1), Part("y", -2)], "db-a1")]
    assert len(sql) == 6


@pytest.mark.parametrize(
    ("code", "outcome"),
    [(1213, "failed"), (1290, "failed"), (2013, "indeterminate"), (1047, "indeterminate"), (1180, "indeterminate")],
)
def test_commit_outcome__error_code__certain_only_where_the_server_rolled_back(code: int, outcome: str) -> None:
    assert commit_outcome(Exception(code, "text")) == outcome
