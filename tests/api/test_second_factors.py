"""Second factors: adding them, signing in with them, and what is accepted only once."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import override_settings

from backend.accounts.models import SignIn, User
from backend.audit.models import AuditRecord
from backend.common.events.models import Event
from backend.second_factors.models import Passkey, RecoveryCode, Totp
from tests.support.authenticator import Authenticator
from tests.support.console import API, PASSWORD, make_user
from tests.support.page import SESSION, Page
from tests.support.second_factors import (
    FACTORS,
    PASSKEY,
    PROOF,
    SECOND,
    add_app,
    add_passkey,
    challenged,
    code_of,
)


@pytest.fixture
def user(db: None) -> User:
    return make_user("nora", "operator", PASSWORD)


@pytest.fixture
def page(user: User) -> Page:
    """Signed in with the password."""
    shown = Page()
    shown.sign_in("nora")
    return shown


def waiting() -> Page:
    """After the right password, before the second factor."""
    shown = Page()
    answer = shown.sign_in("nora")
    assert (answer.status_code, answer.json()["code"]) == (401, "second_factor_needed")
    return shown


def test_app__added__sealed_with_ten_codes_and_told(page: Page) -> None:
    begun = page.send("POST", f"{FACTORS}/app/secret").json()
    assert begun["qr_code"].startswith("data:image/svg+xml")
    assert begun["uri"].startswith("otpauth://totp/Hawser:nora?")
    answer = page.send("POST", f"{FACTORS}/app", {"code": code_of(begun["secret"])})
    codes = answer.json()["recovery_codes"]
    assert len(set(codes)) == 10
    assert begun["secret"] not in Totp.objects.get().sealed
    assert not RecoveryCode.objects.filter(digest__in=codes).exists()
    shown = page.client.get(FACTORS).json()
    assert (shown["app"] is not None, shown["passkeys"], shown["recovery_codes_left"]) == (True, [], 10)
    assert AuditRecord.objects.filter(action="api:second_factor:added", actor="nora").count() == 1
    assert Event.objects.filter(data__kind="second_factor.added").count() == 1


def test_app__wrong_code__not_added(page: Page) -> None:
    secret = page.send("POST", f"{FACTORS}/app/secret").json()["secret"]
    answer = page.send("POST", f"{FACTORS}/app", {"code": code_of(secret, steps=-40)})
    assert (answer.status_code, answer.json()["code"]) == (403, "wrong_second_factor")
    assert page.client.get(FACTORS).json()["app"] is None


def test_sign_in__with_an_app__password_alone_opens_nothing(page: Page) -> None:
    secret, _ = add_app(page)
    second = Page()
    answer = second.sign_in("nora")
    assert (answer.status_code, answer.json()["code"]) == (401, "second_factor_needed")
    assert answer.json()["ways"] == ["totp", "recovery_code"]
    assert second.client.get(f"{API}/links").status_code == 401
    assert second.client.get(SESSION).json()["code"] == "second_factor_needed"
    assert SignIn.objects.filter(ended_at=None).count() == 1
    done = second.send("POST", SECOND, {"code": code_of(secret)})
    assert (done.status_code, done.json()["username"]) == (200, "nora")
    assert second.client.get(f"{API}/links").status_code == 200
    assert AuditRecord.objects.filter(action="session:user:sign_in").last().facts["second_factor"] == "totp"


def test_code__given_twice__refused_the_second_time(page: Page) -> None:
    secret, _ = add_app(page)
    code = code_of(secret)
    assert waiting().send("POST", SECOND, {"code": code}).status_code == 200
    again = waiting().send("POST", SECOND, {"code": code})
    assert (again.status_code, again.json()["code"]) == (403, "wrong_second_factor")
    assert waiting().send("POST", SECOND, {"code": code_of(secret, steps=1)}).status_code == 200


def test_code__of_another_time__one_step_is_accepted(page: Page) -> None:
    secret, _ = add_app(page)
    second = waiting()
    answers = [second.send("POST", SECOND, {"code": code_of(secret, steps=steps)}) for steps in (-4, 3, 1)]
    assert [answer.status_code for answer in answers] == [403, 403, 200]


def test_recovery_code__given_twice__refused_the_second_time(page: Page) -> None:
    _, codes = add_app(page)
    assert waiting().send("POST", SECOND, {"code": codes[0].upper()}).status_code == 200
    assert waiting().send("POST", SECOND, {"code": codes[0]}).status_code == 403
    assert page.client.get(FACTORS).json()["recovery_codes_left"] == 9


def test_recovery_codes__renewed__earlier_ones_end(page: Page) -> None:
    _, codes = add_app(page)
    fresh = page.send("POST", f"{FACTORS}/recovery-codes").json()["recovery_codes"]
    assert waiting().send("POST", SECOND, {"code": codes[0]}).status_code == 403
    assert waiting().send("POST", SECOND, {"code": fresh[0]}).status_code == 200


def test_codes__guessed_from_many_addresses__throttled_until_unlocked(page: Page) -> None:
    secret, _ = add_app(page)
    with override_settings(HAWSER_LOGIN_LIMIT=3):
        for number in range(3):
            guesser = Page(f"192.0.2.{number}")
            guesser.sign_in("nora")
            assert guesser.send("POST", SECOND, {"code": "000000"}).status_code == 403
        other = waiting()
        answer = other.send("POST", SECOND, {"code": code_of(secret)})
        assert (answer.status_code, answer.json()["code"]) == (429, "too_many_attempts")
        assert int(answer.headers["Retry-After"]) > 0
        admin = Page()
        make_user("anna", "admin", PASSWORD)
        admin.sign_in("anna")
        assert admin.send("POST", f"{API}/users/nora/unlock").status_code == 200
        assert other.send("POST", SECOND, {"code": code_of(secret)}).status_code == 200


def test_second_factor__password_changed_meanwhile__sign_in_ends(page: Page, user: User) -> None:
    secret, _ = add_app(page)
    other = waiting()
    user.set_password("another-long-password-4711")
    user.save()
    assert other.send("POST", SECOND, {"code": code_of(secret)}).status_code == 401


def test_second_factor__user_disabled_meanwhile__sign_in_ends(page: Page, user: User) -> None:
    secret, _ = add_app(page)
    other = waiting()
    User.objects.filter(pk=user.pk).update(is_active=False)
    assert other.send("POST", SECOND, {"code": code_of(secret)}).status_code == 401


def test_second_factor__no_sign_in_waits__401(user: User) -> None:
    assert Page().send("POST", SECOND, {"code": "123456"}).status_code == 401


def test_passkey__added__second_factor_and_sign_in_without_password(page: Page) -> None:
    key = Authenticator()
    assert len(add_passkey(page, key).json()["recovery_codes"]) == 10
    second = waiting()
    assert second.send("POST", SECOND, {"credential": key.get(challenged(second, SECOND))}).status_code == 200
    alone = Page()
    done = alone.send("POST", PASSKEY, {"credential": key.get(challenged(alone, PASSKEY))})
    assert (done.status_code, done.json()["username"]) == (200, "nora")
    assert Passkey.objects.get().sign_count == 3


def test_passkey__sign_in_off__404(page: Page) -> None:
    add_passkey(page, Authenticator())
    with override_settings(HAWSER_PASSKEY_SIGN_IN=False):
        assert Page().send("POST", f"{PASSKEY}/options").status_code == 404
        assert Page().send("POST", PASSKEY, {"credential": {}}).status_code == 404


def test_passkey__without_user_verification__refused(page: Page) -> None:
    answer = add_passkey(page, Authenticator(verifies=False))
    assert (answer.status_code, answer.json()["code"]) == (403, "passkey_refused")
    key = Authenticator()
    add_passkey(page, key)
    key.verifies = False
    assert _signed_in_with(key).json()["code"] == "passkey_refused"


def test_passkey__of_another_origin__refused(page: Page) -> None:
    assert add_passkey(page, Authenticator(origin="https://testserver.evil.example")).status_code == 403
    key = Authenticator()
    add_passkey(page, key)
    key.origin = "http://evil.example"
    assert _signed_in_with(key).status_code == 403


def test_passkey__counter_did_not_rise__refused_as_a_copy(page: Page) -> None:
    key = Authenticator(counter=5)
    add_passkey(page, key)
    assert _signed_in_with(key).status_code == 200
    key.counter = 2
    answer = _signed_in_with(key)
    assert answer.status_code == 403
    assert "copy" in answer.json()["detail"]


def test_passkey__without_counter__accepted_again(page: Page) -> None:
    key = Authenticator(counter=0)
    add_passkey(page, key)
    assert [_signed_in_with(key).status_code for _ in range(2)] == [200, 200]


def test_passkey__answer_sent_again__challenge_is_used_up(page: Page) -> None:
    key = Authenticator(counter=0)
    add_passkey(page, key)
    alone = Page()
    given = key.get(challenged(alone, PASSKEY))
    assert alone.send("POST", PASSKEY, {"credential": given}).status_code == 200
    assert alone.send("POST", PASSKEY, {"credential": given}).json()["code"] == "not_begun"


def test_passkey__second_answer_to_one_challenge__refused(page: Page) -> None:
    key = Authenticator()
    add_passkey(page, key)
    challenge = challenged(page, PROOF)
    assert page.send("POST", PROOF, {"credential": key.get(challenge)}).status_code == 204
    assert page.send("POST", PROOF, {"credential": key.get(challenge)}).json()["code"] == "not_begun"


def test_passkey__challenge_of_a_proof__opens_no_session(page: Page) -> None:
    key = Authenticator()
    add_passkey(page, key)
    given = key.get(challenged(page, PROOF))
    assert page.send("POST", PASSKEY, {"credential": given}).json()["code"] == "not_begun"


def test_passkey__of_another_user__is_no_second_factor(page: Page) -> None:
    add_app(page)
    make_user("otto", "operator", PASSWORD)
    others, key = Page(), Authenticator()
    others.sign_in("otto")
    add_passkey(others, key)
    second = waiting()
    answer = second.send("POST", SECOND, {"credential": key.get(challenged(second, SECOND))})
    assert (answer.status_code, answer.json()["code"]) == (403, "passkey_refused")


@pytest.mark.parametrize(
    "credential", [{}, {"rawId": "%%%"}, {"rawId": ["x"]}, {"rawId": "AAAA", "response": {"clientDataJSON": 7}}]
)
def test_passkey__malformed__refused(page: Page, credential: dict[str, Any]) -> None:
    add_passkey(page, Authenticator())
    challenged(page, PROOF)
    assert page.send("POST", PROOF, {"credential": credential}).json()["code"] == "passkey_refused"
    page.send("POST", f"{FACTORS}/passkeys/options")
    body = {"name": "x", "credential": credential}
    assert page.send("POST", f"{FACTORS}/passkeys", body).json()["code"] == "passkey_refused"


def test_removed__last_factor__password_is_enough_again(page: Page) -> None:
    add_app(page)
    assert page.send("DELETE", f"{FACTORS}/app").status_code == 204
    assert RecoveryCode.objects.count() == 0
    assert Page().sign_in("nora").status_code == 200


def test_token__own_factors__session_needed(user: User, as_role: Any) -> None:
    caller = as_role("admin")
    for path in ("account/second-factors/app/secret", "session/proof/options"):
        assert caller.call("POST", f"/api/v1/{path}", {}).body["code"] == "session_needed"


def _signed_in_with(key: Authenticator) -> Any:
    alone = Page()
    return alone.send("POST", PASSKEY, {"credential": key.get(challenged(alone, PASSKEY))})
