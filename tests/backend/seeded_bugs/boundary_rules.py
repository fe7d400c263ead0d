"""Rules of the console's boundary: what it takes in, whom it calls, what it lets its broker tell it."""

from __future__ import annotations

from tests.backend.seeded_bugs.rule import OuterRule

ADDRESSES = "backend.gateway.connection.addresses"
ON_ADDRESSES, ON_PARTS_OF_CONSOLE = "tests.gateway.test_addresses", "tests.backend.hooks.test_own_parts"
ON_RUN_HOOKS = "tests.backend.hooks.test_run_hooks"
ON_VERIFICATION = "tests.backend.test_verification"
BROKER, ON_FOREIGN = "backend.common.broker", "tests.backend.execution.test_foreign_messages"
ON_LOG = "tests.backend.execution.test_log_context"
ON_PARTS = "tests.backend.test_statement_parts"

BOUNDARY_RULES = (
    OuterRule(
        "a_cursor_is_of_its_columns_type",
        "backend.common.rest.pagination",
        "    if not is_fit:\n",
        "    if False:\n",
        "tests.api.test_cursors::test_cursor__of_the_wrong_type__400_naming_it_on_every_paginated_endpoint",
        "a viewer makes errors of the server at will",
    ),
    OuterRule(
        "a_host_that_no_statement_carries_is_not_registered",
        "backend.clusters.services",
        '        check_host_part(node["host"], f"nodes.{index}.host")\n',
        "",
        f"{ON_PARTS}::test_registration__host_that_no_statement_carries__refused_by_name",
        "that no plan can name a node is found out on the day of the failover",
    ),
    OuterRule(
        "an_account_that_no_statement_carries_is_not_registered",
        "backend.clusters.services",
        "    check_account_parts(credentials)\n",
        "",
        f"{ON_PARTS}::test_registration__account_that_no_statement_carries__refused_by_name",
        "that no channel can be set up with the account is found out on the day of the failover",
    ),
    OuterRule(
        "a_registered_name_that_no_statement_carries_is_reported",
        "backend.clusters.inspection",
        "return [*part_findings(cluster), ",
        "return [",
        f"{ON_PARTS}::test_cluster_check__registered_before_the_checks__reported_with_a_remedy",
        "a cluster of an earlier version is found unusable on the day of the failover",
    ),
    OuterRule(
        "a_name_that_a_server_tells_is_no_sql",
        "backend.gateway.grants",
        """return f"{quoting.plain(user, 'user')}@{quoting.plain(host, 'host')}\"""",
        """return f"'{user}'@'{host}'\"""",
        "tests.backend.test_remedies::test_remedy__account_name_that_a_server_tells__never_becomes_a_statement",
        "a false server writes the statement that an administrator pastes as root",
    ),
    OuterRule(
        "a_metadata_service_is_never_connected_to",
        ADDRESSES,
        "    if address in METADATA:\n",
        "    if False:\n",
        "tests.backend.common.test_security::test_address__never_a_server__is_refused_even_in_the_demo",
        "the credentials of the machine are read through a webhook",
    ),
    OuterRule(
        "a_wrapped_address_is_never_connected_to",
        ADDRESSES,
        "address in network for network in _WRAPPING",
        "False for network in _WRAPPING",
        "tests.backend.common.test_security::test_address__never_a_server__is_refused_even_in_the_demo",
        "a refused address is reached wrapped in another one",
    ),
    OuterRule(
        "a_webhook_reaches_a_private_address_only_where_listed",
        ADDRESSES,
        "if self.allows_private or address.is_global:",
        "if True:",
        "tests.backend.common.test_security::test_address__private__is_one_of_a_database_and_of_a_receiver_only_where_listed",
        "a webhook is a way into every unguarded service of the console's network",
    ),
    OuterRule(
        "a_webhook_to_a_part_of_the_console_is_not_added",
        "backend.hooks.url_policy",
        "        if is_own_part(address, target.port):\n            raise invalid(",
        "        if False:\n            raise invalid(",
        f"{ON_PARTS_OF_CONSOLE}::test_webhook__to_a_part_of_the_console__refused_when_it_is_added",
        "a webhook speaks to the console's Redis or database",
    ),
    OuterRule(
        "a_webhook_to_a_part_of_the_console_is_not_called",
        "backend.hooks.url_policy",
        "if not refusal and is_own_part(address, target.port):",
        "if False:",
        f"{ON_PARTS_OF_CONSOLE}::test_webhook__to_a_part_of_the_console__not_called",
        "a name that leads to the console's Redis later passes",
    ),
    OuterRule(
        "a_nodes_address_is_judged_at_each_connection",
        ADDRESSES,
        "        refusal = policy.refusal_of(address)\n        if refusal:\n            raise AddressError(",
        "        refusal = ''\n        if refusal:\n            raise AddressError(",
        f"{ON_ADDRESSES}::test_session__name_leads_elsewhere_by_now__no_login_is_sent",
        "the name server decides who gets the operator's login",
    ),
    OuterRule(
        "a_session_goes_to_the_judged_address",
        ADDRESSES,
        "return [host] if is_proven_by_name else",
        "return [host] if True else",
        f"{ON_ADDRESSES}::test_session__name_server_answers_otherwise_a_moment_later__goes_to_the_judged_address",
        "the name server's second answer gets the operator's login",
    ),
    OuterRule(
        "an_answer_of_a_receiver_is_shown_to_who_may_change_it",
        "backend.hooks.selectors",
        '"answer": delivery.answer if in_full else None',
        '"answer": delivery.answer',
        "tests.api.test_hooks::test_hook__what_its_receiver_answered__only_to_who_may_change_it",
        "a viewer reads what a service of the inner network answered",
    ),
    OuterRule(
        "a_webhook_before_a_run_leads_where_the_plan_said",
        "backend.hooks.delivery",
        "    if _leads_elsewhere(hook, key, call):\n",
        "    if False:\n",
        f"{ON_RUN_HOOKS}::test_call__address_changed_since_the_plan__before_is_not_called",
        "after the approval the call goes to an address that nobody approved",
    ),
    OuterRule(
        "a_webhooks_url_is_sealed_at_rest",
        "backend.hooks.services",
        'seal_url(given["url"], hook_id=hook_id)',
        'given["url"]',
        f"{ON_RUN_HOOKS}::test_url__at_rest__sealed_for_its_webhook_alone",
        "a dump of the database gives away where and with which token the team is told",
    ),
    OuterRule(
        "a_plan_says_that_connections_are_not_verified",
        "backend.runs.planning.planner",
        "*connection_findings(link.active_cluster, link.standby_cluster)",
        "",
        f"{ON_VERIFICATION}::test_plan__unverified_connections__a_warning_for_each_side",
        "nobody is told that the replication password goes out in clear text",
    ),
    OuterRule(
        "a_console_of_verified_connections_takes_no_other",
        "backend.clusters.services",
        '    check_mode(tls["mode"])\n',
        "",
        f"{ON_VERIFICATION}::test_registration__verified_connections_demanded__other_modes_refused_by_name",
        "a cluster is registered in clear text against the rules of the house",
    ),
    OuterRule(
        "what_is_no_json_is_no_message",
        BROKER,
        "        except _UNREADABLE as error:\n",
        "        except ZeroDivisionError as error:\n",
        f"{ON_FOREIGN}::test_read__no_json__as_if_nothing_had_come",
        "one line of garbage in the queue ends a worker",
    ),
    OuterRule(
        "what_the_console_never_sends_is_dropped",
        BROKER,
        "        if fault:\n",
        "        if False:\n",
        f"{ON_FOREIGN}::test_deliver__foreign_message__dropped_before_anything_looks_at_it",
        "a message of another shape ends a worker or is read with a stranger's decoder",
    ),
    OuterRule(
        "a_message_sets_no_limits_for_its_task",
        BROKER,
        '{**message, "headers": {**headers, **_FIXED}}',
        "message",
        f"{ON_FOREIGN}::test_deliver__limits_and_delays_of_the_sender__taken_away",
        "a forged message kills the run that it starts between a statement and its proof",
    ),
    OuterRule(
        "nothing_of_another_task_is_in_a_log_line",
        "backend.common.tasks",
        "        structlog.contextvars.clear_contextvars()\n",
        "",
        f"{ON_LOG}::test_task__before_it_starts__nothing_of_the_task_before_it_is_left",
        "lines of one run are logged under the name of another person",
    ),
    OuterRule(
        "what_a_header_says_of_the_sender_is_dropped",
        BROKER,
        'for name in _HEADERS if name in message["headers"]',
        'for name in message["headers"]',
        f"{ON_LOG}::test_deliver__log_context_in_a_header__taken_away",
        "the sender of a message chooses under whose name the worker logs",
    ),
)
