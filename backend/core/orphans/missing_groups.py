"""Do rows stand on a side as groups that its log lacks left them? Asked of a log on one node and tables on another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from backend.core.binlog.groups import Group
from backend.core.locate.without_effect import RowsAnswer, RowsAsLeft
from backend.core.orphans.rebuilt_side import RowSource
from backend.core.orphans.row_proof import prove_left
from backend.core.orphans.transactions import TooManyError
from backend.core.ports import NodeError


def rows_as_left(rows: RowSource, source_id: str, replica_id: str, replica: str) -> RowsAsLeft:
    """Row images come from the new source's log, rows from the new replica's tables, with the operator account."""

    def count(asked: Sequence[str]) -> Mapping[str, int]:
        return rows.count(replica_id, asked)

    def ask(groups: Sequence[Group], missing: Sequence[Group]) -> RowsAnswer:
        ends = {group.end_position for group in missing}
        try:
            book = rows.book(source_id, replica_id, groups[0].begin_position, groups)
            proof = prove_left(book.transactions, ends, book.table_definitions, count, replica)
        except (NodeError, TooManyError) as error:
            return RowsAnswer(None, f"rows of {replica} cannot tell whether it is in effect there: {error}")
        return RowsAnswer(proof.agrees, proof.detail)

    return ask
