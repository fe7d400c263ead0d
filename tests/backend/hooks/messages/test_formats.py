"""What each service is sent: its own JSON, at its own address, by the webhooks' client."""

from __future__ import annotations

import socket
import subprocess
import sys
from typing import Any

import pytest

from backend.clusters.models import Link
from backend.common.events import services as events
from backend.core.hooks import HookService
from backend.notifications.hooks import dispatch, notifications
from backend.notifications.hooks.delivery import store_test
from backend.notifications.hooks.messages import composing
from backend.notifications.hooks.messages.message import message_of
from backend.notifications.hooks.models import Delivery, DeliveryState
from tests.backend.hooks.messages.sent_events import CALLED, raise_events
from tests.support.destinations import KEY, SETTINGS, SLACK_URL, TEAMS_URL, TOKEN, make_destination, routed
from tests.support.webhook_receiver import Receiver

__all__ = ["routed"]


def test_slack__event__an_attachment_that_mentions_nobody(link: Link, receiver: Receiver, routed: list[str]) -> None:
    make_destination("slack", link)
    raise_events(link, ("node.down", "blocker"))
    assert routed == [SLACK_URL]
    [call] = receiver.calls
    assert "Authorization" not in call.headers
    [attachment] = call.json["attachments"]
    assert attachment["title"] == f"{link.name}: node.down (blocker)"
    assert attachment["text"] == "db-a1: node.down &amp; &lt;!channel&gt;"
    assert "icon_url" not in call.json


def test_teams__event__an_adaptive_card(link: Link, receiver: Receiver, routed: list[str]) -> None:
    make_destination("teams", link)
    raise_events(link, ("node.down", "blocker"))
    [url] = routed
    assert url.startswith(TEAMS_URL.partition("?")[0])
    assert f"sig={TOKEN}" in url
    [attachment] = receiver.calls[0].json["attachments"]
    assert attachment["contentType"] == "application/vnd.microsoft.card.adaptive"
    texts = [block["text"] for block in attachment["content"]["body"]]
    assert texts[0] == f"{link.name}: node.down (blocker)"
    assert texts[1].replace("\\", "") == "db-a1: node.down & <!channel>"


def test_pagerduty__begin_and_end_of_a_condition__triggered_and_resolved_under_one_key(
    link: Link, receiver: Receiver, routed: list[str]
) -> None:
    make_destination("pagerduty", link)
    raise_events(link, ("node.down", "blocker"), ("node.hung", "blocker"), ("node.up", "ok"))
    began, repeated, ended = [call.json for call in receiver.calls]
    assert set(routed) == {"https://events.pagerduty.com/v2/enqueue"}
    assert (began["routing_key"], began["event_action"]) == (KEY, "trigger")
    assert (began["payload"]["severity"], began["payload"]["component"]) == ("critical", link.name)
    assert began["payload"]["custom_details"]["event"] == "node.down"
    assert began["dedup_key"] == repeated["dedup_key"] == f"hawser/{link.pk}/node/db-a1"
    assert ended == {"routing_key": KEY, "event_action": "resolve", "dedup_key": began["dedup_key"]}
    assert "Authorization" not in receiver.calls[0].headers


def test_opsgenie__event__an_alert_with_an_alias_in_its_region(
    link: Link, receiver: Receiver, routed: list[str]
) -> None:
    make_destination("opsgenie", link)
    raise_events(link, ("link.broken", "blocker"), ("link.degraded", "warning"), ("link.protected", "ok"))
    first, second = [call.json for call in receiver.calls]
    assert set(routed) == {"https://api.eu.opsgenie.com/v2/alerts"}
    assert receiver.calls[0].headers["Authorization"] == f"GenieKey {KEY}"
    assert first["alias"] == second["alias"] == f"hawser/{link.pk}/link state"
    assert (first["priority"], second["priority"], first["entity"]) == ("P1", "P3", link.name)


def test_origin_of_the_console__set__its_page_is_named(
    link: Link, receiver: Receiver, routed: list[str], settings: Any
) -> None:
    settings.CSRF_TRUSTED_ORIGINS = ["https://hawser.example.net"]
    make_destination("pagerduty", link)
    raise_events(link, ("run.failed", "blocker"), run_id="r_1")
    assert receiver.calls[0].json["links"] == [{"href": "https://hawser.example.net/runs/r_1"}]
    assert receiver.calls[0].json["dedup_key"] == f"hawser/{link.pk}/run/r_1"


def test_very_long_message__every_service__one_call(link: Link, receiver: Receiver, routed: list[str]) -> None:
    for service in CALLED:
        make_destination(service, link)
    events.raised(link_id=link.pk, kind="node.down", severity="blocker", message="ä" * 50_000)
    dispatch.sweep()
    notifications.deliver_due()
    assert len(receiver.calls) == len(CALLED)
    assert Delivery.objects.filter(state=DeliveryState.DELIVERED).count() == len(CALLED)


def refuse(*_: Any, **__: Any) -> None:
    """A connection, or the look-up of a name."""
    raise AssertionError("Apprise went to the network")


@pytest.mark.parametrize("service", CALLED)
def test_compose__every_service__apprise_itself_opens_no_connection(
    service: str, link: Link, monkeypatch: pytest.MonkeyPatch
) -> None:
    hook = make_destination(service, link)
    payload = store_test(hook, due_at=None).payload
    for name in ("getaddrinfo", "create_connection"):
        monkeypatch.setattr(socket, name, refuse)
    monkeypatch.setattr(socket.socket, "connect", refuse)
    call = composing.compose(HookService(service), {"region": "us", **SETTINGS[service]}, message_of(payload))
    assert call.url.startswith("https://")


def test_web_and_monitor__started__do_not_import_apprise() -> None:
    imports = "backend.config.urls, backend.notifications.hooks.tasks, backend.notifications.hooks.dispatch"
    program = f"import django, sys; django.setup(); import {imports}; print('apprise' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_teams__url_of_power_automate__called_as_it_was_given(link: Link) -> None:
    url = (
        "https://default77.5a.environment.api.powerplatform.com:443/powerautomate/automations/direct/cu/25"
        f"/workflows/643e69f83c89/triggers/manual/paths/invoke?api-version=1&sp=%2Ftriggers%2Fmanual%2Frun&sv=1.0&sig={TOKEN}"
    )
    hook = make_destination("teams", link, {"url": url})
    call = composing.compose(HookService.TEAMS, {"url": url}, message_of(store_test(hook, due_at=None).payload))
    assert call.url == url
