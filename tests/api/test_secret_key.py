"""The secret key is replaced: who is signed in stays so, in processes that have the keys in either order."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.contrib.sessions.models import Session
from django.test import RequestFactory

from backend.identity.accounts.known_browser import browser_id
from backend.identity.accounts.models import User
from backend.notifications.web_push.address import endpoint_digests
from backend.notifications.web_push.models import PushSubscription
from tests.support.console import PASSWORD, SignedIn, make_user
from tests.support.page import SESSION, Page
from tests.support.push_service import SUBSCRIPTIONS, FakeBrowser, browser

__all__ = ["browser"]
OLD, NEW = "0123456789abcdef" * 3, "fedcba9876543210" * 3


@pytest.fixture
def use_keys(settings: object) -> Callable[..., None]:
    def use_keys(first: str, *fallbacks: str) -> None:
        settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = first, list(fallbacks)  # type: ignore[attr-defined]

    return use_keys


@pytest.fixture
def page_of_old_key(db: None, use_keys: Callable[..., None]) -> Page:
    use_keys(OLD)
    make_user("nora", "operator", PASSWORD)
    page_of_old_key = Page()
    assert page_of_old_key.sign_in("nora").status_code == 200
    return page_of_old_key


def test_session__in_processes_with_either_order_of_both_keys__stays_the_same(
    page_of_old_key: Page, use_keys: Callable[..., None]
) -> None:
    cookie, row = page_of_old_key.client.cookies["hawser_session"].value, Session.objects.get()
    for first, other in ((OLD, NEW), (NEW, OLD), (OLD, NEW), (NEW, OLD)):
        use_keys(first, other)
        assert page_of_old_key.client.get(SESSION).status_code == 200, (first, other)
    assert page_of_old_key.client.cookies["hawser_session"].value == cookie
    assert Session.objects.get().session_data == row.session_data


def test_session__whose_key_is_no_longer_listed__ended(page_of_old_key: Page, use_keys: Callable[..., None]) -> None:
    use_keys(NEW)
    assert page_of_old_key.client.get(SESSION).status_code == 401


def test_session__under_a_fallback_key_with_a_new_password_or_a_disabled_user__ended(
    page_of_old_key: Page, use_keys: Callable[..., None]
) -> None:
    use_keys(NEW, OLD)
    User.objects.update(is_active=False)
    assert page_of_old_key.client.get(SESSION).status_code == 401
    User.objects.update(is_active=True, password="another")
    assert page_of_old_key.client.get(SESSION).status_code == 401


def test_sign_in__with_both_keys__under_the_first_one(page_of_old_key: Page, use_keys: Callable[..., None]) -> None:
    use_keys(NEW, OLD)
    assert page_of_old_key.sign_in("nora").status_code == 200
    use_keys(NEW)
    assert page_of_old_key.client.get(SESSION).status_code == 200


def test_browser__known_under_a_fallback_key__still_known(page_of_old_key: Page, use_keys: Callable[..., None]) -> None:
    request = RequestFactory().get("/")
    request.COOKIES["hawser_browser"] = page_of_old_key.client.cookies["hawser_browser"].value
    use_keys(NEW, OLD)
    assert browser_id(request, "nora") is not None
    use_keys(NEW)
    assert browser_id(request, "nora") is None


def test_push__browser_that_subscribes_again_under_the_new_key__has_one_row(
    signed_in: Callable[[str], SignedIn], browser: FakeBrowser, use_keys: Callable[..., None]
) -> None:
    use_keys(OLD)
    user = signed_in("viewer")
    assert user.post(SUBSCRIPTIONS, browser.body).status == 201
    use_keys(NEW, OLD)
    assert user.post(SUBSCRIPTIONS, browser.body).status == 201
    use_keys(NEW)
    assert PushSubscription.objects.get().endpoint_digest in endpoint_digests(browser.body["endpoint"])
