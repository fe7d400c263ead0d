"""The safety rules of changes of definitions among orphans."""

from __future__ import annotations

from tests.core.seeded_bugs.mutants import Copy
from tests.core.seeded_bugs.rule import Rule

_PACKAGE = "backend.core.orphans.schema_changes"
_ROOM = "orphans.schema_changes"
PARSE, HISTORY, EVENT = f"{_ROOM}.parse", f"{_ROOM}.history", f"{_ROOM}.query_event"
CHECKS, STATEMENTS, REPORT, TALLY = f"{_ROOM}.checks", f"{_ROOM}.statements", "orphans.report", "orphans.tally"


def _refused(core: Copy, sql: str) -> bool:
    try:
        core[f"backend.core.{PARSE}"].parse_schema_change(sql, "shop")
    except core[f"{_PACKAGE}.tokens"].UnsupportedChangeError:
        return True
    return False


def _computed_default(core: Copy) -> bool:
    return _refused(core, "ALTER TABLE t ADD c DATETIME DEFAULT CURRENT_TIMESTAMP")


def _no_known_type(core: Copy) -> bool:
    return _refused(core, "ALTER TABLE t ADD PRIMARY KEY (a)")


def _from_a_query(core: Copy) -> bool:
    return _refused(core, "CREATE TABLE t (SELECT 1 AS id)")


def _own_schemas(core: Copy) -> bool:
    return _refused(core, "CREATE TABLE mysql.t (id INT)")


def _another_grammar(core: Copy) -> bool:
    tests = core["tests.core.orphans.schema_changes.test_query_event"]
    change = core[f"backend.core.{PARSE}"].parse_schema_change(tests.SQL, "shop")
    try:
        core[f"backend.core.{EVENT}"].as_sent(
            change, core[f"backend.core.{EVENT}"].read_query_event(tests.QUERY, tests.body(sql_mode=4))
        )
    except core[f"{_PACKAGE}.tokens"].UnsupportedChangeError:
        return True
    return False


def _table_of_before(core: Copy) -> bool:
    history = core["tests.core.orphans.schema_changes.test_history"].history("DROP TABLE t")
    return bool(history.refused and not history.void)


def _definition_of_then(core: Copy) -> bool:
    tests = core["tests.core.orphans.schema_changes.test_history"]
    history = tests.history("ALTER TABLE t ADD a INT", "ALTER TABLE t ADD b INT")
    return [history.version("shop.t", passed) for passed in range(3)] == [2, 1, 0]


def _key_added(core: Copy) -> bool:
    tests = core["tests.core.orphans.schema_changes.test_history"]
    before = tests.history("CREATE UNIQUE INDEX k ON t (id)").shape(tests.shape("id", "b"), 1)
    return bool(before.refusals)


def _empty_table(core: Copy) -> bool:
    undo = core[f"backend.core.{STATEMENTS}"].undo_change(
        core[f"backend.core.{PARSE}"].parse_schema_change("CREATE TABLE t (id INT)", "shop")
    )
    return "`shop`.`t`" in undo.must_be_none


def _no_trace(core: Copy) -> bool:
    steps = core["tests.core.orphans.schema_changes.test_steps"]
    one = steps.with_changes(is_void=True).changes[0]
    way = core["backend.core.orphans.progress_marker"].OrphanAction.REPLAY
    return core[f"backend.core.{REPORT}"].schema_statement_of(one, way) is None


def _read_by_an_older_version(core: Copy) -> bool:
    worlds, model = core["tests.core.builders.orphan_worlds"], core["backend.core.orphans.model"]
    one = worlds.transaction(0, [], kind=model.TransactionKind.DDL)
    return bool(core[f"backend.core.{TALLY}"].refusal_of(one))


def _others_rows(core: Copy) -> bool:
    tests = core["tests.core.orphans.schema_changes.test_checks"]
    node = tests.OneNode(answers={"information_schema.TABLES": 1, "FROM `shop`.`t`": 3})
    checks = tests.checks(tests.CREATE)
    return bool(list(checks.against_undo(node, [tests.TableCount("shop", "t", inserts=2)])))


def _another_table(core: Copy) -> bool:
    tests = core["tests.core.orphans.schema_changes.test_checks"]
    there = tests.replace(tests.T, columns=(tests.ID, tests.OTHER))
    checks = tests.checks(tests.ADD, there=there)
    return bool(list(checks.against_replay(tests.OneNode())))


RULES = (
    Rule(
        "an_added_column_has_a_constant_default",
        ((PARSE, "not self._is_constant(tokens[i + 1 :])", "False"),),
        _computed_default,
    ),
    Rule("an_added_column_has_a_known_type", ((PARSE, "tokens[0].word not in _TYPES", "False"),), _no_known_type),
    Rule(
        "a_table_made_from_a_query_is_not_replayed",
        ((PARSE, 'any(token.word in ("SELECT", "UNION", "VALUES") for token in rest)', "False"),),
        _from_a_query,
    ),
    Rule(
        "only_applications_definitions_are_changed",
        ((PARSE, "change.schema.lower() in _NOT_OURS", "False"),),
        _own_schemas,
    ),
    Rule(
        "a_statement_means_what_its_sql_mode_says",
        ((EVENT, "event.sql_mode & _OTHER_GRAMMAR", "False"),),
        _another_grammar,
    ),
    Rule(
        "a_table_of_before_that_was_dropped_has_no_inverse",
        ((HISTORY, "self.refused[ordinal] = NO_INVERSE", "void.add(ordinal)"),),
        _table_of_before,
    ),
    Rule(
        "rows_are_read_under_the_definition_of_then",
        ((HISTORY, "if ordinal >= passed and ordinal", "if ordinal"),),
        _definition_of_then,
    ),
    Rule(
        "rows_under_two_keys_are_not_followed",
        ((HISTORY, "if shape.key != now.key:", "if False:"),),
        _key_added,
    ),
    Rule(
        "a_created_table_goes_only_empty",
        ((STATEMENTS, 'f"SELECT COUNT(*) AS n FROM (SELECT 1 FROM {table} LIMIT 1) AS one"', "NOTHING_FORBIDS"),),
        _empty_table,
    ),
    Rule(
        "a_table_created_and_dropped_is_not_created_again",
        ((REPORT, "transaction.change is None or transaction.is_void", "transaction.change is None"),),
        _no_trace,
    ),
    Rule(
        "a_definition_kept_without_its_change_is_refused",
        ((TALLY, "if one.change is not None and not one.refusal:", "if not one.refusal:"),),
        _read_by_an_older_version,
    ),
    Rule(
        "a_created_tables_rows_are_all_the_orphans",
        ((CHECKS, "    if stands != ours:", "    if stands < ours:"),),
        _others_rows,
    ),
    Rule(
        "a_definition_is_replayed_only_on_the_table_it_changed",
        ((CHECKS, "if any(_is_same(shape, there) for shape in versions):", "if True:"),),
        _another_table,
    ),
)

PREVENTS = {
    "an_added_column_has_a_constant_default": "rows are given the moment of the replay, and differ from the orphans'",
    "an_added_column_has_a_known_type": "a primary key is taken for a column, and dropped as one",
    "a_table_made_from_a_query_is_not_replayed": "the table holds what the query finds on another side",
    "only_applications_definitions_are_changed": "a table of the server's own is created or dropped",
    "a_statement_means_what_its_sql_mode_says": "a text is taken for a name, or a name for a text",
    "a_table_of_before_that_was_dropped_has_no_inverse": "a table's rows are lost without a finding",
    "rows_are_read_under_the_definition_of_then": "cells are read as another column's",
    "rows_under_two_keys_are_not_followed": "a chain of changes to one row is judged as changes to several",
    "a_created_table_goes_only_empty": "rows that are no orphans go with the table",
    "a_table_created_and_dropped_is_not_created_again": "a table exists on the survivor that no longer exists elsewhere",
    "a_definition_kept_without_its_change_is_refused": "an undo passes over a change of a definition, unsaid",
    "a_created_tables_rows_are_all_the_orphans": "an undo is begun that must stop behind its point of no return",
    "a_definition_is_replayed_only_on_the_table_it_changed": "a replay stops half way on a table that is another one",
}
