"""What the monitor asks about users who are signed in."""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta
from typing import Any

import ldap
import pytest
from django.utils import timezone

from backend.audit.models import AuditRecord
from backend.identity.accounts.identities.models import Identity, ProviderSession
from backend.identity.accounts.models import ApiToken, SignIn, User
from backend.identity.accounts.token_services import token_create
from backend.identity.single_sign_on import confirmation
from deploy.services.net import free_port
from tests.backend.single_sign_on.signing_in import sign_in
from tests.support.page import SESSION, Page
from tests.support.providers.oidc import Provider
from tests.support.providers.slapd import PASSWORD, Directory

pytestmark = pytest.mark.django_db


@pytest.fixture
def refreshing(oidc: Provider, settings: Any) -> Provider:
    settings.HAWSER_OIDC_SCOPES, settings.HAWSER_OIDC_PROMPT = "openid profile email offline_access", "consent"
    settings.HAWSER_PROVIDER_CHECK_S = 0
    return oidc


def reasons() -> list[str]:
    return list(AuditRecord.objects.exclude(reason="").values_list("reason", flat=True))


def test_oidc__user_is_still_there__confirmed(refreshing: Provider) -> None:
    page, _ = sign_in(refreshing, "s-anna")
    before = ProviderSession.objects.get()
    confirmation.tick()
    confirmation.tick()
    after = ProviderSession.objects.get()
    assert after.confirmed_at > before.confirmed_at
    assert page.client.get(SESSION).status_code == 200


def test_oidc__user_is_gone__session_ends(refreshing: Provider) -> None:
    page, _ = sign_in(refreshing, "s-anna")
    refreshing.control("set", sub="s-anna", claims=None)
    confirmation.tick()
    assert page.client.get(SESSION).status_code == 401
    assert reasons() == ["the provider refused the code or the session"]


def test_oidc__groups_changed__role_follows(refreshing: Provider) -> None:
    page, _ = sign_in(refreshing, "s-lead")
    refreshing.control("set", sub="s-lead", claims={"groups": ["dba"]})
    confirmation.tick()
    assert User.objects.get().role == "operator"
    assert page.client.get(SESSION).status_code == 401


def test_oidc__provider_down__session_lasts_until_it_was_unconfirmed_for_too_long(
    refreshing: Provider, settings: Any
) -> None:
    page, _ = sign_in(refreshing, "s-anna")
    settings.HAWSER_OIDC_ISSUER = f"http://127.0.0.1:{free_port()}"
    confirmation.tick()
    assert page.client.get(SESSION).status_code == 200
    ProviderSession.objects.update(confirmed_at=timezone.now() - timedelta(minutes=61))
    confirmation.tick()
    assert page.client.get(SESSION).status_code == 401
    assert reasons() == ["not confirmed in time"]


def in_directory(slapd: Directory, settings: Any) -> Page:
    settings.HAWSER_PROVIDER_CHECK_S = 0
    page = Page()
    assert page.sign_in("carl", PASSWORD).status_code == 200
    token_create(owner=User.objects.get(username="carl"), actor="carl", label="ci", role=None, expires_days=None)
    return page


@pytest.fixture
def carl(slapd: Directory) -> Any:
    dn = slapd.add_person("carl")
    group = slapd.add_group("dba-leads", dn)
    yield dn, group
    for one in (dn, group):
        with suppress(ldap.NO_SUCH_OBJECT):
            slapd.delete(one)


def test_ldap__user_removed__session_and_tokens_end_and_sign_in_is_refused(
    slapd: Directory, settings: Any, carl: Any
) -> None:
    page = in_directory(slapd, settings)
    slapd.delete(carl[0])
    confirmation.tick()
    assert page.client.get(SESSION).status_code == 401
    assert not ApiToken.objects.filter(revoked_at=None).exists()
    assert Page().sign_in("carl", PASSWORD).status_code == 401
    assert reasons() == ["no longer in the directory"]


def test_ldap__excluded_by_the_user_filter__is_disabled(slapd: Directory, settings: Any, carl: Any) -> None:
    page = in_directory(slapd, settings)
    settings.HAWSER_LDAP_USER_FILTER = "(&(uid={user})(!(mail=carl@example.net)))"
    confirmation.tick()
    assert page.client.get(SESSION).status_code == 401


def test_ldap__last_group_lost__all_access_ends(slapd: Directory, settings: Any, carl: Any) -> None:
    page = in_directory(slapd, settings)
    slapd.delete(carl[1])
    confirmation.tick()
    assert page.client.get(SESSION).status_code == 401
    assert reasons() == ["no group with a role"]


def test_ldap__unchanged__confirmed(slapd: Directory, settings: Any, carl: Any) -> None:
    page = in_directory(slapd, settings)
    before = Identity.objects.get().confirmed_at
    confirmation.tick()
    assert Identity.objects.get().confirmed_at > before
    assert page.client.get(SESSION).status_code == 200


def test_ldap__down__nothing_ends_before_its_time(slapd: Directory, settings: Any, carl: Any) -> None:
    page = in_directory(slapd, settings)
    settings.HAWSER_LDAP_URL = f"ldaps://127.0.0.1:{free_port()}"
    confirmation.tick()
    assert page.client.get(SESSION).status_code == 200
    assert ApiToken.objects.filter(revoked_at=None).exists()
    assert SignIn.objects.filter(ended_at=None).exists()


def test_tokens__not_confirmed_for_too_long__end(slapd: Directory, settings: Any, carl: Any) -> None:
    in_directory(slapd, settings)
    settings.HAWSER_LDAP_URL = ""
    Identity.objects.update(confirmed_at=timezone.now() - timedelta(days=31))
    confirmation.tick()
    assert not ApiToken.objects.filter(revoked_at=None).exists()
