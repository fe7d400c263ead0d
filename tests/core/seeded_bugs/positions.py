"""Rules of proving a position, each taken out."""

from __future__ import annotations

from typing import Any

from tests.core.seeded_bugs.mutants import Copy
from tests.core.seeded_bugs.rule import Rule, is_green

_BEGINS_LATE = "test_locate__both_logs_begin_after_what_is_pending__refused"
_TOLD = "test_locate__nothing_ever_written__proven_only_where_every_node_tells_what_stands_in_its_log"


def _verdict(core: Copy, *says: tuple[str, bool | None, int | None]) -> bool:
    """Whether the judge refuses these."""
    evidence = core["backend.core.locate.evidence"]
    pieces = [evidence.Evidence(evidence.Family(f), agrees, f, index=index) for f, agrees, index in says]
    return not core["backend.core.locate.judge"].judge(pieces).is_proven


def _never_wrong(core: Copy, world: Any, source: str, replica: str) -> bool:
    worlds = core["tests.core.builders.worlds"]
    answers = [located for _, located in worlds.ask(world, source, replica)]
    return all(worlds.wrong(world, located) is None for located in answers if located.is_proven)


def _reads_on_to_the_sample(core: Copy) -> bool:
    tail, logs = core["backend.core.locate.last_applied"], core["tests.core.locate.test_last_applied"]
    log = logs.log_of([11] * 30, set())
    return len(logs.read(log, [tail.TailStart(log.placed[25].end, 10.0)], since_s=5.0).groups) == 8


def _identical(core: Copy) -> bool:
    world = core["tests.fakes.world"].FakeWorld()
    world.node("a1").gtid_seq = 3
    world.connect_both_ways()
    for n in range(30):
        world.write("a1", "UPDATE counters SET n=n+1")
        world.tick()
        if n == 0:
            world.remember()
        if n == 15:
            world.node("b2").log.rotate()
    world.node("b2").log.purge(1)
    world.kill("b1")
    for _ in range(20):
        world.write("a1", "UPDATE counters SET n=n+1")
    return _never_wrong(core, world, "a2", "b2")


def _crashed(core: Copy, *, is_receiving: bool = False) -> bool:
    """Only identical statements, and a replica that was killed: what it says of itself is one group behind."""
    world = core["tests.fakes.world"].FakeWorld()
    world.connect_both_ways()
    for _ in range(20):
        world.write("a1", "UPDATE counters SET n=n+1")
    world.tick()
    world.remember()
    world.write("a1", "UPDATE counters SET n=n+1")
    world.tick()
    world.crash("b1", 1, starts=False)
    if is_receiving:
        channel = world.node("b1").channels["link1"]
        channel.io = "Yes"
        world.remember()
        channel.io = "No"
    return _never_wrong(core, world, "a2", "b2")


def _again_behind_the_sample(core: Copy) -> bool:
    world = core["tests.fakes.world"].FakeWorld()
    world.connect_both_ways()
    world.write("a1", "UPDATE counters SET n=n+1")
    world.tick()
    world.remember()
    world.write("a1", "UPDATE counters SET n=n+1")
    journal = core["tests.fakes.journal"]
    end = world.node("a1").log.placed[0].end
    hint = journal.FakeCheckpoint("n_a1", world.a.uuid, end, 100, world.clock.now_s(), exact=False)
    world.journal.add(hint)
    return _never_wrong(core, world, "a1", "b1")


def _stalled_replica(core: Copy) -> bool:
    world = core["tests.fakes.world"].FakeWorld.classic()
    for _ in range(3):
        world.remember()
    recorded = world.recorded
    world.write("a1")
    world.tick()
    world.remember()
    world.clock.time_s += 5
    late = [
        r.__class__(r.direction, r.replica_node_id, r.source_node_id, r.channel, world.clock.now_s()) for r in recorded
    ]
    for _ in range(2):
        world.clock.time_s += 5
        world.remember()
    world.recorded = late
    world.kill("b1")
    return _never_wrong(core, world, "a2", "b2")


def _unknown_event(core: Copy) -> bool:
    world = core["tests.fakes.world"].FakeWorld.classic()
    world.write("a2")
    log = world.node("a2").log
    row = next(e for e in reversed(log.retained[-1].events) if e.type == "Write_rows_v1")
    log.tamper(row.file, row.pos, lambda e: e._replace(type="Nobody_knows"))
    try:
        list(core["backend.core.binlog.groups"].read_groups([e for f in log.retained for e in f.events]))
    except core["backend.core.binlog.groups"].UnknownEventError:
        return True
    return False


def _hint_alone(core: Copy) -> bool:
    """Identical statements, counters drifted by one: the recipe of 2014 names the next group."""
    world = core["tests.fakes.world"].FakeWorld()
    world.b.seqno = world.a.seqno + 1
    world.node("a1").gtid_seq = 3_000
    world.connect_both_ways()
    world.write_times(20, "a1", "UPDATE counters SET n=n+1", ticks=True)
    world.kill("b1")
    for _ in range(5):
        world.write("a1", "UPDATE counters SET n=n+1")
    return _never_wrong(core, world, "a2", "b2")


def _refuses_lacking(core: Copy, pattern: str, *, stand: bool | None, is_exact: bool = True) -> bool:
    """The receiving log lacks what is `-`, and rows say so; no place may be named."""
    worlds = core["tests.core.locate.test_without_effect"]
    world, rows = worlds.lacking(pattern), worlds.Rows(worlds.RowsAnswer(stand, "rows"))
    if not is_exact:
        world.recorded = []
    return not worlds.forward(world, rows).is_proven


def _asks_for_all_alike(core: Copy) -> bool:
    """Of four that look the same the second was passed over: the log lacks one of them, and tells not which."""
    worlds = core["tests.core.locate.test_without_effect"]
    rows = worlds.Rows(worlds.RowsAnswer(True, "rows"))
    worlds.forward(worlds.lacking("x-xx", "UPDATE counters SET n=n+1"), rows)
    return len(rows.asked[0][0]) == 4


def _twins_tell_nothing(core: Copy) -> bool:
    """A row without a key was to be inserted again, and was passed over: its twin stands there."""
    worlds, proof = core["tests.core.builders.orphan_worlds"], core["backend.core.orphans.row_proof"]
    one, model = worlds.transaction(0, [worlds.insert(worlds.row(1), worlds.KEYLESS)]), worlds.Model()
    model.rows[worlds.KEYLESS.name] = [worlds.row(1)]
    tables = model.tables()

    def count(asked: Any) -> Any:
        return {sql: tables.count(sql) for sql in asked}

    return proof.prove_left([one], {one.end}, worlds.SHAPES, count, "a1").agrees is None


def _slave_pos_differs(core: Copy) -> bool:
    """A DDL failed on the replica and moved gtid_slave_pos on its neighbour past it (experiment 12)."""
    worlds = core["tests.core.builders.worlds"]
    world = core["tests.fakes.world"].FakeWorld.classic(has_gtid_channels=True)
    world.kill("b1")
    ahead = world.write("a2")
    gtid = next(entry.gtid for entry in world.a.history if entry.txn is ahead)
    neighbour = world.node("b3")
    neighbour.slave_pos = neighbour.slave_pos.of([*neighbour.slave_pos, gtid])
    return not worlds.forward(worlds.ask(world, "a2", "b2")).is_proven


JUDGE, LOCATOR, RUNNER = "locate.judge", "locate", "runner"

RULES = (
    Rule(
        "disagreement_refuses",
        ((JUDGE, "    if against:", "    if False:"),),
        lambda c: _verdict(c, ("seqno", True, 1), ("content", True, 1), ("gtid", False, None)),
    ),
    Rule(
        "different_places_refuse",
        ((JUDGE, "    if len(indexes) > 1:", "    if False:"),),
        lambda c: _verdict(c, ("seqno", True, 1), ("content", True, 2)),
    ),
    Rule(
        "one_family_is_no_proof",
        ((JUDGE, "    if len(families) < 2:", "    if False:"),),
        lambda c: _verdict(c, ("content", True, 1)),
    ),
    Rule(
        "content_must_agree",
        ((JUDGE, "    if Family.CONTENT not in families", "    if False"),),
        lambda c: _verdict(c, ("seqno", True, 1), ("journal", True, 1)),
    ),
    Rule(
        "a_lone_number_is_no_proof",
        (
            (JUDGE, "    if len(families) < 2:", "    if False:"),
            (JUDGE, "    if Family.CONTENT not in families", "    if False"),
        ),
        lambda c: _verdict(c, ("seqno", True, 1)),
    ),
    Rule(
        "aligned_hint_never_proves_alone",
        (
            (JUDGE, "    if len(families) < 2:", "    if False:"),
            (JUDGE, "    if Family.CONTENT not in families", "    if False"),
            (
                "locate",
                '    if content_index is None:\n        detail = f"{phrase}',
                '    if False:\n        detail = f"{phrase}',
            ),
            (
                "locate",
                "    if window.index_of_xid(hint.seqno) == [content_index]:",
                "    if (content_index := (window.index_of_xid(hint.seqno) or [None])[0]) is not None:",
            ),
        ),
        _hint_alone,
    ),
    Rule(
        "a_bound_counts_from_when_its_number_was_sampled",
        (
            (
                "locate.search_inputs",
                "since_s = min(recorded.observed_at_s, sampled_at_s)",
                "since_s = recorded.observed_at_s",
            ),
        ),
        lambda c: _never_wrong(c, c["tests.core.locate.test_locator_order"].out_of_order(2), "a2", "b2"),
    ),
    Rule(
        "fewer_groups_than_wanted_only_with_all_since_the_sample",
        (("locate.last_applied", "best.groups and enough_since_s is None:", "best.groups:"),),
        _reads_on_to_the_sample,
    ),
    Rule(
        "numbers_of_the_cluster_came_in_order",
        (("locate.evidence_families", "        if strange is not None:", "        if False:"),),
        lambda c: _never_wrong(c, c["tests.core.locate.test_locator_order"].replayed_late(), "a2", "b2"),
    ),
    Rule(
        "few_groups_leave_no_gap_before_them",
        (("locate.evidence_families", "    if unseen <= 0:", "    if True:"),),
        lambda c: _never_wrong(c, c["tests.core.locate.test_locator_order"].jumped(is_sampled=True), "a2", "b2"),
    ),
    Rule(
        "gtid_slave_pos_is_compared_on_every_node",
        (("locate.gtid_mode", "    if differing:", "    if False:"),),
        _slave_pos_differs,
    ),
    Rule(
        "gtids_of_third_domains_are_compared_on_every_node",
        (("locate.gtid_mode", "    if behind:", "    if False:"),),
        lambda c: is_green(
            c, "locate.test_gtid_mode", "test_plan__a_third_servers_domain_is_behind__refused_with_its_gtid"
        ),
    ),
    Rule(
        "a_log_that_begins_empty_need_not_be_the_whole_history",
        ((LOCATOR, "    if search.may_have_been_written:", "    if False:"),),
        lambda c: is_green(c, "locate.test_logs_that_begin_late", _BEGINS_LATE, (), 3),
    ),
    Rule(
        "a_node_that_does_not_tell_what_it_logged_may_have_logged_it",
        (
            (
                "locate.search_inputs",
                "    if any(node.is_up and origins_in(node) is None for node in link.nodes):",
                "    if False:",
            ),
        ),
        lambda c: is_green(c, "locate.test_logs_that_begin_late", _TOLD, False),
    ),
    Rule(
        "no_place_named_refuses",
        ((JUDGE, "    if not indexes:", "    indexes = indexes or {0}\n    if False:"),),
        lambda c: _verdict(c, ("seqno", True, None), ("content", True, None)),
    ),
    Rule(
        "content_alone_must_be_unique",
        (("locate", "    if len(matches) == 1:", "    if matches:"),),
        _identical,
    ),
    Rule(
        "what_a_killed_replica_says_of_itself_is_a_lower_bound",
        (("locate.search_inputs", "replica.observed_at_s - replica.uptime_s > recorded.observed_at_s", "False"),),
        _crashed,
    ),
    Rule(
        "a_receiver_that_ran_applied_nothing",
        (("locate.search_inputs", 'recorded.channel.sql_running == "No"', "False"),),
        lambda core: _crashed(core, is_receiving=True),
    ),
    Rule(
        "content_alone_is_searched_from_the_last_sample_on",
        (
            (LOCATOR, "    if _rests_on_content_alone(search, evidence):", "    if False:"),
            ("locate", "    if reached is None and not is_before:", "    if False:"),
            ("locate", "    if reached is None or index < reached:", "    if False:"),
            ("locate", "_from_bound(index - reached)", "_from_bound(0)"),
            ("locate", '"groups_after_sample": index - reached', '"groups_after_sample": 0'),
        ),
        _again_behind_the_sample,
    ),
    Rule(
        "a_stopped_channel_may_not_stand_beyond_what_was_seen_applied",
        (("locate.stopped_channel", "index=index, facts=facts", "index=None, facts=facts"),),
        lambda c: _never_wrong(c, c["tests.core.locate.test_stopped_channel"].clock_set_back(), "a1", "b1"),
    ),
    Rule(
        "a_stopped_channel_needs_a_log_that_reaches_back",
        (("locate.stopped_channel", "if sample is None:", "if (sample := sample or channel.position) is None:"),),
        lambda c: _never_wrong(c, c["tests.core.locate.test_stopped_channel"].behind_its_data(), "a1", "b1"),
    ),
    Rule(
        "a_missing_group_is_in_effect",
        (("locate.without_effect", "    if not answer.stand:", "    if answer is None:"),),
        lambda core: _refuses_lacking(core, "x-x", stand=False) and _refuses_lacking(core, "x-x", stand=None),
    ),
    Rule(
        "a_missing_group_may_be_any_of_those_alike",
        (("locate.without_effect", "ask(window.stream[missing[0] : end + 1], lacking)", "ask(lacking, lacking)"),),
        _asks_for_all_alike,
    ),
    Rule(
        "a_missing_group_may_wait_unless_the_record_is_exact",
        (
            (
                LOCATOR,
                "    if seqno.is_bound and not is_known:\n        return unchanged\n",
                "",
            ),
        ),
        lambda core: _refuses_lacking(core, "x-x", stand=True, is_exact=False),
    ),
    Rule(
        "a_missing_group_is_identified_by_keys",
        (("orphans.row_proof", "    if not decisive.issuperset(missing):", "    if False:"),),
        _twins_tell_nothing,
    ),
    Rule(
        "emptiness_proves_only_emptiness",
        ((LOCATOR, "        if len(window.stream) - 1 > held:", "        if False:"),),
        _stalled_replica,
    ),
    Rule(
        "unknown_event_is_named",
        (
            (
                "binlog.groups",
                "        if event.type not in forms.ends and event.type not in forms.inner:",
                "        if False:",
            ),
        ),
        _unknown_event,
    ),
)
