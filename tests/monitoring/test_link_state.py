"""Facts in, state and sentence out."""

from __future__ import annotations

from dataclasses import replace

import pytest

from backend.core.findings import Severity
from backend.core.link_facts import Divergence, LinkFacts, RecordedChannel
from backend.core.link_state import CleanupDue, History, LinkState, LinkView, debounce, derive
from backend.core.link_state.readiness import PrimaryAction
from backend.core.topology import TLS_REFUSED, ChannelFacts, Direction, NodeFacts, Reach
from tests.monitoring.facts import NOW, RECORDS, channel, gone, link, ref, up, with_wsrep

LAST_OK = {Direction.FORWARD: NOW - 14, Direction.REVERSE: NOW - 14}


def state_of(facts: LinkFacts, **history: object) -> tuple[LinkState, str]:
    view = derive(facts, History(**history), NOW)  # type: ignore[arg-type]
    return view.state, view.sentence


def action_of(view: LinkView) -> PrimaryAction:
    """The action that is offered first; there is one."""
    assert view.primary_action is not None
    return view.primary_action


def codes(facts: LinkFacts) -> list[str]:
    return [finding.code for finding in derive(facts, History(), NOW).findings]


def test_derive__all_well__protected_and_nothing_to_say() -> None:
    view = derive(link(), History(gaps={Direction.FORWARD: 0}), NOW)
    assert view.state is LinkState.PROTECTED
    assert view.sentence == "Milan is writable. Frankfurt is in sync."
    assert (view.findings, view.primary_action) == ((), None)
    assert view.readiness["relocate"].state == "ready"


@pytest.mark.parametrize(
    ("gap", "lag", "distance"),
    [
        (1, 0, "1 transaction behind"),
        (1200, 3, "1,200 transactions behind"),
        (None, 3, "3 s behind"),
        (None, 0, "replicating; how far it is behind is unknown"),
        (None, None, "replicating; how far it is behind is unknown"),
    ],
)
def test_derive__replica_lags__distance_is_said(gap: int | None, lag: int | None, distance: str) -> None:
    """After a move the server reports 0 s before its log was read for the first time."""
    facts = link({"b1": up("b1", channel("a1", lag_s=lag))})
    _, sentence = state_of(facts, gaps={Direction.FORWARD: gap})
    assert sentence == f"Milan is writable. Frankfurt is {distance}."


def test_derive__source_down__the_sentence_of_the_case() -> None:
    facts = link({"a1": gone("a1"), "b1": up("b1", channel("a1", io_running="Connecting", io_errno=2003))})
    view = derive(facts, History(last_ok_s=LAST_OK), NOW)
    assert view.state is LinkState.BROKEN
    assert view.sentence == "db-a1 is down. Milan is still writable. Frankfurt has received no data for 14 s."
    assert action_of(view).label == "Relocate the link off db-a1"
    assert action_of(view).replaced_node == "n_a1"


def test_derive__source_frozen_while_threads_say_yes__broken() -> None:
    state, sentence = state_of(link({"a1": gone("a1", Reach.HUNG)}), last_ok_s=LAST_OK)
    assert state is LinkState.BROKEN
    assert sentence.startswith("db-a1 is not responding.")


def test_derive__applying_failed__relocate_off_the_replica_is_offered() -> None:
    """Its plan tells whether the transaction was applied before."""
    stopped = channel("a1", sql_running="No", sql_errno=1062, sql_error="no")
    action = derive(link({"b1": up("b1", stopped)}), History(), NOW).primary_action
    assert action is not None
    assert (action.kind, action.label) == ("relocate", "Relocate the link off db-b1")


@pytest.mark.parametrize(
    "stopped",
    [
        channel("a1", sql_running="No"),
        channel("a1", io_running="No"),
        channel("a1", io_running="No", sql_running="No"),
        channel("a1", sql_running="No", sql_errno=1047, sql_error="Node has dropped from cluster"),
        channel("a1", sql_running="No", sql_errno=1213, sql_error="Deadlock found"),
    ],
    ids=["silent", "not_reading", "both", "expelled", "deadlock"],
)
def test_derive__channel_stopped_by_itself__start_where_it_stands_is_offered(stopped: ChannelFacts) -> None:
    view = derive(link({"b1": up("b1", stopped)}), History(), NOW)
    assert view.state is LinkState.BROKEN
    assert (action_of(view).kind, action_of(view).replaced_node) == ("start_channel", "n_b1")
    assert action_of(view).label == "Start the forward channel on db-b1"
    assert view.readiness["start_channel"].state == "ready"
    (finding,) = view.findings
    assert finding.remedy.startswith("Start the channel at its position")


def test_derive__sql_thread_stopped_while_a_neighbour_came_back__it_is_named() -> None:
    lately = replace(up("b2"), uptime_s=40)
    view = derive(link({"b1": up("b1", channel("a1", sql_running="No")), "b2": lately}), History(), NOW)
    assert "stopped without an error" in view.findings[0].message
    assert "db-b2 was started 40 s ago" in view.findings[0].message


def _counted(before: int | None, ago_s: float = 30.0) -> tuple[RecordedChannel, ...]:
    """What the replica counted when its channel last applied."""
    return tuple(replace(one, cert_failures=before, applied_at_s=NOW - ago_s) for one in RECORDS)


@pytest.mark.parametrize(
    ("before", "now", "words", "not_said"),
    [
        (0, 0, "A state transfer may have stopped the channel.", "certification"),
        (7, 7, "A state transfer may have stopped the channel.", "certification"),
        (0, 2, "db-b1 counted 2 certification failures since the channel last applied", "channel. The cause"),
        (7, 8, "db-b1 counted 1 certification failure since the channel last applied", "channel. The cause"),
        (None, 2, "The cause is unknown.", "certification"),
        (0, None, "The cause is unknown.", "state transfer"),
        (7, 2, "The cause is unknown.", "certification"),
    ],
)
def test_derive__channel_stopped_without_an_error__told_by_the_rise_of_the_counter_of_lost_conflicts(
    before: int | None, now: int | None, words: str, not_said: str
) -> None:
    replica = with_wsrep(up("b1", channel("a1", sql_running="No")), cert_failures=now)
    seen = link({"b1": replica, "b2": replace(up("b2"), uptime_s=40)}, _counted(before))
    message = derive(seen, History(), NOW).findings[0].message
    assert words in message
    assert not_said not in message


@pytest.mark.parametrize(
    ("now", "uptime_s", "words"), [(2, 10, "2 certification"), (0, 10, "unknown"), (9, None, "unknown")]
)
def test_derive__counter_of_another_start__what_it_counted_since_or_unknown(
    now: int, uptime_s: int | None, words: str
) -> None:
    stopped = channel("a1", sql_running="No")
    replica = replace(with_wsrep(up("b1", stopped), cert_failures=now), uptime_s=uptime_s)
    seen = link({"b1": replica, "b2": replace(up("b2"), uptime_s=40)}, _counted(7))
    assert words in derive(seen, History(), NOW).findings[0].message


@pytest.mark.parametrize(("before", "is_named"), [(0, True), (1, False), (None, False)])
def test_derive__deadlock_of_a_lost_conflict__certification_named_where_the_counter_rose(
    before: int | None, *, is_named: bool
) -> None:
    stopped = channel("a1", sql_running="No", sql_errno=1213, sql_error="Deadlock found when trying to get lock")
    replica = with_wsrep(up("b1", stopped), cert_failures=1)
    message = derive(link({"b1": replica}, _counted(before)), History(), NOW).findings[0].message
    assert ("1 certification failure since the channel last applied" in message) == is_named


def test_derive__replica_of_a_stopped_channel_is_a_donor__not_started_yet() -> None:
    donor = with_wsrep(up("b1", channel("a1", sql_running="No")), local_state=2, state="Donor/Desynced")
    view = derive(link({"b1": donor}), History(), NOW)
    assert view.readiness["start_channel"].state == "blocked"


@pytest.mark.parametrize("direction", [0, 1])
def test_derive__source_no_longer_holds_the_place__relocate_off_it_is_offered(direction: int) -> None:
    """Error 1236: both ends live, and the channel will never resume automatically."""
    replica, source = (("b1", "a1"), ("a1", "b1"))[direction]
    refused = channel(source, io_running="No", io_errno=1236, io_error="Could not find first log file name")
    view = derive(link({replica: up(replica, refused)}), History(), NOW)
    assert (action_of(view).kind, action_of(view).replaced_node) == ("relocate", f"n_{source}")
    (finding,) = [f for f in view.findings if f.code == "channel_broken"]
    assert "reach back far enough" in finding.remedy


def test_derive__source_isolated_from_its_cluster__broken_although_all_says_yes() -> None:
    alone = with_wsrep(up("a1", channel("b1")), cluster_status="non-Primary")
    state, sentence = state_of(link({"a1": alone}))
    assert state is LinkState.BROKEN
    assert "db-a1 is non-Primary." in sentence


def test_derive__replica_down__recorded_channel_stands_in() -> None:
    view = derive(link({"b1": gone("b1")}), History(last_ok_s=LAST_OK), NOW)
    forward = view.directions[0].channel
    assert forward is not None
    assert (forward.recorded, forward.replica_node_id, forward.lag_s) == (True, "n_b1", None)
    assert view.state is LinkState.BROKEN
    assert view.sentence.endswith("Frankfurt has received no data for 14 s.")


def test_derive__replica_frozen_and_still_a_member__unknown() -> None:
    state, sentence = state_of(link({"b1": gone("b1", Reach.HUNG)}))
    assert state is LinkState.UNKNOWN
    assert sentence.endswith("It is unknown whether Frankfurt receives data.")


def test_derive__replica_frozen_and_dropped_by_its_cluster__broken() -> None:
    spoiled = {"b1": gone("b1", Reach.HUNG), "b2": up("b2", size=2), "b3": up("b3", size=2)}
    assert state_of(link(spoiled))[0] is LinkState.BROKEN


@pytest.mark.parametrize(
    ("reach", "state"),
    [
        (Reach.DOWN, LinkState.BROKEN),
        (Reach.HUNG, LinkState.UNKNOWN),
        (Reach.REFUSED, LinkState.UNKNOWN),
        (Reach.UNKNOWN, LinkState.UNKNOWN),
    ],
)
def test_derive__active_side_not_seen__lost_and_unseen_told_apart(reach: Reach, state: LinkState) -> None:
    view = derive(link({name: gone(name, reach) for name in ("a1", "a2", "a3")}), History(), NOW)
    assert view.state is state
    assert view.readiness["relocate"].state == ("blocked" if reach is Reach.DOWN else "unknown")
    assert action_of(view).kind == "failover"


@pytest.mark.parametrize(("value", "code"), [("OFF", "wsrep_off"), (None, "wsrep_on_unknown")])
def test_derive__a_synced_node_writes_past_its_cluster__reported(value: str | None, code: str) -> None:
    variables = {name: each for name, each in up("b2").variables.items() if name != "wsrep_on"}
    alone = replace(up("b2"), wsrep=None, variables=variables if value is None else variables | {"wsrep_on": value})
    assert codes(link({"b2": alone})) == [code]
    if value is not None:
        assert "db-b1 has wsrep_on=OFF" in state_of(link({"b1": replace(alone, node=ref("b1"), channels=())}))[1]


@pytest.mark.parametrize("spoiled", [gone("b3", Reach.HUNG), replace(up("b3"), channels=None)], ids=["hung", "unread"])
def test_derive__what_a_standby_node_applies_is_not_read__a_failover_is_not_called_ready(spoiled: NodeFacts) -> None:
    """The plan refuses for the same reason (check_relay_can_drain)."""
    view = derive(link({"b3": spoiled}), History(gaps={Direction.FORWARD: 0}), NOW)
    assert view.readiness["failover"].state == "unknown"
    assert "db-b3" in view.readiness["failover"].sentence


def test_derive__a_standby_node_is_expelled__a_failover_is_ready() -> None:
    peers = {"b1": up("b1", channel("a1"), size=2), "b2": up("b2", size=2)}
    view = derive(link({"b3": gone("b3"), **peers}), History(gaps={Direction.FORWARD: 0}), NOW)
    assert view.readiness["failover"].state == "ready"


def test_derive__after_a_failover__failed_over_and_reprotect_offered_once_the_side_is_back() -> None:
    def failed_over(nodes: dict[str, NodeFacts]) -> LinkFacts:
        facts = link(nodes)
        return replace(facts, divergence=Divergence(facts.standby.id, facts.active.id, None, NOW - 60))

    lost = {name: gone(name, Reach.DOWN) for name in ("b1", "b2", "b3")}
    away = derive(failed_over({**lost, "a1": up("a1")}), History(), NOW)
    assert away.state is LinkState.FAILED_OVER
    assert away.primary_action is None
    assert away.readiness["reprotect"].state == "blocked"
    assert "Frankfurt has not returned yet" in away.sentence
    back = derive(failed_over({"a1": up("a1")}), History(), NOW)
    assert back.state is LinkState.FAILED_OVER
    assert action_of(back).kind == "reprotect"
    assert back.readiness["relocate"].state == "blocked"
    assert {f.code for f in back.findings} >= {"side_invalidated"}


def returned(read_only: str, **changes: object) -> LinkFacts:
    """Side b is back since its failover, closed to writes or not."""
    nodes = {name: up(name) for name in ("b1", "b2", "b3")}
    nodes = {k: replace(n, variables={**n.variables, "read_only": read_only}) for k, n in nodes.items()}
    facts = link({"a1": up("a1"), **nodes})
    return replace(facts, divergence=Divergence(facts.standby.id, facts.active.id, None, NOW - 60, **changes))  # type: ignore[arg-type]


@pytest.mark.parametrize("fences", [True, False])
def test_derive__the_lost_side_is_back_and_writes__said_and_fencing_it_comes_first(fences: bool) -> None:
    view = derive(returned("OFF", fences_on_return=fences), History(), NOW)
    assert (action_of(view).label, action_of(view).url_options) == ("Fence Frankfurt", (("orphans", "fence"),))
    assert "Frankfurt is reachable again, still writable: fence it." in view.sentence
    (finding,) = [f for f in view.findings if f.code == "returned_side_writes"]
    assert "db-b1, db-b2, db-b3" in finding.message
    assert ("once as it returns" in finding.remedy) is fences
    assert "still writable" in view.readiness["reprotect"].sentence


def test_derive__the_lost_side_is_back_and_fenced__the_ways_with_its_orphans_are_offered() -> None:
    view = derive(returned("ON"), History(), NOW)
    assert (action_of(view).label, action_of(view).url_options) == ("Reprotect Frankfurt", ())
    assert "must be reprotected" in view.sentence
    assert "returned_side_writes" not in {f.code for f in view.findings}


def test_derive__the_returned_side_is_reconciled__its_writes_are_not_called_orphaned() -> None:
    view = derive(returned("OFF", is_reconciled=True), History(), NOW)
    assert "returned_side_writes" not in {f.code for f in view.findings}


def test_derive__the_fence_stopped_the_returned_sides_channel__nobody_is_told_to_start_it() -> None:
    stopped = channel("a1", io_running="No", sql_running="No")
    facts = returned("ON")
    node = replace(facts.standby.nodes[0], channels=(stopped,))
    facts = replace(facts, standby=replace(facts.standby, nodes=(node, *facts.standby.nodes[1:])))
    (finding,) = [f for f in derive(facts, History(), NOW).findings if f.code == "channel_stopped"]
    assert "START SLAVE" not in finding.remedy
    assert "Reprotect Frankfurt" in finding.remedy


def test_derive__channel_from_an_invalidated_side__a_stray_to_be_cleaned_first() -> None:
    facts = link({"b1": up("b1", channel("a1"))})
    diverged = replace(facts, divergence=Divergence(facts.active.id, facts.standby.id, None, NOW))
    view = derive(diverged, History(), NOW)
    assert [s.replica_node_id for s in view.directions[0].strays] == ["n_b1"]
    assert view.directions[0].channel is None
    assert action_of(view).kind == "remove_stray_channel"


def test_derive__old_holder_back_and_running__stray_named_and_cleaning_comes_first() -> None:
    view = derive(link({"b2": up("b2", channel("a2"))}), History(), NOW)
    assert view.state is LinkState.DEGRADED
    assert view.directions[0].channel is not None
    assert view.directions[0].channel.replica_node_id == "n_b1"
    (stray,) = view.directions[0].strays
    assert stray.replica_node_id == "n_b2"
    assert view.findings[0].code == "stray_channel"
    assert view.findings[0].refuses
    assert (action_of(view).kind, action_of(view).replaced_node) == ("remove_stray_channel", "n_b2")
    assert view.readiness["remove_stray_channel"].state == "ready"
    assert view.readiness["relocate"].state == "blocked"


def test_derive__stray_is_stopped__warned_of() -> None:
    stopped = channel("a2", io_running="No", sql_running="No")
    (finding,) = derive(link({"b2": up("b2", stopped)}), History(), NOW).findings
    assert (finding.code, finding.refuses) == ("stray_channel", False)


def test_derive__replica_up_but_silent_about_its_channels__unknown() -> None:
    view = derive(link({"b1": replace(up("b1"), channels=None)}), History(), NOW)
    assert view.state is LinkState.UNKNOWN
    assert "does not report its channels" in view.detail
    assert view.sentence.startswith("The state of the forward channel is unknown.")
    (unknown,) = [finding for finding in view.findings if finding.facts.get("direction") == "forward"]
    assert unknown.remedy.startswith("Grant SLAVE MONITOR to the monitor account.")


def test_derive__channel_moved_by_hand__the_running_one_is_the_channel() -> None:
    view = derive(link({"b1": gone("b1"), "b2": up("b2", channel("a2"))}), History(), NOW)
    assert view.directions[0].channel is not None
    assert view.directions[0].channel.replica_node_id == "n_b2"
    assert view.directions[0].strays == ()


def test_derive__old_holder_back_with_its_channel_and_the_new_one_dies__not_taken_for_the_channel() -> None:
    """Seen on the lab: it was, and the good channel was then called the stray."""
    moved = replace(RECORDS[0], left_on=frozenset({"n_b2"}))
    facts = replace(link({"b1": gone("b1"), "b2": up("b2", channel("a2"))}), recorded=(moved, RECORDS[1]))
    (forward, _) = derive(facts, History(), NOW).directions
    assert forward.channel is not None
    assert (forward.channel.replica_node_id, forward.channel.recorded) == ("n_b1", True)
    assert [s.replica_node_id for s in forward.strays] == ["n_b2"]


def test_derive__holder_unseen_and_a_stopped_left_over__not_taken_for_the_channel() -> None:
    stopped = channel("a2", io_running="No", sql_running="No")
    view = derive(link({"b1": gone("b1", Reach.HUNG), "b2": up("b2", stopped)}), History(), NOW)
    assert view.directions[0].channel is not None
    assert view.directions[0].channel.recorded
    assert [s.replica_node_id for s in view.directions[0].strays] == ["n_b2"]


def test_derive__no_channel_recorded_and_none_readable__the_grant_not_a_second_channel() -> None:
    facts = link({"a1": up("a1"), "b1": replace(up("b1"), channels=None)}, records=())
    (unknown,) = [f for f in derive(facts, History(), NOW).findings if f.code == "channel_unknown"]
    assert unknown.severity is Severity.UNKNOWN
    assert "b1" in unknown.message
    assert unknown.remedy == "Grant SLAVE MONITOR to the monitor account."


def test_derive__no_channel_anywhere__unprotected() -> None:
    facts = link({"a1": up("a1"), "b1": up("b1")}, records=())
    assert state_of(facts)[0] is LinkState.UNPROTECTED
    assert codes(facts).count("channel_missing") == 2
    view = derive(facts, History(), NOW)
    assert action_of(view).kind == "create_channels"
    assert (view.readiness["create_channels"].state, view.readiness["relocate"].state) == ("ready", "blocked")


def test_derive__sql_error__the_error_is_in_the_finding() -> None:
    stopped = channel("a1", sql_running="No", sql_errno=1062, sql_error="Duplicate entry")
    view = derive(link({"b1": up("b1", stopped)}), History(), NOW)
    assert view.state is LinkState.BROKEN
    assert "error 1062: Duplicate entry" in view.findings[0].message


def test_derive__only_the_reverse_channel_stands__degraded() -> None:
    stopped = channel("b1", io_running="No", sql_running="No")
    state, sentence = state_of(link({"a1": up("a1", stopped)}))
    assert state is LinkState.DEGRADED
    assert sentence.startswith("The reverse channel is stopped.")


def test_derive__bystander_down__degraded_only() -> None:
    state, sentence = state_of(link({"a3": gone("a3")}))
    assert state is LinkState.DEGRADED
    assert sentence.startswith("db-a3 is down. Milan is still writable")


def test_derive__other_incarnation__blocker() -> None:
    facts = link()
    other = replace(facts, active=replace(facts.active, recorded_state_uuid="3" * 8 + facts.id))
    assert "state_uuid_changed" in codes(other)


def test_derive__cleaning_due_on_a_node_that_is_away__warned_of() -> None:
    history = History(cleanup_due=(CleanupDue("n_b3", ""),))
    view = derive(link({"b3": gone("b3")}), history, NOW)
    assert "cleanup_due" in [finding.code for finding in view.findings]


def test_debounce__first_silence__keeps_what_was_known() -> None:
    before, silent = up("a1"), gone("a1", Reach.HUNG)
    known, misses = debounce(before, silent, 0)
    assert (known, misses) == (before, 1)
    assert debounce(known, silent, misses) == (silent, 2)


@pytest.mark.parametrize("reach", [Reach.DOWN, Reach.REFUSED])
def test_debounce__an_answer__counts_at_once(reach: Reach) -> None:
    now: NodeFacts = gone("a1", reach)
    assert debounce(up("a1"), now, 0) == (now, 0)


def test_finding__node_whose_certificate_was_refused__names_the_certificate_and_not_the_account() -> None:
    refused = replace(gone("a3", Reach.REFUSED), error=f"{TLS_REFUSED}: no trusted authority signed it")
    (found,) = [one for one in derive(link({"a3": refused}), History(), NOW).findings if one.code == "node_refused"]
    assert found.remedy.startswith("Have an administrator install a certificate on db-a3")
    account = replace(refused, error="credentials refused for user hawser_ro")
    (found,) = [one for one in derive(link({"a3": account}), History(), NOW).findings if one.code == "node_refused"]
    assert found.remedy == "Have an administrator fix the console's account on db-a3: its login is refused."
