"""The safety rules of replay and undo: what is compared before a row is changed."""

from __future__ import annotations

from typing import Any

from tests.core.seeded_bugs.mutants import Copy
from tests.core.seeded_bugs.rule import Rule


def _undone(
    core: Copy, *own: tuple[int, bytes], theirs: tuple[int, bytes] = (1, b"n"), overwritten: bool = False
) -> Any:
    """What is left of the undo of one orphan, which changed row 1 from `n` to `x`."""
    undo, worlds = core["tests.core.orphans.test_undo"], core["tests.core.builders.orphan_worlds"]
    log = {undo.key(worlds.row(1)): 1} if overwritten else {}
    sides = (undo.tables_with(*(worlds.row(*one) for one in own)), undo.tables_with(worlds.row(*theirs)))
    (part,) = undo.judged(undo.CHANGED, *sides, log)
    return part


def _overwritten_in_the_log(core: Copy) -> bool:
    return bool(_undone(core, (1, b"x"), theirs=(1, b"later"), overwritten=True).settled == 1)


def _lacks_a_stored_value(core: Copy) -> bool:
    """Whether an image without a column that the server does not compute is refused."""
    tests = core["tests.core.orphans.test_generated_columns"]
    try:
        tests.images(tests.UPDATE, b"\x03\x03" + b"\x00" + tests.ints(1, 2) + b"\x00" + tests.ints(1, 2))
    except tests.UnreadableError:
        return True
    return False


def _changed_alike(core: Copy) -> bool:
    return bool(_undone(core, (1, b"x"), theirs=(1, b"x")).settled == 1)


def _inserted_alike(core: Copy) -> bool:
    undo, worlds = core["tests.core.orphans.test_undo"], core["tests.core.builders.orphan_worlds"]
    inserted, changed = worlds.row(1, b"w"), worlds.row(1)
    book = worlds.book_of([[worlds.insert(inserted)], [worlds.update(inserted, changed)]])
    parts = undo.judged(book, undo.tables_with(changed), undo.tables_with(changed))
    return bool(not any(part.settled for part in parts))


def _neither(core: Copy) -> bool:
    return _undone(core, (1, b"by hand")).conflict is not None


def _order_of_the_log(core: Copy) -> bool:
    """An orphan behind the channel's write is undone."""
    reading, logs = core["tests.core.orphans.test_reading"], core["tests.core.builders.raw_logs"]
    log = logs.RawLog()
    log.write(11, None, (1, "a"))
    log.write(21, (1, "a"), (1, "theirs"))
    log.write(11, (1, "theirs"), (1, "c"))
    return bool(reading.read(log)[0].overwritten == {reading.key(1): 1})


def _refused_in_the_plan(core: Copy) -> bool:
    report, conflicts = core["backend.core.orphans.report"], core["backend.core.orphans.conflicts"]
    one = conflicts.Conflict(0, None, "shop.keyed", "neither")
    found = report.OrphanReport("found", "1 orphan", transactions=1, undo_conflicts=(one,)).findings("replay")
    return any(finding.refuses for finding in found)


def _looked_at_again(core: Copy) -> bool:
    """A row as before the orphan since the plan was made: the undo ends."""
    steps = core["tests.core.orphans.test_steps"]
    world, memory, gateway = steps.begun()
    steps.put_back_by_hand(world)
    steps.walk(world, memory, gateway)
    return bool(memory.end is not None and memory.end.state == "succeeded")


def _overwritten_since(core: Copy) -> bool:
    """The channel went on between the plan and the run: what it wrote then is left, too."""
    steps = core["tests.core.orphans.test_steps"]
    world, memory, gateway = steps.begun()
    steps.overwrite_since(world)
    steps.walk(world, memory, gateway)
    rows = world.tables[world.a.id].rows["shop.keyed"]
    return any(row["id"] == "2" for row in rows)


def _newest_first(core: Copy) -> bool:
    shown = core["tests.core.orphans.test_report"]
    way = core["backend.core.orphans.progress_marker"].OrphanAction.UNDO
    statements = core["backend.core.orphans.report"].first_statements(shown.BOOK, way)
    return bool(shown.numbers(statements, ("`id` <=> ", " ")) == ["3", "2", "1"])


def _ends_marked(core: Copy) -> bool:
    """A replay whose last orphan is left out ends."""
    steps = core["tests.core.orphans.test_steps"]
    world, memory, gateway = steps.begun(skip=(3,))
    steps.walk(world, memory, gateway)
    return bool(memory.end is not None and memory.end.state == "succeeded")


def _equal_logs(core: Copy) -> bool:
    """Two nodes that tell as many orphans, but others."""
    scan, worlds = core["backend.core.orphans.scan"], core["tests.core.orphans.test_scan"]
    return bool(worlds.measured_apart(scan))


UNDO, READING, STEPS, REPORT = "orphans.undo", "orphans.reading", "steps.orphans", "orphans.report"


def _row_retained(core: Copy) -> bool:
    tests = core["tests.core.orphans.test_decisions"]
    try:
        left = tests.replayed(
            tests.CHANGED, tests.active(tests.OTHERS), tests.Decisions({tests.KEYED.name: tests.KEEP})
        )
    except tests.RowConflictError:
        return False
    return bool(tests.names(left)["1"] == tests.text(b"theirs"))


def _rows_own(core: Copy) -> bool:
    tests = core["tests.core.orphans.test_decisions"]
    decisions = tests.Decisions({tests.KEYED.name: tests.TAKE}, {(tests.KEYED.name, tests.ONE): tests.KEEP})
    left = tests.replayed(tests.CHANGED, tests.active(tests.OTHERS), decisions)
    return bool(tests.names(left)["1"] == tests.text(b"theirs"))


def _taken_as_seen(core: Copy) -> bool:
    tests = core["tests.core.orphans.test_decisions"]
    book = tests.book_of([[tests.update(tests.row(1), tests.row(1, b"x"))]])
    _, (resolution,) = tests.judged(book, tests.active(tests.OTHERS), tests.Decisions({tests.KEYED.name: tests.TAKE}))
    return bool(resolution.current == tests.OTHERS)


def _undecided(core: Copy) -> bool:
    tests = core["tests.core.orphans.test_decisions"]
    conflicts, _ = tests.judged(tests.CHANGED, tests.active(tests.OTHERS), tests.Decisions())
    return any(finding.refuses for finding in tests.report(conflicts=tuple(conflicts)).findings("replay"))


def _meaningless(core: Copy) -> bool:
    tests = core["tests.core.orphans.test_decisions"]
    return any(finding.refuses for finding in tests.report(meaningless=("table shop.none",)).findings("replay"))


def _kept_rows_undone(core: Copy) -> bool:
    tests = core["tests.core.orphans.test_decisions"]
    found = tests.report(resolutions=(tests.Resolution(0, tests.ONE, tests.KEEP),))
    return bool(tests.undo_params(found, "n_b1", replays=True)["kept_rows"])


def _alike_is_left(core: Copy) -> bool:
    tests = core["tests.core.orphans.test_decisions"]
    book = tests.book_of([[tests.update(tests.row(1), tests.OTHERS)]])
    _, resolutions = tests.judged(book, tests.active(tests.OTHERS), tests.Decisions({tests.KEYED.name: tests.TAKE}))
    return bool(tests.undo_params(tests.report(resolutions=tuple(resolutions)), "n", replays=True)["kept_rows"])


RULES = (
    Rule(
        "a_row_whose_removal_was_refused_keeps_its_key",
        (
            (
                "orphans.leaving_rows",
                "        known = filter(is_gone, self._rows.get((shape.name, key, _folded(image, shape, key)), []))",
                "        known = self._rows.get((shape.name, key, _folded(image, shape, key)), [])",
            ),
        ),
        lambda c: c["tests.core.orphans.test_collated_keys"].conflicts_behind_a_refused_removal() == [0, 1],
    ),
    Rule(
        "the_server_says_which_row_holds_a_key",
        (
            (
                "orphans.leaving_rows",
                "        return bool(asked) and 1 in count(asked).values()",
                "        return True",
            ),
        ),
        lambda c: c["tests.core.orphans.test_collated_keys"].is_refused_where_another_row_has_it(),
    ),
    Rule(
        "the_plan_shows_the_undo_newest_first",
        (("orphans.report", "else book.descending(len(book) - 1)", "else book.ascending()"),),
        _newest_first,
    ),
    Rule(
        "what_the_channel_wrote_over_an_orphan_stays",
        ((UNDO, "self.overwritten.get(key, 0) > index or key", "key"),),
        _overwritten_in_the_log,
    ),
    Rule(
        "what_both_sides_changed_alike_stays",
        ((UNDO, "        if not is_replayed and self._is_changed_alike(", "        if False and self._is_changed_alike("),),
        _changed_alike,
    ),
    Rule(
        "a_row_both_sides_inserted_is_taken_away",
        ((UNDO, "        return not keys & self._all_inserted()", "        return True"),),
        _inserted_alike,
    ),
    Rule(
        "a_row_that_is_neither_is_not_called_done",
        ((UNDO, "        if own_rows == survivor_rows and not is_changed:", "        if True:"),),
        _neither,
    ),
    Rule(
        "an_orphan_behind_the_channels_write_is_undone",
        ((READING, "                    self.overwritten[key] = self._found\n", "                    self.overwritten[key] = 99\n"),),
        _order_of_the_log,
    ),
    Rule(
        "an_undo_that_cannot_end_is_not_begun",
        (("orphans.report", "        if self.undo_conflicts:\n", "        if False:\n"),),
        _refused_in_the_plan,
    ),
    Rule(
        "an_undo_looks_at_the_rows_anew",
        ((STEPS, "_left_to_undo(ctx, step, book, left.start)", "book.descending(left.start)"),),
        _looked_at_again,
    ),
    Rule(
        "a_replay_that_leaves_out_its_last_ends",
        ((STEPS, " or one.index == left[-1]", ""),),
        _ends_marked,
    ),
    Rule(
        "nodes_are_compared_by_what_their_orphans_are",
        (("orphans.scan", "            log.contents.add(group.content)\n", "            log.contents.count += 1\n"),),
        _equal_logs,
    ),
    Rule(
        "what_the_channel_wrote_since_the_plan_stays",
        ((STEPS, "{**book.overwritten, **since}", "book.overwritten"),),
        _overwritten_since,
    ),
    Rule(
        "a_kept_row_is_not_written",
        (
            ("orphans.decisions", "elif resolution.decision is Decision.TAKE_ORPHAN:", "else:"),
            ("orphans.decisions", "resolution.is_written and (", "("),
        ),
        _row_retained,
    ),
    Rule(
        "a_rows_decision_goes_before_its_tables",
        (("orphans.decisions", "return self.by_row.get((table, row)) or self.by_table.get(table)",
          "return self.by_table.get(table) or self.by_row.get((table, row))"),),
        _rows_own,
    ),
    Rule(
        "a_row_is_taken_over_only_as_it_was_shown",
        (("orphans.conflicts", "row_name(row, shape), Decision.TAKE_ORPHAN, current, is_alike)",
          "row_name(row, shape), Decision.TAKE_ORPHAN, image, is_alike)"),),
        _taken_as_seen,
    ),
    Rule(
        "a_row_taken_over_that_is_alike_already_is_not_undone",
        (("orphans.conflicts", "is_alike = current is not None and current == row.after", "is_alike = False"),),
        _alike_is_left,
    ),
    Rule(
        "a_row_image_that_lacks_a_stored_value_is_refused",
        (("orphans.rows.row_events", "    if not all(column.is_generated for column in missing):", "    if False:"),
         ("orphans.rows.row_events", "    if needed:", "    if False:")),
        _lacks_a_stored_value,
    ),
    Rule(
        "an_undecided_conflict_refuses",
        ((REPORT, "if skip_conflicts or all(c.decision for c in self.conflicts):", "if True:"),),
        _undecided,
    ),
    Rule(
        "a_decision_about_nothing_refuses",
        ((REPORT, 'yield Finding("decision_without_conflict", Severity.BLOCKER,',
          'yield Finding("decision_without_conflict", Severity.WARNING,'),),
        _meaningless,
    ),
    Rule(
        "a_kept_row_counts_as_not_replayed",
        ((REPORT, "if replays and not one.is_written]", "if False]"),),
        _kept_rows_undone,
    ),
)  # fmt: skip

PREVENTS = {
    "a_row_image_that_lacks_a_stored_value_is_refused": "undo and replay write NULL into a column that had a value",
    "a_replay_that_leaves_out_its_last_ends": "a replay that leaves out its last orphan is never done",
    "nodes_are_compared_by_what_their_orphans_are": "one node's orphans are undone on a side whose others hold more",
    "the_plan_shows_the_undo_newest_first": "what an operator confirms is another order than what is sent",
    "what_the_channel_wrote_over_an_orphan_stays": "the survivor's version of a row is reverted on the returned side",
    "what_both_sides_changed_alike_stays": "a counter that both sides counted up stays one behind for ever",
    "a_row_both_sides_inserted_is_taken_away": "the channel stops on a row that is there already",
    "a_row_that_is_neither_is_not_called_done": "an unexplained row differs between the sites, unsaid",
    "an_orphan_behind_the_channels_write_is_undone": "an orphan stays on the returned side",
    "an_undo_that_cannot_end_is_not_begun": "a run stops behind its point of no return, half undone",
    "an_undo_looks_at_the_rows_anew": "a row corrected by hand keeps the run stuck for ever",
    "what_the_channel_wrote_since_the_plan_stays": "what the survivor wrote in that moment is reverted",
    "a_kept_row_is_not_written": "a row an operator decided to keep is overwritten",
    "a_rows_decision_goes_before_its_tables": "one row's decision is passed over for its table's",
    "a_row_is_taken_over_only_as_it_was_shown": "a row that changed after the confirmation is overwritten unseen",
    "an_undecided_conflict_refuses": "orphans are discarded without a decision",
    "a_decision_about_nothing_refuses": "a decision misspelt is taken for none, and no operator notices",
    "a_kept_row_counts_as_not_replayed": "a row kept alike on both sides stands undone on the returned one",
    "a_row_taken_over_that_is_alike_already_is_not_undone": "a row the channel brought and will not again stays undone",
}
