"""The rules by which two logs' groups count as the same."""

from __future__ import annotations

from typing import Any

from tests.core.seeded_bugs.mutants import Copy
from tests.core.seeded_bugs.rule import Rule, is_green

PREVENTS = {
    "table_maps_are_no_content": "where a trigger or a cascade wrote, every move off a lost node is refused",
    "a_texts_change_is_another_group": "another transaction on the same table passes for the one that was applied",
    "a_rows_size_is_part_of_a_group": "another row of the same table passes for the one that was applied",
    "which_table_a_row_is_of_counts": "a write to another table passes for the one that was applied",
    "sizes_of_partial_row_images_are_not_compared": "binlog_row_image=MINIMAL on one node refuses every move",
    "sizes_of_compressed_rows_do_not_compare": "log_bin_compress on one side refuses every move",
    "a_dropped_text_is_no_other_text": "replicate_annotate_row_events=OFF on one side refuses every move",
    "how_a_group_ends_is_no_content": "where a MyISAM table is replicated in total order, every move is refused",
    "tables_outside_innodb_are_named": "a position is refused, and no operator learns that rows stand on one node only",
    "an_offset_that_the_dump_protocol_cannot_name_is_not_used": (
        "behind a transaction of more than 4 GiB the replica is sent the file again from its beginning"
    ),
    "rows_of_a_sequence_stand_anywhere": "where an application takes numbers from a SEQUENCE, moves are refused",
    "the_first_half_of_an_alter_is_no_group": (
        "a position is put behind an ALTER that the replica has not executed, and the column is missing for ever"
    ),
    "a_flush_is_no_group": "once a certificate is renewed, every move off the lost node is refused",
    "an_alter_taken_back_is_no_group": "after an ALTER that failed every move off the node that tried it is refused",
    "a_named_definer_is_no_other_statement": "after ALTER EVENT every move off the node that sent it is refused",
    "another_definer_is_another_statement": "another ALTER EVENT passes for the one that was applied",
    "dropped_if_it_exists_is_dropped": "after DROP TABLE every move off a lost node is refused",
    "settings_that_leave_content_out_are_named": "a position is refused, and no operator learns that a setting is why",
}


def _is_proven(core: Copy, *settings: tuple[str, str], statement: str | None = None) -> bool:
    """Whether a link whose nodes have these settings is moved off its lost source."""
    worlds = core["tests.core.builders.worlds"]
    world = _world(core, *settings)
    world.write_times(12, "a3", statement, remembers=True)
    world.kill("a1")
    return bool(worlds.forward(worlds.ask(world, "a2", "b1")).is_proven)


def _world(core: Copy, *settings: tuple[str, str]) -> Any:
    world = core["tests.fakes.world"].FakeWorld()
    for node, setting in settings:
        core["tests.fakes.log_settings"].SETTINGS[setting](world.node(node))
    world.connect_both_ways()
    return world


def _differ(core: Copy, **changed: object) -> bool:
    """Whether two groups that differ in this alone count as two."""
    log, groups = core["tests.fakes.log"].FakeLog(), core["backend.core.binlog.groups"]
    txn = core["tests.fakes.transactions"].Txn
    for more in ({}, changed):
        log.append(txn(**({"uid": 1, "server_id": 11, "statement": "INSERT"} | more)), 101)
    one, other = groups.read_groups([event for file in log.retained for event in file.events])
    return not core["backend.core.binlog.content"].is_same(one.content, other.content)


ALTER, START, ROLLBACK = "ALTER TABLE orders ADD c INT", "START ALTER", "ROLLBACK ALTER id=900"


def _waits_for_alter(core: Copy) -> bool:
    """Whether the whole ALTER follows a position of which the receiving side has the first half."""
    world = _world(core)
    world.write_times(12, "a3", remembers=True)
    world.write("a1", ALTER, kind="ddl")
    for node in ("b1", "b2", "b3"):
        _put_half(world.node(node).log, START)
    world.kill("a1")
    located = core["tests.core.builders.worlds"].forward(core["tests.core.builders.worlds"].ask(world, "a2", "b1"))
    return bool(located.is_proven and located.next_groups and located.next_groups[0].statement == ALTER)


def _is_proven_behind_failed_alter(core: Copy) -> bool:
    """Whether a position is found behind halves that the new source's log does not have."""
    world = _world(core)
    world.write_times(6, "a3", remembers=True)
    for node in ("b1", "b2", "b3"):
        _put_half(world.node(node).log, START)
        _put_half(world.node(node).log, ROLLBACK)
    world.write_times(3, "a3", ticks=True)
    world.kill("a1")
    worlds = core["tests.core.builders.worlds"]
    return bool(worlds.forward(worlds.ask(world, "a2", "b1")).is_proven)


def _put_half(log: Any, half: str) -> None:
    log.retained[-1].put("Gtid", 11, 42, f"GTID 0-11-900 {half}")
    log.retained[-1].put("Query", 11, 119, ALTER)


def _same(core: Copy, one: str, other: str) -> bool:
    """Whether these statements of one server count as the same group."""
    event, groups = core["backend.core.binlog.events"].LogEvent, core["backend.core.binlog.groups"]
    contents = []
    for text in (one, other):
        events = [event("binlog.1", 4, "Gtid", 11, 46, "GTID 0-11-4"), event("binlog.1", 46, "Query", 11, 146, text)]
        contents += [group.content for group in groups.read_groups(events)]
    return bool(core["backend.core.binlog.content"].is_same(*contents))


def _is_expressible(core: Copy) -> bool:
    """Whether a position behind a huge transaction is one that a replica can ask for."""
    worlds, world = core["tests.core.builders.worlds"], _world(core)
    world.write_times(12, "a3", remembers=True)
    world.write("a3", row_events=5, row_bytes=10**9)
    world.node("a2").log.rotate()
    world.tick()
    world.kill("a1")
    located = worlds.forward(worlds.ask(world, "a2", "b1"))
    return not located.is_proven or located.position.offset < 2**32


def _sequence_is_one_content(core: Copy) -> bool:
    """Whether the writer's log and an applier's say the same of a statement that took a number."""
    events, groups = core["backend.core.binlog.events"], core["backend.core.binlog.groups"]
    rows = [("Write_rows_v1", 50 + 41 * (n == 2), f"table_id: {n} flags: STMT_END_F") for n in (1, 2)]
    maps = [("Table_map", 50, f"table_id: {n} (shop.t{n})") for n in (1, 2)]
    contents = []
    for order in (rows, rows[::-1]):
        log, at = [], 100
        for kind, size, info in (("Gtid", 42, "BEGIN GTID 0-11-1"), *maps, *order, ("Xid", 31, "COMMIT /* xid=7 */")):
            log.append(events.LogEvent("b.1", at, kind, 11, at + size, info))
            at += size
        contents += [group.content for group in groups.read_groups(log)]
    return core["backend.core.binlog.content"].is_same(*contents)


def _named(core: Copy) -> bool:
    """Nothing but content could tell, and rows without texts and sizes all look alike."""
    worlds = core["tests.core.builders.worlds"]
    world = _world(core, ("a2", "minimal"), ("b1", "no texts"))
    world.remember()
    for is_applied in (True, False):
        for _ in range(12):
            world.write("a1", shape="plain")
        if is_applied:
            world.tick()
            world.kill("b1")
    located = worlds.forward(worlds.ask(world, "a2", "b2"))
    return not located.is_proven and any("binlog_row_image" in reason for reason in located.reasons)


def _outside_named(core: Copy) -> bool:
    worlds, lost = core["tests.core.builders.worlds"], core["tests.core.facts.test_engines"].lost
    located = worlds.forward(worlds.ask(lost(is_replicated=False), "a2", "b1"))
    return not located.is_proven and any("shop.notes (MyISAM)" in reason for reason in located.reasons)


CONTENT = "binlog.content"
RULES = (
    Rule(
        "table_maps_are_no_content",
        ((CONTENT, '"Xid", "Table_map", "Annotate_rows"', '"Xid", "Annotate_rows"'),),
        _is_proven,
    ),
    Rule(
        "a_texts_change_is_another_group",
        ((CONTENT, "_digest(texts, 20) if texts else _UNKNOWN", "_UNKNOWN"),),
        lambda c: _differ(c, statement="DELETE"),
    ),
    Rule(
        "a_rows_size_is_part_of_a_group",
        (
            (
                CONTENT,
                "_UNKNOWN if row_images is RowImages.PARTIAL else _sizes(rows, _bytes_missing(events[-1]), row_images)",
                "_UNKNOWN",
            ),
        ),
        lambda c: _differ(c, row_bytes=41),
    ),
    Rule(
        "which_table_a_row_is_of_counts",
        ((CONTENT, "{tables.get(number[1]) if number else event.info}", ""),),
        lambda c: _differ(c, table="shop.items"),
    ),
    Rule(
        "sizes_of_partial_row_images_are_not_compared",
        (("binlog.logs", "    images = full if is_full else RowImages.PARTIAL", "    images = full"),),
        lambda c: _is_proven(c, ("a2", "minimal")),
    ),
    Rule(
        "sizes_of_compressed_rows_do_not_compare",
        ((CONTENT, "not {_UNKNOWN, _COMPRESSED} & {one, other}", "_UNKNOWN not in {one, other}"),),
        lambda c: _is_proven(c, ("b1", "compressed")),
    ),
    Rule(
        "a_dropped_text_is_no_other_text",
        ((CONTENT, "not {_UNKNOWN, _COMPRESSED} & {one, other}", "_COMPRESSED not in {one, other}"),),
        lambda c: _is_proven(c, ("b1", "no texts")),
    ),
    Rule(
        "how_a_group_ends_is_no_content",
        ((CONTENT, 'if event.info != "COMMIT":', "if True:"),),
        lambda c: not _differ(c, kind="other"),
    ),
    Rule(
        "an_offset_that_the_dump_protocol_cannot_name_is_not_used",
        (("locate.dump_offset", "or not is_beyond(position)", "or True"),),
        _is_expressible,
    ),
    Rule(
        "rows_of_a_sequence_stand_anywhere",
        ((CONTENT, "    if len(statements) > 1:", "    if False:"),),
        _sequence_is_one_content,
    ),
    Rule(
        "tables_outside_innodb_are_named",
        (("locate.results", "    if not_innodb:", "    if False:"),),
        _outside_named,
    ),
    Rule(
        "the_first_half_of_an_alter_is_no_group",
        (("binlog.window", "        if group.changes_nothing:", "        if False:"),),
        _waits_for_alter,
    ),
    Rule(
        "a_flush_is_no_group",
        (("binlog.groups", " or (standalone and _FLUSH.match(event.info) is not None)", ""),),
        lambda core: is_green(
            core, "locate.test_flush", "test_locate__source_logged_a_flush_alone_and_is_lost__proven", 0
        ),
    ),
    Rule(
        "an_alter_taken_back_is_no_group",
        (("dialects.mariadb.evidence", "(START|ROLLBACK) ALTER", "(START) ALTER"),),
        _is_proven_behind_failed_alter,
    ),
    Rule(
        "a_named_definer_is_no_other_statement",
        ((CONTENT, "compared_statement(event.info).text", "event.info"),),
        lambda c: _same(c, "ALTER EVENT e ENABLE", "ALTER DEFINER=`u`@`%` EVENT e ENABLE"),
    ),
    Rule(
        "another_definer_is_another_statement",
        ((CONTENT, "    texts += [query.definer for query in queries if query.definer]\n", ""),),
        lambda c: not _same(c, "ALTER DEFINER='a'@'%' EVENT e ENABLE", "ALTER DEFINER=`u`@`%` EVENT e ENABLE"),
    ),
    Rule(
        "dropped_if_it_exists_is_dropped",
        (("binlog.compared_statement", "if match := _DROP.fullmatch(statement):", "if match := None:"),),
        lambda c: _same(
            c,
            "DROP TABLE `m` /* generated by server */",
            "DROP TABLE IF EXISTS `m` /* generated by server */",
        ),
    ),
    Rule(
        "settings_that_leave_content_out_are_named",
        (("locate.search_inputs", "log_settings=tuple(log_content_findings((source, replica)))", "log_settings=()"),),
        _named,
    ),
)
