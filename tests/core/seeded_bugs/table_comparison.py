"""The rules by which rows of tables are called equal, or different, each taken out."""

from __future__ import annotations

from typing import Any

from tests.core.seeded_bugs.mutants import Change
from tests.core.seeded_bugs.rule import Rule, is_green

_WALK, _READ, _HISTORY = "table_comparison.walk", "table_comparison.statements", "table_comparison.row_history"


def _rule(name: str, test: str, change: Change, *given: Any, of: str = "test_walk") -> Rule:
    return Rule(name, (change,), lambda core: is_green(core, f"table_comparison.{of}", test, *given))


RULES = (
    _rule(
        "a_row_on_its_way_is_not_called_different",
        "test_walk__a_row_is_on_its_way__it_is_looked_up_again_and_equal",
        (_WALK, "    return snapshots.touched is None or shape.name in snapshots.touched\n", "    return False\n"),
        ("shop.orders",),
    ),
    _rule(
        "where_it_is_unknown_what_lies_between_nothing_is_confirmed",
        "test_walk__a_row_is_on_its_way__it_is_looked_up_again_and_equal",
        (_WALK, "snapshots.touched is None or shape.name in snapshots.touched", "shape.name in (snapshots.touched or ())"),
        None,
    ),
    _rule(
        "a_row_that_differed_is_not_forgotten",
        "test_walk__written_all_the_time__a_lasting_difference_is_told_as_unconfirmed",
        (_WALK, "        doubts = (*walk.doubts, *map(Doubt, apart))\n", "        doubts = walk.doubts\n"),
    ),
    _rule(
        "rows_without_a_digest_are_never_equal",
        "test_walk__a_digest_that_the_server_cannot_compute__is_not_equal",
        (_WALK, " for node_id, digest in digests.items() if digest.unread]", " for node_id, digest in ()]"),
    ),
    _rule(
        "rows_behind_the_last_key_of_the_reference_are_read",
        "test_walk__rows_missing_and_extra__each_is_named_also_before_and_behind_all_others",
        (_WALK, "    upto = statements.key_of(shape, last[0]) if last else None\n",
         "    upto = statements.key_of(shape, last[0]) if last else (95,)\n"),
    ),
    _rule(
        "twins_are_counted",
        "test_walk__no_key_and_twins_in_place_of_others__sums_differ",
        (_READ, "FROM (SELECT {_row_digest(shape)}", "FROM (SELECT DISTINCT {_row_digest(shape)}"),
    ),
    _rule(
        "a_row_is_as_logged_if_the_first_change_found_it_so",
        "test_row__as_the_first_change_found_it__was_so_before",
        (_HISTORY, "            self.was_before = self._is_found(before)\n", "            self.was_before = False\n"),
        of="test_row_history",
    ),
    _rule(
        "a_change_that_was_not_read_leaves_a_row_unknown",
        "test_row__a_change_that_cannot_be_read__unknown",
        (_HISTORY, "return None if self.unread or not self.changes else False", "return False if self.changes else None"),
        of="test_row_history",
    ),
    _rule(
        "a_statement_that_was_logged_as_text_leaves_a_row_unknown",
        "test_row__a_statement_that_names_its_table__unknown_what_it_left",
        (_HISTORY, "        elif event.kind in (QUERY, QUERY_COMPRESSED) and _may_change(event, shape):\n",
         "        elif False:\n"),
        "UPDATE small SET name = 'x'",
        of="test_row_history",
    ),
)  # fmt: skip
PREVENTS = {
    "a_row_on_its_way_is_not_called_different": "a row that a channel is bringing is called different, and mended over",
    "where_it_is_unknown_what_lies_between_nothing_is_confirmed": "a row behind a schema change is called different",
    "a_row_that_differed_is_not_forgotten": "tables that are always written are called equal whatever they hold",
    "rows_without_a_digest_are_never_equal": "rows that no server could compute are called equal",
    "rows_behind_the_last_key_of_the_reference_are_read": "rows that a replica has behind all others are not seen",
    "twins_are_counted": "a table without a key that holds a row twice is called equal to one that holds it once",
    "a_row_is_as_logged_if_the_first_change_found_it_so": "a row that nobody touched is called changed without a log",
    "a_change_that_was_not_read_leaves_a_row_unknown": "a row that a logged change left so is called changed without one",
    "a_statement_that_was_logged_as_text_leaves_a_row_unknown": "a row that a statement wrote is called changed without a log",
}
