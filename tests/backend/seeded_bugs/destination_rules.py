"""Rules that keep the secrets of destinations to their services, and alarms true."""

from __future__ import annotations

from tests.backend.seeded_bugs.rule import OuterRule

ON_FORMATS = "tests.backend.hooks.messages.test_formats"
ON_FAILURES = "tests.backend.hooks.messages.test_failures"
ON_CONDITIONS = "tests.backend.hooks.messages.test_conditions"
ON_MAIL = "tests.backend.hooks.messages.test_mail"
ON_NOTICES = "tests.backend.hooks.test_notifications"
ON_API = "tests.api.test_destinations"
ON_SILENCE = "tests.backend.threats.test_silenced_receivers"
FORMATS, SENDING = "backend.notifications.hooks.messages.composing", "backend.notifications.hooks.messages.sending"

DESTINATION_RULES = (
    OuterRule(
        "who_deletes_a_receiver_is_told_to_the_others",
        "backend.notifications.hooks.destinations.services",
        "    delete_receiver(actor, hook)\n",
        "    hook.deliveries.all().delete()\n",
        "tests.backend.hooks.test_notifications::"
        "test_receiver__deleted_while_a_message_waits__the_others_are_told_what_it_was_not",
        "an administrator announces a protected change and deletes the destination before it is told",
    ),
    OuterRule(
        "who_silences_a_destination_is_told_to_the_others",
        "backend.notifications.hooks.destinations.services",
        "            announce_change(actor, before, changed)\n",
        "",
        f"{ON_SILENCE}::test_destination__told_less_or_led_elsewhere__told_to_the_others_and_to_it",
        "an administrator switches a destination off before he announces a protected change",
    ),
    OuterRule(
        "who_silences_a_webhook_is_told_to_the_others",
        "backend.notifications.hooks.services",
        "            announce_change(actor, before, hook_get(hook.pk))\n",
        "",
        f"{ON_SILENCE}::test_webhook__switched_off_or_led_elsewhere__told_at_its_old_address",
        "an administrator leads a webhook elsewhere before he announces a protected change",
    ),
    OuterRule(
        "a_receiver_is_told_of_its_change_where_it_was",
        "backend.notifications.hooks.delivery",
        "    if delivery.former is not None:",
        "    if False:",
        f"{ON_SILENCE}::test_webhook__switched_off_or_led_elsewhere__told_at_its_old_address",
        "the people behind the old address take the silence for good news",
    ),
    OuterRule(
        "an_event_of_the_console_is_told_to_no_receiver_of_one_link",
        "backend.notifications.hooks.notifications",
        "rows.filter(link_id=hook.link_id)",
        'rows.filter(link_id__in=(hook.link_id, ""))',
        f"{ON_NOTICES}::test_notice__of_the_console_as_a_whole__told_to_no_receiver_of_a_single_link",
        "whoever may change one link has names of users and protected changes sent to a host of his own",
    ),
    OuterRule(
        "who_is_silenced_is_told_of_protected_changes_for_a_while",
        "backend.notifications.hooks.notifications",
        "    rows += _former_notices(hook, young, links, states, now)\n",
        "",
        f"{ON_SILENCE}::test_receiver__silenced_before_a_change_is_asked_for__told_of_it_where_it_was",
        "an administrator switches a destination off, asks for a protected change, and nobody hears of it",
    ),
    OuterRule(
        "who_is_deleted_is_told_of_protected_changes_for_a_while",
        "backend.notifications.hooks.notifications",
        "    if not kept:\n",
        "    if True:\n",
        f"{ON_SILENCE}::test_receivers__all_deleted_one_after_the_other__each_is_told_of_its_end_and_of_the_change",
        "an administrator deletes one destination after the other, and then asks for a protected change",
    ),
    OuterRule(
        "who_is_switched_on_again_is_told_of_protected_changes_between",
        "backend.notifications.hooks.notifications",
        "    if was_off.formers:\n",
        "    if False:\n",
        f"{ON_SILENCE}::test_destination__off_while_a_change_is_asked_for_and_on_again__told_of_it",
        "a destination is off for the second in which a protected change is asked for",
    ),
    OuterRule(
        "where_a_receiver_was_is_forgotten",
        "backend.notifications.hooks.dispatch",
        "    over.filter(is_deleted=True).delete()\n",
        "",
        f"{ON_SILENCE}::test_receiver__silenced_for_long__told_of_nothing_and_forgotten",
        "the password of a deleted mail server is kept for ever",
    ),
    OuterRule(
        "who_shortens_the_time_of_a_webhook_is_told_to_the_others",
        "backend.notifications.hooks.event_choice",
        "after.timeout_s < before.timeout_s",
        "False",
        f"{ON_SILENCE}::test_webhook__given_a_time_in_which_nobody_answers"
        "__told_to_the_others_and_still_called_with_the_time_before",
        "a webhook is given a second to answer, always fails, and nobody is told that it does",
    ),
    OuterRule(
        "receivers_of_a_retired_link_are_told",
        "backend.registration.retirement",
        "        announce_change(actor, before, Hook.objects.get(pk=before.pk))\n",
        "        pass\n",
        f"{ON_SILENCE}::test_receivers__of_a_link_that_is_retired__told_of_that_where_they_were",
        "a link is retired, and its people take the silence of its destination for good news",
    ),
    OuterRule(
        "a_key_goes_to_the_host_of_its_service_alone",
        SENDING,
        "        _check_host(call.url, api_host(service, fields))\n",
        "",
        f"{ON_FAILURES}::test_apprise__calls_another_host_by_now__no_key_is_sent",
        "a new version of the library sends keys to another host, unseen",
    ),
    OuterRule(
        "what_a_service_echoes_holds_no_key",
        SENDING,
        "answer, error_text = without_secrets(reply.answer, fields), without_secrets(reply.error, fields)",
        "answer, error_text = reply.answer, reply.error",
        f"{ON_FAILURES}::test_service__echoes_its_key__masked_in_what_is_stored",
        "an administrator reads the key that the page never shows",
    ),
    OuterRule(
        "an_error_of_the_library_is_not_quoted",
        FORMATS,
        'raise ComposingError("Apprise refused the fields of the destination") from error',
        "raise ComposingError(str(error)) from error",
        f"{ON_FAILURES}::test_apprise__refuses_the_settings__neither_error_nor_log_quotes_them",
        "a wrong key stands in the list of deliveries, which every user reads",
    ),
    OuterRule(
        "the_library_logs_nothing",
        FORMATS,
        "        return False\n",
        "        return True\n",
        f"{ON_FAILURES}::test_apprise__writes_its_calls__logs_nothing_of_them",
        "keys of pagers and chats stand in the worker's log",
    ),
    OuterRule(
        "an_end_waits_for_its_beginning",
        "backend.notifications.hooks.notifications",
        "        if _waits_for_another(row):\n",
        "        if False:\n",
        f"{ON_CONDITIONS}::test_order__beginning_is_on_its_way_in_another_worker__its_end_waits",
        "an alarm is resolved before it is raised, and stays open for ever",
    ),
    OuterRule(
        "an_alarm_is_resolved_within_a_maintenance",
        "backend.notifications.hooks.event_choice",
        "return not (hook.service in RESOLVING and ended_by(event.data) is not None)",
        "return True",
        f"{ON_CONDITIONS}::test_alarm__node_returns_within_a_maintenance__resolved_and_nothing_new_is_raised",
        "an alarm of a node that is back stays open",
    ),
    OuterRule(
        "an_alarm_is_of_one_node",
        "backend.notifications.hooks.messages.conditions",
        'Scope.SUBJECT: data.get("subject")',
        'Scope.SUBJECT: ""',
        f"{ON_CONDITIONS}::test_key__two_nodes__two_alarms",
        "the return of one node resolves the alarm of another one that is down",
    ),
    OuterRule(
        "an_end_that_names_nothing_ends_nothing",
        "backend.notifications.hooks.messages.conditions",
        "return found if found is not None and _part(found.scope, data) is not None else None",
        "return found",
        f"{ON_CONDITIONS}::test_end__of_an_earlier_version_that_names_no_node__ends_nothing",
        "an event that does not say which node is back resolves an alarm",
    ),
    OuterRule(
        "a_stored_password_goes_to_its_own_server_alone",
        "backend.notifications.hooks.destinations.checks",
        "    _check_password_is_given_again(given, stored)\n",
        "",
        f"{ON_API}::test_mail_server__moved__its_password_is_asked_for_again",
        "an administrator of the console gets the relay's password",
    ),
    OuterRule(
        "a_mail_server_has_no_private_address",
        "backend.notifications.hooks.destinations.checks",
        '    check_target(mail_server(fields), "settings.host")\n',
        "",
        f"{ON_API}::test_mail_server__private_or_a_part_of_hawser__refused",
        "a destination speaks to the console's Redis or to a service of its network",
    ),
    OuterRule(
        "a_mail_server_is_judged_at_each_mail",
        "backend.notifications.hooks.messages.mail",
        "address = str(address_of(server, timeout_s))",
        "address = server.host",
        f"{ON_MAIL}::test_mail__name_leads_to_a_refused_address_by_now__not_connected_to",
        "a name that leads into the console's network later gets mails there",
    ),
    OuterRule(
        "a_password_is_not_sent_in_clear_text",
        "backend.notifications.hooks.destinations.checks",
        'if fields.get("user") and fields["security"] == "none":',
        "if False:",
        f"{ON_API}::test_mail_server__login_in_clear_text__refused",
        "a listener on the network reads the relay's password",
    ),
    OuterRule(
        "no_mail_goes_on_without_the_tls_that_was_asked_for",
        "backend.notifications.hooks.messages.mail",
        'if fields["security"] == "starttls":',
        "if False:",
        f"{ON_MAIL}::test_mail__server_offers_no_starttls__nothing_is_sent_in_clear",
        "a false server takes the password by not offering STARTTLS",
    ),
    OuterRule(
        "the_settings_of_a_destination_are_shown_to_who_may_change_it",
        "backend.notifications.hooks.destinations.selectors",
        "shown_fields(hook) if in_full else None",
        "shown_fields(hook)",
        f"{ON_API}::test_destination__not_an_administrator__sees_where_it_leads_and_no_settings",
        "a viewer reads addresses of people and the user of the relay",
    ),
    OuterRule(
        "the_settings_of_a_destination_are_sealed_at_rest",
        "backend.notifications.hooks.messages.sealed_fields",
        "return seal(json.dumps(dict(fields)), cluster_id=hook_id, role=_ROLE)",
        "return json.dumps(dict(fields))",
        f"{ON_FAILURES}::test_settings__at_rest__sealed_for_their_destination_alone",
        "a dump of the database gives away the keys of pagers and chats",
    ),
)
