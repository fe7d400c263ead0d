"""Which findings a person can answer, with which option, and that the option does answer them."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from backend.core.checks.run import run_checks
from backend.core.checks.unknown_runs import check_unknown_runs
from backend.core.facts.activity import BusySession
from backend.core.findings import Finding, Severity
from backend.core.link_facts import LogBreak
from backend.core.orphans.conflicts import Conflict
from backend.core.orphans.report import OrphanReport
from backend.core.plans.attestations import GIVEN_AS, LABELS, OPTION_OF, Attestation, attestation_of
from backend.core.plans.failover import ObservedLoss
from backend.core.plans.switchover import SWITCHOVER_CHECKS
from backend.core.probe import StoredProbe
from backend.core.topology import Reach
from tests.core.builders.link_facts import context, down, link, relocate_findings, with_channel
from tests.core.builders.maintained_worlds import plan_for as plan_maintenance
from tests.core.builders.maintained_worlds import world as maintained
from tests.core.builders.third_servers import logging
from tests.fakes.plans import plan_remove, plan_start
from tests.fakes.sites import QUIET, context_of_switch, passive, plan_failover
from tests.fakes.world import FakeWorld

CORE = Path(__file__).resolve().parents[3] / "backend" / "core"
Options = Mapping[str, Any]
Found = Callable[[Options], Iterable[Finding]]
PAGES = CORE.parents[1] / "frontend" / "src" / "domain" / "attestations.ts"


def test_attestation_of_a_fence__asked_before_the_plan__in_the_same_words() -> None:
    assert LABELS["attest_fenced"].format(node="${node}") in PAGES.read_text()


def _nodes(options: Options) -> frozenset[str]:
    return frozenset(options.get("attest_fenced", ()))


def _lost() -> FakeWorld:
    world = passive(FakeWorld.classic())
    world.kill_side(world.a)
    return world


def _may_run(options: Options) -> Iterable[Finding]:
    return relocate_findings(context(down(link(), "b3"), attested_fenced=_nodes(options)))


def _not_attested(options: Options) -> Iterable[Finding]:
    world = _lost()
    attested = frozenset({"n_a1", "n_a2"}) | _nodes(options)
    return plan_failover(world, attested_fenced=attested).findings


def _cannot_be_fenced(options: Options) -> Iterable[Finding]:
    world = passive(FakeWorld.classic())
    world.kill("a3", reach=Reach.UNKNOWN, is_expelled=False)
    return run_checks(context_of_switch(world, attested_fenced=_nodes(options)), SWITCHOVER_CHECKS)


def _activity(options: Options, **changes: Any) -> Iterable[Finding]:
    world = passive(FakeWorld.classic())
    busy = replace(QUIET, **changes)
    ctx = context_of_switch(
        world,
        activity={node.ref.id: busy for node in world.a.nodes},
        attested_accounts=bool(options.get("attest_accounts")),
        allows_long_transactions=bool(options.get("allow_long_transactions")),
    )
    return run_checks(ctx, SWITCHOVER_CHECKS)


def _accounts(options: Options) -> Iterable[Finding]:
    return _activity(options, write_through=None)


def _long(options: Options) -> Iterable[Finding]:
    return _activity(options, long_transactions=(BusySession(7, "shop", 90, "UPDATE t"),))


def _path(options: Options) -> Iterable[Finding]:
    facts = with_channel(link(), "b1", io_running="Connecting")
    return relocate_findings(context(facts, attested_path=bool(options.get("attest_site_path"))))


def _origins(options: Options) -> Iterable[Finding]:
    ctx = context(logging(link(), "a1", "b1"))
    return relocate_findings(replace(ctx, attested_origins=bool(options.get("attest_origins"))))


def _data_error(options: Options) -> Iterable[Finding]:
    world = FakeWorld.classic()
    channel = world.node("b1").channels["link1"]
    channel.sql, channel.sql_errno, channel.sql_error = "No", 1062, "Duplicate entry"
    return plan_start(world, attests=bool(options.get("attest_error_over"))).findings


def _unknown_runs(options: Options) -> Iterable[Finding]:
    probe = StoredProbe("r_other", "b1", "2026-11-21 12:00:00")
    found = check_unknown_runs([probe], is_attested=bool(options.get("attest_unknown_runs")))
    return [found] if found else []


def _loss(options: Options) -> Iterable[Finding]:
    seen = ObservedLoss(4, FakeWorld().clock.now_s() - 2.0)
    return plan_failover(_lost(), accepts_loss=bool(options.get("accept_loss")), seen=seen).findings


def _unapplied(options: Options) -> Iterable[Finding]:
    world = FakeWorld.classic()
    return plan_remove(world, unapplied={}, accepts_loss=bool(options.get("accept_loss"))).findings


def _relay(options: Options) -> Iterable[Finding]:
    world = passive(FakeWorld.classic())
    world.node("b1").channels["link1"].sql = "No"
    world.write("a1")
    world.tick()
    world.kill_side(world.a)
    return plan_failover(world, accepts_loss=bool(options.get("accept_loss")), seen=ObservedLoss(0, None)).findings


def _another_log(options: Options) -> Iterable[Finding]:
    world = passive(FakeWorld.classic())
    world.kill_side(world.a)
    cause = LogBreak("source_log_replaced", "The log of a1 is another one", 0.0)
    world.recorded = [replace(one, log_break=cause) for one in world.recorded]
    return plan_failover(world, accepts_loss=bool(options.get("accept_loss")), seen=ObservedLoss(0, None)).findings


def _orphans(state: str, way: str, **more: Any) -> Found:
    def found(options: Options) -> Iterable[Finding]:
        report = OrphanReport(state, "What was found.", transactions=3, **more)
        return report.findings(
            way,
            skip_conflicts=bool(options.get("skip_conflicts")),
            accepts_loss=bool(options.get("accept_loss")),
        )

    return found


def _partition(spoil: Callable[[FakeWorld], None]) -> Found:
    def found(options: Options) -> Iterable[Finding]:
        world = passive(FakeWorld.classic())
        spoil(world)
        return plan_failover(world, overrides_partition=bool(options.get("override_partition"))).findings

    return found


def _partitioned(world: FakeWorld) -> None:
    world.node("b1").channels["link1"].io = "Connecting"


def _unseen(world: FakeWorld) -> None:
    for node in world.a.nodes:
        node.reach = Reach.UNKNOWN


def _by_a_proxy(options: Options) -> Iterable[Finding]:
    world = FakeWorld.classic()
    world.feed("b2", 11, name="vip", host="vip.example")
    return plan_remove(world, options=options).findings


def _short_time(options: Options) -> Iterable[Finding]:
    return plan_maintenance(maintained(), time=60.0, accepts_sst=bool(options.get("accept_sst"))).findings


def _reading(error: str) -> Found:
    def found(options: Options) -> Iterable[Finding]:
        world = FakeWorld.classic()
        channel = world.node("b1").channels["link1"]
        channel.io, channel.io_error = "No", error
        world.node("b1").variables["slave_max_allowed_packet"] = "1048576"
        return plan_start(world, attests=bool(options.get(OVER))).findings

    return found


OVER = "attest_error_over"
CONFLICT = Conflict(0, 7, "shop.t", "the row differs")
REBUILD = {"orphans": "rebuild"}
CASES: dict[str, tuple[Found, Options, str]] = {
    "unreachable_node_may_run": (_may_run, {}, "attest_fenced"),
    "node_not_attested": (_not_attested, {}, "attest_fenced"),
    "node_cannot_be_fenced": (_cannot_be_fenced, {}, "attest_fenced"),
    "accounts_unknown": (_accounts, {}, "attest_accounts"),
    "site_path_unknown": (_path, {}, "attest_site_path"),
    "foreign_origin_unclear": (_origins, {}, "attest_origins"),
    "transaction_would_fail_again": (_data_error, {}, "attest_error_over"),
    "reading_would_stop_again": (_reading("1153: Got a packet bigger than 'slave_max_allowed_packet' bytes"), {}, OVER),
    "reading_cause_unknown": (_reading("4711: a text of a release to come"), {}, OVER),
    "unknown_runs_found": (_unknown_runs, {}, "attest_unknown_runs"),
    "long_transaction": (_long, {}, "allow_long_transactions"),
    "orphans_conflict": (
        _orphans("found", "replay", conflicts=(CONFLICT,)),
        {"orphans": "replay"},
        "skip_conflicts",
    ),
    "loss_not_accepted": (_loss, {}, "accept_loss"),
    "relay_log_not_drained": (_relay, {}, "accept_loss"),
    "standby_not_proven_whole": (_another_log, {}, "accept_loss"),
    "orphans_rebuild": (_orphans("found", "rebuild"), REBUILD, "accept_loss"),
    "orphans_unknown": (_orphans("unknown", "rebuild"), REBUILD, "accept_loss"),
    "unapplied_unknown": (_unapplied, {}, "accept_loss"),
    "other_channel_stays": (_by_a_proxy, {}, "remove_also"),
    "maintenance_time_short": (_short_time, {}, "accept_sst"),
    "sites_are_parted": (_partition(_partitioned), {}, "override_partition"),
    "active_site_lives": (_partition(lambda _: None), {}, "override_partition"),
    "active_site_seen_by_standby": (_partition(_unseen), {}, "override_partition"),
}


def _attestations(findings: Iterable[Finding], options: Options, option: str) -> list[Attestation]:
    found = (attestation_of(finding, options) for finding in findings)
    return [one for one in found if one is not None and one.option == option]


@pytest.mark.parametrize("code", CASES)
def test_attestation__finding_that_refuses__names_the_option_that_answers_it(code: str) -> None:
    found, options, option = CASES[code]
    finding = next(f for f in found(options) if f.code == code)
    assert finding.refuses
    assert finding.facts.get("option", option) == option
    attestation = attestation_of(finding, options)
    assert attestation is not None
    assert (attestation.option, attestation.is_given) == (option, False)
    assert attestation.is_override is (option in ("override_partition", "attest_unknown_runs"))
    added = {
        "attest_fenced": (finding.facts.get("node_id"), finding.facts.get("node")),
        "remove_also": (finding.facts.get("choice"), finding.facts.get("choice")),
    }
    assert (attestation.node_id, attestation.node) == added.get(option, (None, None))
    assert attestation.label == LABELS[option].format(node=attestation.node)


@pytest.mark.parametrize("code", CASES)
def test_attestation__option_given__the_finding_refuses_no_more_and_says_so(code: str) -> None:
    found, options, option = CASES[code]
    asked = _attestations(found(options), options, option)
    ids = [one.node_id for one in asked if one.node_id]
    given = {**options, option: ids or True}
    after = list(found(given))
    assert not [f for f in after if f.code == code and f.refuses]
    attested = _attestations(after, given, option)
    assert attested
    assert all(one.is_given for one in attested)
    assert {one.node_id for one in attested} >= set(ids)


def test_attestation__each_option__has_a_case() -> None:
    assert {option for _, _, option in CASES.values()} == set(LABELS)
    assert {code: option for code, (_, _, option) in CASES.items()} == OPTION_OF
    assert set(GIVEN_AS.values()) <= set(LABELS)


def _refused(code: str, **facts: object) -> Finding:
    return Finding(code, Severity.UNKNOWN, "As seen.", facts=facts)


@pytest.mark.parametrize(
    ("finding", "options"),
    [
        (_refused("node_cannot_be_fenced", node="a1", node_id="n_a1", reach="up", unread=["read_only"]), {}),
        (_refused("orphans_unknown"), {"orphans": "replay"}),
        (_refused("orphans_unknown"), {}),
        (_refused("unreachable_node_may_run", node="a1", reach="hung"), {}),
        (_refused("unreachable_node_may_run", node="a1", node_id="n_a1", reach="hung"), {"attest_fenced": ["n_a1"]}),
        (_refused("accounts_unknown"), {"attest_accounts": True}),
        (_refused("wsrep_off", node="a1", node_id="n_a1"), {}),
        (Finding("long_transaction", Severity.WARNING, "As seen."), {}),
        (Finding("orphans_conflict", Severity.WARNING, "All are decided."), {"orphans": "replay"}),
        (Finding("unreachable_node_expelled", Severity.OK, "As seen.", facts={"node": "a1", "node_id": "n_a1"}), {}),
    ],
)
def test_attestation__nothing_a_person_can_answer_or_given_in_vain__none(finding: Finding, options: Options) -> None:
    assert attestation_of(finding, options) is None


FLAGS = frozenset(
    {
        *("attested_fenced", "attested_path", "attested_accounts", "attested_error_over", "is_attested"),
        *(
            "removed_also",
            "accepts_loss",
            "overrides_partition",
            "allows_long_transactions",
            "skip_conflicts",
            "accepts_sst",
        ),
    }
)
"""What a check reads of what a person attested."""
NOT_ANSWERED = {
    "orphans_found": "the way attach does not go on with orphans",
    "orphans_refused": "a way that is closed stays closed",
    "orphans_grants": "the missing grants have to be given",
    "other_channel_not_found": "a name that no channel has is taken out of the option",
    "loss_none_seen": "a warning at most",
    "maintenance_time_unknown": "an SST can only be accepted where it is known how soon one would be needed",
    "probe_needed": "answered by leaving the option probe on",
}
"""Codes beside an attestable one in the same function, and why no option answers them."""


def _functions() -> Iterator[ast.FunctionDef]:
    for folder in ("checks", "facts", "plans", "orphans"):
        for path in (CORE / folder).rglob("*.py"):
            yield from (node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.FunctionDef))


def _reads_a_flag(function: ast.FunctionDef) -> bool:
    nodes = list(ast.walk(function))
    names = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    return bool(FLAGS & (names | {node.id for node in nodes if isinstance(node, ast.Name)}))


def _assigned(function: ast.FunctionDef, name: str) -> Iterator[str]:
    """Texts that this variable is set to, alone or first of a tuple."""
    for node in ast.walk(function):
        if not isinstance(node, ast.Assign):
            continue
        for target in node.targets:
            pairs = (
                zip(target.elts, node.value.elts, strict=True)
                if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple)
                else [(target, node.value)]
            )
            for left, right in pairs:
                if isinstance(left, ast.Name) and left.id == name and isinstance(right, ast.Constant):
                    yield str(right.value)


def _refusals(function: ast.FunctionDef) -> Iterator[str]:
    """Codes of the findings that this function makes and that may refuse."""
    for node in ast.walk(function):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Finding"):
            continue
        severity = ast.unparse(node.args[1])
        if severity.isidentifier() or "BLOCKER" in severity or "UNKNOWN" in severity:
            code = node.args[0]
            yield from ([str(code.value)] if isinstance(code, ast.Constant) else _assigned(function, ast.unparse(code)))


def test_attestation__every_refusal_that_depends_on_what_a_person_said__is_in_the_table() -> None:
    codes = {code for function in _functions() if _reads_a_flag(function) for code in _refusals(function)}
    assert codes - set(NOT_ANSWERED) == set(OPTION_OF)


def test_attestation__every_option_named_in_the_facts_of_a_finding__is_in_the_table() -> None:
    named = set()
    for path in CORE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Dict):
                pairs = zip(node.keys, node.values, strict=True)
                named |= {ast.unparse(v) for k, v in pairs if isinstance(k, ast.Constant) and k.value == "option"}
    choices = {"'probe'", "'orphans=fence'", "BACKUP"}
    assert choices <= named
    assert named - choices - {"ATTEST"} <= {repr(option) for option in LABELS}
