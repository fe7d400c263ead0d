"""Every state of a link names who does what, and no finding advises against the primary action."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path

import pytest

from backend.core import link_state
from backend.core.findings import Severity
from backend.core.link_facts import Divergence, LinkFacts
from backend.core.link_state import History, LinkState, LinkView, derive
from backend.core.topology import ChannelFacts, Direction, NodeFacts, Reach
from tests.monitoring.facts import NOW, channel, gone, link, up, with_wsrep

FORWARD = {
    "runs": {},
    "silent": {"sql_running": "No"},
    "not reading": {"io_running": "No"},
    "both stand": {"io_running": "No", "sql_running": "No"},
    "expelled": {"sql_running": "No", "sql_errno": 1047, "sql_error": "Node has dropped from cluster"},
    "duplicate": {"sql_running": "No", "sql_errno": 1062, "sql_error": "Duplicate entry"},
    "purged": {"io_running": "No", "io_errno": 1236, "io_error": "Could not find first log file name"},
    "cannot log in": {"io_running": "Connecting", "io_errno": 1045, "io_error": "Access denied"},
    "fatal": {"io_running": "No", "io_errno": 1593, "io_error": "equal server ids"},
}
NODES = ("well", "down", "hung", "refused", "unknown", "donor", "non_primary", "wsrep_off", "unread")


def _node(name: str, how: str, *channels: ChannelFacts) -> NodeFacts:
    if how in ("down", "hung", "refused", "unknown"):
        return gone(name, Reach(how))
    node = up(name, *channels)
    if how == "donor":
        return with_wsrep(node, local_state=2, state="Donor/Desynced")
    if how == "non_primary":
        return with_wsrep(node, cluster_status="non-Primary", ready=False)
    if how == "wsrep_off":
        return replace(node, variables=node.variables | {"wsrep_on": "OFF"})
    return replace(node, channels=None) if how == "unread" else node


def closed(name: str) -> NodeFacts:
    """As an option file with read_only=ON starts it."""
    node = up(name, *((channel("b1"),) if name == "a1" else ()))
    return replace(node, variables=node.variables | {"read_only": "ON"})


def _links() -> Iterator[tuple[str, LinkFacts]]:
    """Each end in each condition, the rest of each side well, down or hung, the forward channel in each state."""
    for source, replica, (named, changes) in product(NODES, NODES, FORWARD.items()):
        for rest_a, rest_b in (
            ("well", "well"),
            ("down", "well"),
            ("well", "down"),
            ("hung", "down"),
            ("down", "hung"),
        ):
            nodes = {
                "a1": _node("a1", source, channel("b1")),
                "b1": _node("b1", replica, channel("a1", **changes)),
            }
            nodes |= {name: _node(name, rest_a) for name in ("a2", "a3")}
            nodes |= {name: _node(name, rest_b) for name in ("b2", "b3")}
            yield f"a1 {source}, b1 {replica}, forward {named}, rest {rest_a}/{rest_b}", link(nodes)


def _special_links() -> Iterator[tuple[str, LinkFacts]]:
    yield "a stray channel", link({"b2": up("b2", channel("a2"))})
    yield "no channel", link({"a1": up("a1"), "b1": up("b1")}, records=())
    whole = link()
    other = replace(whole.active, recorded_state_uuid="3" * 36)
    yield "another history", replace(whole, active=other)
    yield "an active node returned closed", link({"a2": closed("a2")})
    yield "all active nodes closed", link({name: closed(name) for name in ("a1", "a2", "a3")})
    for reach in (Reach.DOWN, Reach.HUNG, Reach.UP):
        lost = {n: gone(n, reach) if reach is not Reach.UP else up(n) for n in ("b1", "b2", "b3")}
        facts = link({**lost, "a1": up("a1")})
        apart = Divergence(facts.standby.id, facts.active.id, None, NOW - 60)
        yield f"failed over, the lost side {reach}", replace(facts, divergence=apart)
        yield f"reconciled, the lost side {reach}", replace(facts, divergence=replace(apart, is_reconciled=True))


@cache
def _views() -> list[tuple[str, LinkView]]:
    history = History(last_ok_s={Direction.FORWARD: NOW - 60, Direction.REVERSE: NOW - 60})
    return [(named, derive(facts, history, NOW)) for named, facts in (*_links(), *_special_links())]


def _who_does_what(view: LinkView) -> bool:
    """Whether the state has its primary action, or a grave finding says whose work it is."""
    if view.primary_action is not None or view.state is LinkState.PROTECTED:
        return True
    return any(f.remedy for f in view.findings if f.severity not in (Severity.INFO, Severity.OK))


def _against(view: LinkView) -> list[str]:
    """Remedies that advise another kind of run than the primary action, or one that is blocked."""
    kind = view.primary_action.kind if view.primary_action is not None else None
    advised = {"Relocate the link": "relocate", "Start the channel at": "start_channel", "Fail over": "failover"}
    return [
        f"{finding.code}: {finding.remedy} (primary action {kind}, {view.readiness[other].state})"
        for finding in view.findings
        for text, other in advised.items()
        if finding.remedy.startswith(text) and (other != kind or view.readiness[other].state == "blocked")
    ]


def test_link__in_any_state__names_who_does_what() -> None:
    silent = [named for named, view in _views() if not _who_does_what(view)]
    assert silent == []


def test_link__any_finding_that_weighs__says_what_to_do() -> None:
    found = {
        f"{finding.code}: {finding.message}"
        for _, view in _views()
        for finding in view.findings
        if finding.severity not in (Severity.INFO, Severity.OK) and not finding.remedy
    }
    assert found == set()


def test_link__any_remedy__fits_the_primary_action() -> None:
    found = {f"{named}: {text}" for named, view in _views() for text in _against(view)}
    assert found == set()


def test_link__all_kinds_of_findings_are_walked() -> None:
    """So that a code that is added is walked, too."""
    seen = {finding.code for _, view in _views() for finding in view.findings}
    folder = Path(link_state.__file__).parent
    text = "".join((folder / name).read_text(encoding="utf-8") for name in ("findings.py", "derive.py"))
    written = set(re.findall(r'Finding\(\s*"(\w+)"', text))
    assert written - seen <= {
        "cleanup_due",
        "clock_skew",
        "events_not_enabled",
        "side_rebuilt",
        "side_rebootstrapped",
    }, written - seen


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (("a2",), "db-a2 of the active side"),
        (("a1", "a2", "a3"), "No node of the active side"),
        ((), ""),
    ],
)
def test_link__active_nodes_closed_after_a_restart__named_with_who_opens_them(
    names: tuple[str, ...], message: str
) -> None:
    view = derive(link({name: closed(name) for name in names}), History(), NOW)
    found = [finding for finding in view.findings if finding.code == "active_node_read_only"]
    assert [message in finding.message for finding in found] == [True] * bool(names)
    assert all(
        f"SET GLOBAL read_only=OFF on {', '.join(f'db-{name}' for name in names)}." in finding.remedy
        for finding in found
    )


def test_link__lost_side_closed__is_not_to_be_opened() -> None:
    facts = link({name: closed(name) for name in ("a1", "a2", "a3")})
    apart = Divergence(facts.active.id, facts.standby.id, None, NOW - 60)
    view = derive(replace(facts, divergence=apart), History(), NOW)
    assert "active_node_read_only" not in {finding.code for finding in view.findings}


def test_link__whole_side_down__one_node_is_bootstrapped_and_the_others_join_it() -> None:
    """None of them can join: an administrator who starts each as usual waits for ever."""
    view = derive(link({name: gone(name) for name in ("a1", "a2", "a3")}), History(), NOW)
    remedies = [finding.remedy for finding in view.findings if finding.code == "node_down"]
    assert len(remedies) == 3
    assert all("--wsrep-new-cluster" in remedy and "automatically" not in remedy for remedy in remedies)


def test_link__lost_side_back_with_its_channel_stopped__nobody_guesses_at_a_state_transfer() -> None:
    """The console fences a lost side and stops its channel: what its neighbours did is not the cause."""
    facts = link({"a1": up("a1", channel("b1", io_running="No", sql_running="No"))})
    turned = replace(facts, active=facts.standby, standby=facts.active)
    apart = Divergence(facts.active.id, facts.standby.id, None, NOW - 60)
    stopped = [f for f in derive(replace(turned, divergence=apart), History(), NOW).findings if "stopped" in f.message]
    assert stopped
    assert not [f.message for f in stopped if "are stopped without an error" in f.message]


def test_link__row_under_a_stopped_channel__is_mended_without_travelling_back() -> None:
    """Logged, a DELETE of the row in the way took away the other side's own row, too (measured)."""
    advised = [
        finding.remedy for _, view in _views() for finding in view.findings if "fix the row" in finding.remedy.lower()
    ]
    assert advised
    assert all("wsrep_on=OFF and sql_log_bin=0" in remedy for remedy in advised)


@pytest.mark.parametrize(("errno", "is_shown"), [(1062, True), (1032, True), (1146, False)])
def test_link__stopped_on_a_row__says_where_it_is_shown(errno: int, is_shown: bool) -> None:
    facts = link({"b1": up("b1", channel("a1", sql_running="No", sql_errno=errno, sql_error="…"))})
    (finding,) = [f for f in derive(facts, History(), NOW).findings if f.facts.get("errno") == errno]
    assert ("The link's page shows the row and the statements." in finding.remedy) is is_shown
