"""The rules of whose transactions stand in the logs, and of who is at the other end of a channel, each taken out."""

from __future__ import annotations

from typing import Any

from tests.core.builders.third_servers import feeding
from tests.core.seeded_bugs.rule import Rule, is_green

_ORIGINS, _ENDS = "facts.origins", "facts.channel_ends"
_READERS = "facts.test_log_readers"
_FACTS, _PLANS = "facts.test_origins", "plans.test_third_origin"


def _rule(name: str, package: str, text: str, without: str, module: str, test: str, *given: Any, **named: Any) -> Rule:
    red = (AssertionError, ValueError)
    return Rule(name, ((package, text, without),), lambda core: is_green(core, module, test, *given, red=red, **named))


RULES = (
    _rule(
        "ids_ignored_on_purpose_are_kept",
        _ORIGINS,
        "    if server_id in ignored:\n        return Way.IGNORED\n",
        "",
        _FACTS,
        "test_guard__id_ignored_on_purpose__kept_and_outside_the_stream",
    ),
    _rule(
        "what_a_channel_ignores_is_not_of_its_stream",
        "locate.search_inputs",
        "receiving_server_ids=outside_stream(link, question.direction),",
        "receiving_server_ids=receiving.server_ids,",
        _PLANS,
        "test_relocate__third_server_writes_meanwhile__its_id_is_kept_and_everything_arrives_once",
        None,
    ),
    _rule(
        "an_id_that_enters_a_side_is_ignored_into_it",
        _ORIGINS,
        "    if is_fed:\n        return Way.FED\n",
        "",
        _FACTS,
        "test_guard__server_feeds_one_side__its_channel_must_ignore_it_and_the_other_brings_it",
    ),
    _rule(
        "an_id_of_unknown_way_is_neither_ignored_nor_carried",
        _ORIGINS,
        "    return Way.UNKNOWN if server_id in _ids(logged_origins(source)) else Way.ONLY_HERE\n",
        "    return Way.ONLY_HERE\n",
        _FACTS,
        "test_guard__id_in_the_logs_of_both_and_no_fact_tells_its_way__neither_ignored_nor_believed",
        is_fed_twice=False,
    ),
    _rule(
        "an_id_in_the_own_domain_is_one_of_the_cluster",
        _ORIGINS,
        "    former = own - fed - set(cluster.server_ids) - set(other.server_ids)\n",
        "    former: set[int] = set()\n",
        _FACTS,
        "test_told_apart__id_in_the_own_domain__one_of_the_clusters_own",
    ),
    _rule(
        "a_domain_that_others_write_in_proves_nothing",
        _ORIGINS,
        "domain in others or any(foreign_channels_of(other, cluster)):",
        "domain in ():",
        _FACTS,
        "test_told_apart__another_may_write_in_that_domain__not_believed",
        lambda facts: feeding(facts, "b1"),
    ),
    _rule(
        "a_new_link_begins_beside_no_channel_from_elsewhere",
        "plans.create_channels",
        "    check_no_foreign_channel,\n    check_channel_ends,\n",
        "",
        _PLANS,
        "test_create__channel_from_an_unregistered_address__refused_whatever_its_name",
        "localhost",
        "LINK1",
        12,
    ),
    _rule(
        "a_channel_made_meanwhile_is_seen_before_the_start",
        "steps.positions.resume_position",
        "    if unclear:\n",
        "    if False:\n",
        _PLANS,
        "test_run__such_a_channel_is_made_during_the_run__nothing_is_started_beside_it",
        12,
    ),
    _rule(
        "a_server_between_the_sides_carries_the_direction",
        _ENDS,
        "    if relay_session(channel, other) is not None:\n        return End.RELAY\n",
        "",
        _READERS,
        "test_third_server__reads_the_other_side_itself__may_pass_it_on_and_refuses",
    ),
    _rule(
        "unknown_readers_are_not_none",
        "dialects.galera",
        '        if all(text_in(row, "user") != SERVER_ITSELF for row in found):\n            return None\n',
        "",
        _READERS,
        "test_parse__no_thread_of_the_server_itself_is_shown__privilege_lacks_and_readers_are_unknown",
        [],
    ),
    _rule(
        "a_third_server_beside_unknown_readers_is_refused",
        "checks.origins",
        "    yield from (unread_readers_finding(one) for one in foreign_channels(ctx.link) if one.may_be_relayed)\n",
        "",
        _READERS,
        "test_third_server__readers_of_the_other_side_unknown__refused",
    ),
    _rule(
        "a_channel_of_unknown_end_may_carry_the_direction",
        _ENDS,
        "    ends = (End.OTHER_SIDE, End.RELAY, End.UNKNOWN)\n",
        "    ends = ()\n",
        _PLANS,
        "test_page__both_channels_by_a_virtual_address__shown_and_nothing_offered",
    ),
    _rule(
        "the_server_that_answers_is_the_node_that_is_named",
        _ENDS,
        "and seen != source.server_id",
        "and False",
        _FACTS,
        "test_misdirected__connected_to_another_server__named_and_hinders",
    ),
)


PREVENTS = {
    "ids_ignored_on_purpose_are_kept": "a third server's transactions come home by the other side",
    "what_a_channel_ignores_is_not_of_its_stream": "a relocate while a third server writes finds another stream",
    "an_id_that_enters_a_side_is_ignored_into_it": "what a third server feeds to a side is applied there twice",
    "an_id_of_unknown_way_is_neither_ignored_nor_carried": "transactions that come by the other side only are lost",
    "an_id_in_the_own_domain_is_one_of_the_cluster": "a cluster that logs under a former id gets its own rows back",
    "a_domain_that_others_write_in_proves_nothing": "a third server's transactions count as a cluster's own",
    "a_new_link_begins_beside_no_channel_from_elsewhere": "a second channel beside one by a virtual address",
    "a_channel_made_meanwhile_is_seen_before_the_start": "two channels carry one direction",
    "a_server_between_the_sides_carries_the_direction": "a direction arrives twice, once by a server between",
    "unknown_readers_are_not_none": "no server between is believed where none could be seen",
    "a_third_server_beside_unknown_readers_is_refused": "a server between that nobody can see",
    "a_channel_of_unknown_end_may_carry_the_direction": "create_channels is offered beside running channels",
    "the_server_that_answers_is_the_node_that_is_named": "a place in one server's log is used for another's",
}
