"""One call over the wire: bounded in time, and kept from where it must not lead."""

from __future__ import annotations

import ipaddress
import threading

import pytest

from backend.common.outgoing import url_policy
from backend.common.outgoing.http_client import post
from tests.support.webhook_receiver import Receiver


def test_post__answer_too_late_or_dripping__ends_with_the_time(receiver: Receiver) -> None:
    receiver.released.clear()
    late = post(receiver.url, b"{}", {}, timeout_s=0.6)
    receiver.drip_s = 0.05
    receiver.released.set()
    dripping = post(receiver.url, b"{}", {}, timeout_s=0.6)
    for reply in (late, dripping):
        assert reply.status is None
        assert "no response within 0.6 s" in reply.error
    assert len(receiver.calls) == 2


def test_post__nobody_listens__is_an_answer() -> None:
    reply = post("http://127.0.0.1:1/x", b"{}", {}, timeout_s=2)
    assert (reply.status, reply.is_taken) == (None, False)
    assert "refused" in reply.error.lower()


def test_post__certificate_of_nobody_known__refused(receiver: Receiver) -> None:
    reply = post(receiver.url.replace("http://", "https://"), b"{}", {}, timeout_s=3)
    assert reply.status is None
    assert reply.error
    assert receiver.calls == []


def test_post__name_leads_to_a_refused_address_by_now__is_not_called(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The name server's second answer: what was fine when it was stored is looked at again at each call."""
    monkeypatch.setattr(url_policy, "resolve", lambda _: [ipaddress.ip_address("169.254.169.254")])
    reply = post(f"http://rebound.example:{receiver.port}/", b"{}", {}, timeout_s=3)
    assert "metadata service" in reply.error
    mixed = [ipaddress.ip_address("127.0.0.1"), ipaddress.ip_address("fe80::1")]
    monkeypatch.setattr(url_policy, "resolve", lambda _: mixed)
    assert "link-local" in post(f"http://rebound.example:{receiver.port}/", b"{}", {}, timeout_s=3).error
    assert receiver.calls == []


def test_post__name__connects_to_the_very_address_that_was_checked(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = [[ipaddress.ip_address("127.0.0.1")], [ipaddress.ip_address("169.254.169.254")]]
    monkeypatch.setattr(url_policy, "resolve", lambda _: answers.pop(0))
    assert post(f"http://pinned.example:{receiver.port}/", b"{}", {}, timeout_s=3).is_taken
    assert receiver.calls[0].headers["Host"] == f"pinned.example:{receiver.port}"
    assert len(answers) == 1


def test_post__name_server_silent__ends_with_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = threading.Event()
    monkeypatch.setattr(url_policy, "resolve", lambda _: [ipaddress.ip_address("169.254.169.254")] * answers.wait(30))
    assert "does not resolve" in post("http://slow.example/", b"{}", {}, timeout_s=0.3).error
    answers.set()


def test_post__environment_names_a_proxy__is_not_used(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    assert post(receiver.url, b"{}", {}, timeout_s=3).is_taken
