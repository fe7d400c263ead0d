"""A provider or directory that says nothing holds one thread of a web process, not all."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from backend.common.outgoing.http_fetch import Fetched, FetchError
from backend.identity.single_sign_on.ldap import directory
from backend.identity.single_sign_on.oidc import provider
from backend.identity.single_sign_on.oidc.errors import ProviderError
from tests.support.page import Page
from tests.support.providers.oidc import Provider
from tests.support.providers.slapd import Directory
from tests.support.waiting import wait_for

pytestmark = pytest.mark.django_db
METHODS = "/api/v1/sign-in/methods"


class Silence:
    """Stands for a call outside that ends when the test says so."""

    def __init__(self, end: Exception) -> None:
        self.end, self.calls, self.is_over = end, 0, threading.Event()

    def __call__(self, *_: Any, **__: Any) -> Fetched:
        self.calls += 1
        assert self.is_over.wait(60)
        raise self.end


@contextmanager
def waiting(silence: Silence, call: Any) -> Iterator[None]:
    """Another thread waits there."""
    other = threading.Thread(target=call)
    other.start()
    try:
        wait_for(lambda: silence.calls == 1, "the call of the other thread")
        yield
    finally:
        silence.is_over.set()
        other.join(60)


def quietly() -> None:
    with pytest.raises(ProviderError):
        provider.metadata()


def test_methods__provider_silent__the_page_is_answered_while_one_waits(
    oidc: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    silence = Silence(FetchError("no response"))
    monkeypatch.setattr(provider, "fetch", silence)
    page = Page()
    with waiting(silence, quietly):
        offered = page.client.get(METHODS).json()["oidc"]
        assert (offered["is_available"], offered["problem"]) == (False, "it has not answered yet")
    assert silence.calls == 1


def test_methods__provider_silent_later__answered_from_what_is_stored(
    oidc: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = Page()
    assert page.client.get(METHODS).json()["oidc"]["is_available"]
    silence = Silence(FetchError("no response"))
    monkeypatch.setattr(provider, "fetch", silence)
    monkeypatch.setattr(provider, "KEPT_S", 0.0)
    assert [page.client.get(METHODS).json()["oidc"]["is_available"] for _ in range(3)] == [True] * 3
    wait_for(lambda: silence.calls == 1, "the renewal in the background")
    silence.is_over.set()


def test_sign_in__directory_silent__one_waits_and_others_are_told_at_once(
    slapd: Directory, monkeypatch: pytest.MonkeyPatch
) -> None:
    def sign_in() -> None:
        with pytest.raises(directory.DirectoryError):
            directory.sign_in("anna", "x", before_bind=str)

    silence = Silence(directory.DirectoryError("timed out"))
    silence.is_over.set()
    monkeypatch.setattr(directory, "_connected", silence)
    sign_in()
    silence.calls = 0
    silence.is_over.clear()
    with waiting(silence, sign_in):
        answer = Page().sign_in("ben", "x")
        assert (answer.status_code, answer.json()["code"]) == (503, "provider_unavailable")
        assert "does not answer" in answer.json()["detail"]
    assert silence.calls == 1
