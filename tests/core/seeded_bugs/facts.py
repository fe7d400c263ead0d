"""Rules of digests, fingerprints, expiry, automation and orphans, each taken out."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tests.core.seeded_bugs.mutants import Copy
from tests.core.seeded_bugs.rule import Rule, walk


def _plan(core: Copy) -> Any:
    return core["tests.core.builders.situations"].situation("move_both").build()[1]


def _digest_covers(core: Copy, **changed: Any) -> bool:
    plan = _plan(core)
    return plan.digest != replace(plan, **changed).digest


def _fingerprint_sees(core: Copy, what: str) -> bool:
    fingerprint = core["backend.core.facts.fingerprint"]
    world = core["tests.fakes.world"].FakeWorld.classic()
    planned = fingerprint.fingerprint(world.facts(), ("n_a1", "n_b1"))
    if what == "reach":
        world.kill("b3")
    elif what == "options":
        world.node("b1").channels["link1"].options["SQL_Delay"] = "77"
    else:
        world.node("b1").channels["link1"].ignore = (21,)
    return bool(fingerprint.changed_facts(planned, fingerprint.current_fingerprint(planned, world.facts())))


def _late_for_its_first_statement(core: Copy) -> bool:
    """The process sleeps behind its recheck."""

    def sleep(both: Any) -> None:
        both[0].clock.time_s += 301

    return bool(walk(core, "move_both", sleep, "stop_channel")[2].sent == [])


def _rechecked_by_a_successor(core: Copy) -> bool:
    driver, gateways = core["tests.fakes.driver"], core["tests.fakes.gateway"]
    world, plan = core["tests.core.builders.situations"].situation("move_both").build()
    memory, gateway = driver.Memory(plan), gateways.FakeGateway(world)
    driver.Walker(world, gateway, memory, dies_at=2).run()
    world.node("a2").local_state = 2
    driver.Walker(world, gateway, memory).run()
    return bool(gateway.sent == [])


def _decides(core: Copy, memory: dict[str, Any], **sight: Any) -> bool:
    """Whether automation holds still."""
    auto = core["backend.core.automation"]
    ends = (auto.LostEndpoint("n_a1", "a1", 100.0),)
    fields = {"at_s": 200.0, "lost": ends} | sight
    before = auto.WatchState(**({"seen_at_s": 195.0, "lost_since_s": {"n_a1": 100.0}} | memory))
    decision = auto.decide(auto.Policy(auto.Mode.EXECUTE, 30.0, 3600.0), before, auto.Observation(**fields))
    return bool(decision.act is auto.Action.NOTHING)


def _young_loss(core: Copy) -> bool:
    return _decides(core, {"lost_since_s": {"n_a1": 190.0}})


def _warned(core: Copy) -> bool:
    findings = core["backend.core.findings"]
    found = findings.Finding("site_path_attested", findings.Severity.WARNING, "An operator attested the network path.")
    return bool(core["backend.core.automation"].required_attestations([found]))


def _orphans(core: Copy, *, marker: str = "", writes: bool = False, other_book: bool = False) -> bool:
    """Whether nothing is sent by a replay that must not be."""
    steps = core["tests.core.orphans.test_steps"]
    driver, gateways = core["tests.fakes.driver"], core["tests.fakes.gateway"]
    world, plan = steps.build()
    if marker:
        world.node("b1").probes["r_failover0001", "replay"] = marker
    if writes:
        world.write("a2")
    book = replace(steps.BOOK, digest="e" * 64) if other_book else steps.BOOK
    gateway = gateways.FakeGateway(world)
    driver.Walker(world, gateway, driver.Memory(plan), book=book).run()
    return bool(gateway.sent == [])


def _done_once(core: Copy) -> bool:
    """A replay that breaks off and is resumed applies every orphan once."""
    steps = core["tests.core.orphans.test_steps"]
    driver, gateways = core["tests.fakes.driver"], core["tests.fakes.gateway"]
    world, plan = steps.build()
    memory, gateway = driver.Memory(plan), gateways.FakeGateway(world, {2: gateways.Fault.DIES_AFTER})
    for _ in range(2):
        driver.Walker(world, gateway, memory, book=steps.BOOK).run()
    return bool(memory.end is not None and memory.end.state == "succeeded")


def _unknown_orphans(core: Copy) -> bool:
    report = core["backend.core.orphans.report"]
    return any(f.refuses for f in report.OrphanReport("unknown", "unreadable").findings("attach"))


def _found_orphans(core: Copy) -> bool:
    report = core["backend.core.orphans.report"]
    return any(f.refuses for f in report.OrphanReport("found", "3 orphans", transactions=3).findings("attach"))


AUTO, MARK, STEPS = "automation", "orphans.progress_marker", "steps.orphans"


def _starts_on_unknown(core: Copy) -> bool:
    tests = core["tests.core.test_automatic_start"]
    return bool(tests.acts_on(replace(tests.STANDS, unknowns=("b2 was not read",))))


_WHOLE = "return digest_of(json.loads(json.dumps(self.to_json())))"
_WITHOUT = "return digest_of({{k: v for k, v in json.loads(json.dumps(self.to_json())).items() if k not in [{}]}})"

RULES = (
    Rule("the_digest_covers_the_statements",
         (("plan", _WHOLE, _WITHOUT.format('"steps"')),),
         lambda core: _digest_covers(core, steps=())),
    Rule("the_digest_covers_the_facts",
         (("plan", _WHOLE, _WITHOUT.format('"fingerprint"')),),
         lambda core: _digest_covers(core, fingerprint={})),
    Rule("the_digest_covers_the_options",
         (("plan", _WHOLE, _WITHOUT.format('"options"')),),
         lambda core: _digest_covers(core, options={"attest_fenced": ["n_b1"]})),
    Rule("the_digest_covers_what_is_read",
         (("plan", _WHOLE, _WITHOUT.format('"summary", "target", "situation", "link_name"')),),
         lambda core: _digest_covers(core, summary="HARMLESS: nothing happens") and _digest_covers(core, target={})),
    Rule("a_lost_node_changes_the_facts",
         (("facts.fingerprint", '        f"{name}.reach": facts.reach.value,\n', ""),
          ("facts.fingerprint", '        f"{name}.server_id": facts.server_id,\n', ""),
          ("facts.fingerprint", '        f"{name}.{FINGERPRINT_KEY}": server_identity(facts.variables),\n', "")),
         lambda core: _fingerprint_sees(core, "reach")),
    Rule("a_changed_option_changes_the_facts",
         (("facts.fingerprint", '        f"{key}.options": dict(sorted(channel.options.items())),\n', ""),),
         lambda core: _fingerprint_sees(core, "options")),
    Rule("a_changed_loop_guard_changes_the_facts",
         (("facts.fingerprint", '        f"{key}.ignore_server_ids": list(channel.ignore_server_ids),\n', ""),),
         lambda core: _fingerprint_sees(core, "ignore")),
    Rule("a_plan_past_its_time_sends_no_first_statement",
         (("runner", "        if not self._progress.intended and self._ctx.clock.now_s()",
           "        if False and self._ctx.clock.now_s()"),), _late_for_its_first_statement),
    Rule("a_successor_rechecks_what_nothing_was_sent_for",
         (("runner", 'REPEATED_AFTER_CRASH if progress.intended else REPEATED_AFTER_CRASH | {"recheck"}', "REPEATED_AFTER_CRASH"),),
         _rechecked_by_a_successor),
    Rule("automation_acts_on_nothing_unknown",
         ((AUTO, '    if sight.unknowns:\n        return f"On hold', '    if False:\n        return f"On hold'),
          (AUTO, "    if not sight.unknowns:\n        for end", "    if True:\n        for end")),
         lambda core: _decides(core, {}, unknowns=("a2 was not read",))),
    Rule("an_automatic_start_has_a_bound",
         (("automatic_start", "    if len(watched.acts_s) >= policy.most_per_hour:", "    if False:"),),
         lambda core: core["tests.core.test_automatic_start"].starts_within_an_hour() == 2),
    Rule("an_automatic_start_acts_on_nothing_unknown",
         (("automatic_start", '    if sight.unknowns:\n        return f"On hold', '    if False:\n        return f"On hold'),
          ("automatic_start", "    if sight.standing and not sight.unknowns:", "    if sight.standing:")),
         lambda core: not _starts_on_unknown(core)),
    Rule("automation_acts_once_in_its_block_time",
         ((AUTO, "    if blocked is not None and sight.at_s < blocked:", "    if False:"),),
         lambda core: _decides(core, {"acted_at_s": 150.0})),
    Rule("a_gap_between_looks_confirms_nothing",
         ((AUTO, "{} if is_gap else memory.lost_since_s", "memory.lost_since_s"),),
         lambda core: _decides(core, {"seen_at_s": 120.0})),
    Rule("a_young_loss_is_waited_out", ((AUTO, "        if lasted < policy.loss_for_s:", "        if False:"),),
         _young_loss),
    Rule("automation_waits_for_an_unfinished_run",
         ((AUTO, "    if sight.unfinished_run is not None:", "    if False:"),),
         lambda core: _decides(core, {}, unfinished_run="r_1")),
    Rule("what_a_person_must_answer_for_is_not_automatic",
         ((AUTO, "(finding.severity is Severity.WARNING and finding.code not in IGNORED_FINDINGS)", "False"),), _warned),
    Rule("a_marker_of_another_list_is_foreign",
         ((STEPS, 'if reached is not None and not reached.is_of(step.params["digest"]):', "if False:"),),
         lambda core: _orphans(core, marker="0123456789abcdef:2")),
    Rule("orphans_written_since_the_scan_stop_it",
         ((STEPS, "    if why := new_writes(ctx, step):\n        raise", "    if why := '':\n        raise"),),
         lambda core: _orphans(core, writes=True)),
    Rule("the_orphans_are_those_of_the_plan",
         ((STEPS, '    if book.digest != step.params["digest"] or len(book) != step.params["count"]:',
           "    if False:"),),
         lambda core: _orphans(core, other_book=True)),
    Rule("a_replayed_orphan_is_not_replayed_again",
         ((MARK, "0 if reached is None else reached.index + 1", "0"),),
         _done_once),
    Rule("unknown_orphans_refuse",
         (("orphans.report", "else Severity.UNKNOWN", "else Severity.OK"),), _unknown_orphans),
    Rule("a_side_with_orphans_is_not_just_attached",
         (("orphans.report", '[Finding("orphans_found", Severity.BLOCKER,', '[Finding("orphans_found", Severity.OK,'),),
         _found_orphans),
)  # fmt: skip
