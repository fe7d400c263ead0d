"""Sessions at the sources: channels that no node tells of, and servers between the sides."""

from __future__ import annotations

from dataclasses import replace

import pytest

from backend.core.checks.origins import check_channel_ends
from backend.core.dialects.mariadb import MariadbDialect
from backend.core.facts.channel_ends import End, foreign_channels, hindrance
from backend.core.facts.log_readers import relay_session, unseen_readers
from backend.core.facts.serialization import node_from_json, node_to_json
from backend.core.findings import Severity
from backend.core.link_facts import LinkFacts
from backend.core.link_state import History, LinkState, derive
from backend.core.topology import Direction, LogReader, Reach
from tests.core.builders.link_facts import (
    LinkChange,
    context,
    down,
    link,
    node_of,
    refusing,
    with_channel,
    with_node,
)
from tests.core.builders.third_servers import feeding

RELAY = "10.9.9.9"
REPL = (node_of(link(), "b1").channels or ())[0].source_user


def reading(facts: LinkFacts, name: str, *hosts: str, user: str = "") -> LinkFacts:
    """Sessions read that node's log, with the account of the channels unless another one is given."""
    account = user or REPL
    known = node_of(facts, name).log_readers or ()
    more = tuple(LogReader(10 + len(known) + i, account, host) for i, host in enumerate(hosts))
    return with_node(facts, name, log_readers=(*known, *more))


def shown(facts: LinkFacts) -> dict[str, Severity]:
    return {one.code: one.severity for one in check_channel_ends(context(facts))}


ROWS = [
    {"id": 31, "user": "repl", "host": "10.2.0.1:43210"},
    {"id": 30, "user": "cdc", "host": "fd00::7:50001"},
    {"id": 29, "user": "repl", "host": "beta-2.example"},
    {"id": 2, "user": "system user", "host": ""},
]


def test_parse__rows_of_a_server__readers_without_port_in_the_order_of_their_connections() -> None:
    found = MariadbDialect().parse_log_readers(ROWS)
    assert found == (
        LogReader(29, "repl", "beta-2.example"),
        LogReader(30, "cdc", "fd00::7"),
        LogReader(31, "repl", "10.2.0.1"),
    )


@pytest.mark.parametrize("rows", [[], [{"id": None, "user": None, "host": ""}], ROWS[:1]])
def test_parse__no_thread_of_the_server_itself_is_shown__privilege_lacks_and_readers_are_unknown(
    rows: list[dict[str, object]],
) -> None:
    assert MariadbDialect().parse_log_readers(rows) is None


@pytest.mark.parametrize("readers", [None, (), (LogReader(3, "repl", "10.2.0.1"),)])
def test_json__readers__stored_and_read_back(readers: tuple[LogReader, ...] | None) -> None:
    node = replace(node_of(link(), "a1"), log_readers=readers)
    plain = node_to_json(node)
    assert node_from_json(plain) == node
    del plain["log_readers"]
    assert node_from_json(plain).log_readers is None


def test_readers__one_for_each_channel__nothing_to_say() -> None:
    assert shown(reading(reading(link(), "a1", "10.2.0.1"), "b1", "10.1.0.1")) == {}


def test_readers__one_more_of_the_same_side_at_another_node__said_with_account_and_host() -> None:
    facts = reading(reading(link(), "a1", "10.2.0.1"), "a3", "10.2.0.7")
    (told,) = check_channel_ends(context(facts))
    assert (told.code, told.severity) == ("log_reader_unseen", Severity.WARNING)
    assert f"a3: {REPL} from 10.2.0.7" in told.message
    assert (told.facts["unseen"], told.facts["channels"]) == (1, 1)
    view = derive(facts, History(), facts.observed_at_s)
    assert "log_reader_unseen" in {one.code for one in view.findings}


def test_readers__two_from_one_host__told_twice() -> None:
    (told,) = check_channel_ends(context(reading(link(), "a1", "10.2.0.1", "10.2.0.1")))
    assert f"a1: {REPL} from 10.2.0.1 (2 times)" in told.message


def _connecting(facts: LinkFacts) -> LinkFacts:
    (channel,) = node_of(facts, "b1").channels or ()
    return with_node(facts, "b3", channels=(replace(channel, io_running="Connecting"),))


@pytest.mark.parametrize(
    ("change", "user"),
    [
        (lambda facts: facts, "cdc"),
        (lambda facts: replace(facts, channels_elsewhere={facts.active.id: 1}), REPL),
        (_connecting, REPL),
        (lambda facts: feeding(facts, "b2", None), REPL),
        (lambda facts: feeding(facts, "b2", 11), REPL),
    ],
    ids=["account-of-its-own", "channel-of-another-link", "channel-that-connects", "end-unknown", "by-a-proxy"],
)
def test_readers__told_by_a_known_channel_or_by_their_account__not_unseen(change: LinkChange, user: str) -> None:
    facts = reading(reading(link(), "a1", "10.2.0.1"), "a2", "10.2.0.3", user=user)
    assert bool(unseen_readers(facts)) == (user == REPL)
    assert unseen_readers(change(facts)) == ()


def test_readers__holder_does_not_answer__its_session_is_that_of_the_recorded_channel() -> None:
    facts = down(reading(link(), "a1", "10.2.0.1"), "b1", Reach.HUNG)
    assert unseen_readers(facts) == ()
    assert unseen_readers(reading(facts, "a2", "10.2.0.2"))
    assert unseen_readers(replace(facts, recorded=())) == ()


def test_third_server__reads_the_other_side_itself__may_pass_it_on_and_refuses() -> None:
    facts = feeding(link(), "b2")
    assert "channel_source_unregistered" not in refusing(context(facts))
    relayed = reading(facts, "a3", RELAY, user="relay")
    (one,) = foreign_channels(relayed)
    assert (one.end, one.is_unclear) == (End.RELAY, True)
    assert "reads the binary log of a3 (session of relay)" in one.sentence
    assert "channel_source_unregistered" in refusing(context(relayed))
    assert hindrance(relayed)
    assert derive(relayed, History(), relayed.observed_at_s).state is LinkState.DEGRADED
    gone = with_node(relayed, "b1", channels=())
    assert derive(replace(gone, recorded=()), History(), gone.observed_at_s).state is LinkState.UNKNOWN


def test_third_server__ignores_what_the_other_side_wrote__passes_nothing_on() -> None:
    facts = reading(feeding(link(), "b2", ignore_server_ids=(11, 12, 13)), "a3", RELAY)
    (one,) = foreign_channels(facts)
    assert one.end is End.OUTSIDE
    partly = reading(feeding(link(), "b2", ignore_server_ids=(11, 12)), "a3", RELAY)
    assert foreign_channels(partly)[0].end is End.RELAY


def test_relay__loopback_address__another_machine_on_each_host_and_proves_nothing() -> None:
    facts = reading(link(), "a1", "127.0.0.1", "localhost", "::1")
    (channel,) = node_of(facts, "b1").channels or ()
    for host in ("127.0.0.1", "localhost", "::1"):
        assert relay_session(replace(channel, source_host=host, ignore_server_ids=()), facts.active) is None
    named = reading(link(), "a1", "Relay.example.")
    assert relay_session(replace(channel, source_host="relay.example", ignore_server_ids=()), named.active)


def test_third_server__readers_of_the_other_side_unknown__refused() -> None:
    facts = with_node(feeding(link(), "b2"), "a2", log_readers=None)
    assert shown(facts).get("log_readers_unknown") is Severity.UNKNOWN
    assert "log_readers_unknown" in refusing(context(facts))
    ignoring = with_node(feeding(link(), "b2", ignore_server_ids=(11, 12, 13)), "a2", log_readers=None)
    assert "log_readers_unknown" not in refusing(context(ignoring))
    assert "log_readers_unknown" in {one.code for one in derive(facts, History(), facts.observed_at_s).findings}


def test_readers_unknown__no_third_server__no_plan_needs_them() -> None:
    facts = with_node(link(), "a2", log_readers=None)
    assert shown(facts) == {}
    assert not refusing(context(with_channel(facts, "b1", ignore_server_ids=(21, 22, 23))))
    assert facts.recorded_channel(Direction.FORWARD) is not None
