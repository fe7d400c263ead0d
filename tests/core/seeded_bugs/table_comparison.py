"""The rules by which rows of tables are called equal, or different, each taken out."""

from __future__ import annotations

from typing import Any

from tests.core.seeded_bugs.mutants import Change
from tests.core.seeded_bugs.rule import Rule, is_green

_WALK, _READ = "table_comparison.walk", "table_comparison.statements"


def _rule(name: str, test: str, change: Change, *given: Any) -> Rule:
    return Rule(name, (change,), lambda core: is_green(core, "table_comparison.test_walk", test, *given))


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
)  # fmt: skip
PREVENTS = {
    "a_row_on_its_way_is_not_called_different": "a row that a channel is bringing is called different, and mended over",
    "where_it_is_unknown_what_lies_between_nothing_is_confirmed": "a row behind a schema change is called different",
    "a_row_that_differed_is_not_forgotten": "tables that are always written are called equal whatever they hold",
    "rows_without_a_digest_are_never_equal": "rows that no server could compute are called equal",
    "rows_behind_the_last_key_of_the_reference_are_read": "rows that a replica has behind all others are not seen",
    "twins_are_counted": "a table without a key that holds a row twice is called equal to one that holds it once",
}
