"""Sign-in by a directory, against OpenLDAP."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db.models import F

from backend.audit.models import AuditRecord
from backend.identity.accounts import throttle
from backend.identity.accounts.identities.models import Identity
from backend.identity.accounts.models import LoginCounter, User
from backend.identity.single_sign_on.ldap import directory
from deploy.services.net import free_port
from tests.support.console import PASSWORD as LOCAL
from tests.support.console import make_user
from tests.support.page import SESSION, Page
from tests.support.providers.slapd import GROUPS, PASSWORD, PEOPLE, Directory

pytestmark = pytest.mark.django_db


def attempt(name: str, password: str = PASSWORD) -> Any:
    return Page().sign_in(name, password)


@pytest.mark.parametrize("scheme", ["ldaps", "ldap"])
def test_sign_in__right_password__session_with_the_role_of_the_group(
    slapd: Directory, settings: Any, scheme: str
) -> None:
    port = slapd.tls_port if scheme == "ldaps" else slapd.port
    settings.HAWSER_LDAP_URL = f"{scheme}://127.0.0.1:{port}"
    page = Page()
    answer = page.sign_in("anna", PASSWORD)
    assert (answer.status_code, answer.json()["role"]) == (200, "operator")
    assert page.client.get(SESSION).json()["provider"]["groups"] == ["dba"]
    assert AuditRecord.objects.filter(action="session:user:sign_in").get().facts["method"] == "ldap"
    identity = Identity.objects.get()
    assert (identity.kind, len(identity.subject)) == ("ldap", 36)


def test_sign_in__other_case__the_same_user(slapd: Directory) -> None:
    assert attempt("anna").status_code == attempt("ANNA").status_code == 200
    assert User.objects.get().username == "anna"


@pytest.mark.parametrize(
    ("name", "password"),
    [
        ("anna", "wrong"),
        ("unknown", PASSWORD),
        ("*", PASSWORD),
        ("ann*", PASSWORD),
        ("anna)(uid=*", PASSWORD),
        ("*)(objectClass=*", PASSWORD),
        ("anna)(|(uid=*)", PASSWORD),
        ("anna\\2a", PASSWORD),
        (f"uid=anna,{PEOPLE}", PASSWORD),
    ],
)
def test_sign_in__wrong_or_injected__401(slapd: Directory, name: str, password: str) -> None:
    assert attempt(name, password).status_code == 401
    assert not User.objects.exists()


def test_sign_in__filter_in_the_name__finds_no_user(slapd: Directory) -> None:
    assert attempt("ann*").status_code == attempt("anna)(uid=anna").status_code == 401
    assert not User.objects.exists()


def test_sign_in__empty_password__never_binds(slapd: Directory) -> None:
    """The server takes a name without a password for an anonymous bind, and says that it succeeded."""
    connection = directory._connected()
    connection.simple_bind_s(f"uid=anna,{PEOPLE}", "")
    connection.unbind_s()
    assert directory.sign_in("anna", "", before_bind=print) is None
    assert attempt("anna", "").status_code in (400, 401)


def test_sign_in__no_group__refused_with_the_reason(slapd: Directory) -> None:
    answer = attempt("guest")
    assert (answer.status_code, answer.json().get("code")) == (403, "no_role_by_group")


def test_sign_in__nested_group__only_if_set(slapd: Directory, settings: Any) -> None:
    inner = slapd.add_group("inner", f"uid=guest,{PEOPLE}")
    outer = slapd.add_group("dba-leads", inner)
    slapd.add_group("circle", outer)
    try:
        assert attempt("guest").status_code == 403
        settings.HAWSER_LDAP_NESTED_GROUPS = True
        assert attempt("guest").json()["role"] == "approver"
    finally:
        for cn in ("circle", "dba-leads", "inner"):
            slapd.delete(f"cn={cn},{GROUPS}")


def test_sign_in__local_user_of_that_name__the_directory_is_not_asked(slapd: Directory) -> None:
    make_user("anna", "admin", LOCAL)
    assert attempt("anna").status_code == 401
    assert attempt("anna", LOCAL).json()["role"] == "admin"
    assert not Identity.objects.exists()


def test_sign_in__certificate_of_another_authority__refused(slapd: Directory, settings: Any, tmp_path: Any) -> None:
    from tests.support.providers.slapd import _certificates

    _certificates(tmp_path)
    settings.HAWSER_LDAP_CA_FILE = str(tmp_path / "ca.pem")
    answer = attempt("anna")
    assert (answer.status_code, answer.json().get("code")) == (503, "provider_unavailable")
    settings.HAWSER_LDAP_URL = f"ldap://127.0.0.1:{slapd.port}"
    assert attempt("anna").status_code == 503


@pytest.fixture
def binds(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The accounts whose password the directory was asked about."""
    asked, real = list[str](), directory._is_password

    def counted(dn: str, password: str) -> bool:
        asked.append(dn)
        return real(dn, password)

    monkeypatch.setattr(directory, "_is_password", counted)
    return asked


def pass_time(seconds: float) -> None:
    """All that was counted is so much older."""
    LoginCounter.objects.update(window_started_at=F("window_started_at") - timedelta(seconds=seconds))


def guesses(name: str, times: int) -> list[int]:
    """Each from another address."""
    return [Page(f"203.0.{number}.1").sign_in(name, "wrong").status_code for number in range(times)]


def test_sign_in__strangers_guess_from_many_addresses__the_directory_is_told_of_three(
    slapd: Directory, binds: list[str]
) -> None:
    page = Page()
    assert page.sign_in("anna", PASSWORD).status_code == 200
    binds.clear()
    assert guesses("anna", 3) == [401] * 3
    assert guesses("Anna", 2) == [429] * 2
    refused = Page("203.0.9.1").sign_in("anna", PASSWORD)
    assert (refused.status_code, refused.json()["code"]) == (429, "too_many_attempts")
    assert "not sent to the directory" in refused.json()["detail"]
    assert len(binds) == 3
    assert page.sign_in("anna", PASSWORD).status_code == 200, "the browser is known"
    assert len(binds) == 4


def test_sign_in__other_name_of_the_same_account__one_budget(slapd: Directory, settings: Any, binds: list[str]) -> None:
    settings.HAWSER_LDAP_USER_FILTER = "(|(uid={user})(mail={user}))"
    assert guesses("anna@example.net", 2) == [401] * 2
    assert guesses("anna", 4) == [401, 429, 429, 429]
    assert len(binds) == 3


def test_sign_in__unknown_to_the_directory__answered_alike(slapd: Directory, binds: list[str]) -> None:
    assert guesses("nobody", 4) == [401, 401, 401, 429]
    assert binds == []


def test_sign_in__right_password_or_unlocked_or_later__counted_anew(
    slapd: Directory, binds: list[str], settings: Any
) -> None:
    guesses("anna", 2)
    assert attempt("anna").status_code == 200
    assert guesses("anna", 4) == [401, 401, 401, 429]
    throttle.unlock("anna")
    assert guesses("anna", 2) == [401, 401]
    pass_time(settings.HAWSER_LDAP_WINDOW_S - 60)
    assert guesses("anna", 2) == [401, 429], "the window begins anew with each"
    pass_time(settings.HAWSER_LDAP_WINDOW_S - 60)
    assert guesses("anna", 1) == [429]
    pass_time(120)
    assert guesses("anna", 4) == [401, 401, 401, 429]


def test_sign_in__directory_down__nothing_of_the_budget_is_spent(slapd: Directory, settings: Any) -> None:
    working, settings.HAWSER_LDAP_URL = settings.HAWSER_LDAP_URL, f"ldaps://127.0.0.1:{free_port()}"
    assert guesses("anna", 4) == [503] * 4
    settings.HAWSER_LDAP_URL = working
    assert attempt("anna").status_code == 200


@pytest.fixture
def silent() -> Iterator[int]:
    """The port of a server that accepts a connection and says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield listening.getsockname()[1]


@pytest.mark.parametrize("is_silent", [False, True])
def test_sign_in__directory_down_or_silent__503_and_local_users_sign_in(
    slapd: Directory, settings: Any, silent: int, is_silent: bool
) -> None:
    """Without a limit, one that says nothing would be waited for until the test ends."""
    settings.HAWSER_LDAP_URL = f"ldap://127.0.0.1:{silent}" if is_silent else f"ldaps://127.0.0.1:{free_port()}"
    settings.HAWSER_LDAP_TIMEOUT_S = 1.0
    make_user("nora", "admin", LOCAL)
    answer = attempt("anna")
    assert (answer.status_code, answer.json().get("code")) == (503, "provider_unavailable")
    assert PASSWORD not in answer.content.decode()
    assert attempt("nora", LOCAL).status_code == 200
