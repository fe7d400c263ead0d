"""Second factors: adding them, signing in with them, and what is accepted only once."""

from __future__ import annotations

import base64
from typing import Any

import pytest
from django.test import override_settings
from fido2.cose import ES256
from fido2.utils import websafe_decode
from fido2.webauthn import AttestedCredentialData

from backend.audit.models import AuditRecord
from backend.common.events.models import Event
from backend.identity.accounts.identities.models import Identity
from backend.identity.accounts.models import SignIn, User
from backend.identity.second_factors import ceremony, totp
from backend.identity.second_factors.models import Passkey, RecoveryCode, Totp
from tests.support.authenticator import Authenticator
from tests.support.clock import stop_clock
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
def nora_user(db: None) -> User:
    return make_user("nora", "operator", PASSWORD)


@pytest.fixture
def nora_page(nora_user: User) -> Page:
    """Signed in with the password."""
    shown = Page()
    shown.sign_in("nora")
    return shown


def waiting() -> Page:
    """After the right password, before the second factor."""
    shown = Page()
    answer = shown.sign_in("nora")
    assert (answer.status_code, answer.json().get("code")) == (401, "second_factor_needed")
    return shown


def test_app__added__sealed_with_ten_codes_and_told(nora_page: Page) -> None:
    begun = nora_page.send("POST", f"{FACTORS}/app/secret").json()
    assert begun["qr_code"].startswith("data:image/svg+xml")
    assert begun["uri"].startswith("otpauth://totp/Hawser:nora?")
    answer = nora_page.send("POST", f"{FACTORS}/app", {"code": code_of(begun["secret"])})
    codes = answer.json()["recovery_codes"]
    assert len(set(codes)) == 10
    assert begun["secret"] not in Totp.objects.get().sealed
    assert not RecoveryCode.objects.filter(digest__in=codes).exists()
    shown = nora_page.client.get(FACTORS).json()
    assert (shown["app"] is not None, shown["passkeys"], shown["recovery_codes_left"]) == (True, [], 10)
    assert AuditRecord.objects.filter(action="api:second_factor:added", actor="nora").count() == 1
    assert Event.objects.filter(data__kind="second_factor.added").count() == 1


def test_app__wrong_code__not_added(nora_page: Page) -> None:
    secret = nora_page.send("POST", f"{FACTORS}/app/secret").json()["secret"]
    answer = nora_page.send("POST", f"{FACTORS}/app", {"code": code_of(secret, steps=-40)})
    assert (answer.status_code, answer.json().get("code")) == (403, "wrong_second_factor")
    assert nora_page.client.get(FACTORS).json()["app"] is None


def test_sign_in__with_an_app__password_alone_opens_nothing(nora_page: Page) -> None:
    secret, _ = add_app(nora_page)
    second = Page()
    answer = second.sign_in("nora")
    assert (answer.status_code, answer.json().get("code")) == (401, "second_factor_needed")
    assert answer.json().get("ways") == ["totp", "recovery_code"]
    assert second.client.get(f"{API}/links").status_code == 401
    assert second.client.get(SESSION).json().get("code") == "second_factor_needed"
    assert SignIn.objects.filter(ended_at=None).count() == 1
    done = second.send("POST", SECOND, {"code": code_of(secret)})
    assert (done.status_code, done.json()["username"]) == (200, "nora")
    assert second.client.get(f"{API}/links").status_code == 200
    assert AuditRecord.objects.filter(action="session:user:sign_in").last().facts["second_factor"] == "totp"


def test_code__given_twice__refused_the_second_time(nora_page: Page) -> None:
    secret, _ = add_app(nora_page)
    code = code_of(secret)
    assert waiting().send("POST", SECOND, {"code": code}).status_code == 200
    second_time = waiting().send("POST", SECOND, {"code": code})
    assert (second_time.status_code, second_time.json().get("code")) == (403, "wrong_second_factor")
    assert waiting().send("POST", SECOND, {"code": code_of(secret, steps=1)}).status_code == 200
    assert reuses() == ["nora"]


def reuses() -> list[str]:
    """Whose used codes were given again, as the record has it; the users are told of each."""
    records = AuditRecord.objects.filter(action="session:user:second_factor_reused").values_list("target", flat=True)
    found = [event.data["actor"] for event in Event.objects.all() if event.data.get("kind") == "second_factor.reused"]
    assert found == list(records)
    return found


def test_code__of_another_time__one_step_is_accepted(nora_page: Page) -> None:
    secret, _ = add_app(nora_page)
    second = waiting()
    answers = [second.send("POST", SECOND, {"code": code_of(secret, steps=steps)}) for steps in (-4, 3, 1)]
    assert [answer.status_code for answer in answers] == [403, 403, 200]


def test_code__of_the_standards_example__accepted_and_secrets_have_160_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    """RFC 6238, appendix B: the last six of its eight digits."""
    stop_clock(monkeypatch, totp).now_s = 59.0
    assert totp.step_of("287082", base64.b32encode(b"12345678901234567890").decode()) == 1
    secrets = {totp.new_secret() for _ in range(20)}
    assert {len(base64.b32decode(secret)) for secret in secrets} == {20}
    assert len(secrets) == 20


def test_passkey__key_of_an_algorithm_that_was_not_offered__refused(
    nora_page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The library takes whatever key comes, with RS1 (SHA-1) too."""
    offered = nora_page.send("POST", f"{FACTORS}/passkeys/options").json()["public_key"]["pubKeyCredParams"]
    assert {one["alg"] for one in offered} == {-7, -8, -257}
    monkeypatch.setattr(ceremony, "ALGORITHMS", frozenset({-8}))
    answer = add_passkey(nora_page, Authenticator())
    assert (answer.status_code, answer.json()["code"]) == (403, "passkey_refused")
    assert not Passkey.objects.exists()


def test_recovery_code__given_twice__refused_the_second_time(nora_page: Page) -> None:
    _, codes = add_app(nora_page)
    assert waiting().send("POST", SECOND, {"code": codes[0].upper()}).status_code == 200
    assert waiting().send("POST", SECOND, {"code": codes[0]}).status_code == 403
    assert nora_page.client.get(FACTORS).json()["recovery_codes_left"] == 9
    assert reuses() == ["nora"]
    assert {len(code.replace("-", "")) for code in codes} == {24}


def test_recovery_codes__renewed__earlier_ones_end(nora_page: Page) -> None:
    _, codes = add_app(nora_page)
    fresh = nora_page.send("POST", f"{FACTORS}/recovery-codes").json()["recovery_codes"]
    assert waiting().send("POST", SECOND, {"code": codes[0]}).status_code == 403
    assert waiting().send("POST", SECOND, {"code": fresh[0]}).status_code == 200


def test_codes__guessed_from_many_addresses__throttled_until_unlocked(nora_page: Page) -> None:
    secret, _ = add_app(nora_page)
    soon = {code_of(secret, steps=steps) for steps in range(-3, 20)}
    wrong = next(code for code in (f"{number:06}" for number in range(24)) if code not in soon)
    with override_settings(HAWSER_LOGIN_LIMIT=3):
        for number in range(3):
            guesser = Page(f"192.0.2.{number}")
            guesser.sign_in("nora")
            assert guesser.send("POST", SECOND, {"code": wrong}).status_code == 403
        other = waiting()
        answer = other.send("POST", SECOND, {"code": code_of(secret)})
        assert (answer.status_code, answer.json().get("code")) == (429, "too_many_attempts")
        assert int(answer.headers["Retry-After"]) > 0
        admin = Page()
        make_user("anna", "admin", PASSWORD)
        admin.sign_in("anna")
        assert admin.send("POST", f"{API}/users/nora/unlock").status_code == 200
        assert other.send("POST", SECOND, {"code": code_of(secret)}).status_code == 200


def test_second_factor__password_changed_meanwhile__sign_in_ends(nora_page: Page, nora_user: User) -> None:
    secret, _ = add_app(nora_page)
    other = waiting()
    nora_user.set_password("another-long-password-4711")
    nora_user.save()
    assert other.send("POST", SECOND, {"code": code_of(secret)}).status_code == 401


def test_second_factor__user_disabled_meanwhile__sign_in_ends(nora_page: Page, nora_user: User) -> None:
    secret, _ = add_app(nora_page)
    other = waiting()
    User.objects.filter(pk=nora_user.pk).update(is_active=False)
    assert other.send("POST", SECOND, {"code": code_of(secret)}).status_code == 401


def test_second_factor__no_sign_in_waits__401(nora_user: User) -> None:
    assert Page().send("POST", SECOND, {"code": "123456"}).status_code == 401


def test_passkey__added__second_factor_and_sign_in_without_password(nora_page: Page) -> None:
    key = Authenticator()
    assert len(add_passkey(nora_page, key).json()["recovery_codes"]) == 10
    second = waiting()
    assert second.send("POST", SECOND, {"credential": key.get(challenged(second, SECOND))}).status_code == 200
    alone = Page()
    done = alone.send("POST", PASSKEY, {"credential": key.get(challenged(alone, PASSKEY))})
    assert (done.status_code, done.json()["username"]) == (200, "nora")
    assert Passkey.objects.get().sign_count == 3


def test_passkey__alone_of_a_user_of_a_provider__refused(nora_page: Page) -> None:
    """The provider would not be asked, and may have disabled the user."""
    key = Authenticator()
    add_passkey(nora_page, key)
    Identity.objects.create(user=User.objects.get(username="nora"), kind="oidc", key="k", issuer="i", subject="s")
    alone = Page()
    answer = alone.send("POST", PASSKEY, {"credential": key.get(challenged(alone, PASSKEY))})
    assert (answer.status_code, answer.json()["code"]) == (403, "local_sign_in_closed")


def test_passkey__stored__its_public_key_alone(nora_page: Page) -> None:
    key = Authenticator()
    add_passkey(nora_page, key)
    stored = base64.b64decode(Passkey.objects.get().credential)
    public = ES256.from_cryptography_key(key.key.public_key())
    assert stored == AttestedCredentialData.create(b"\0" * 16, key.credential_id, public)


def test_passkey__challenges__have_256_bits_and_are_never_the_same(nora_page: Page) -> None:
    challenges = {websafe_decode(challenged(nora_page, PROOF)["challenge"]) for _ in range(20)}
    assert {len(challenge) for challenge in challenges} == {32}
    assert len(challenges) == 20


def test_passkey__sign_in_off__404(nora_page: Page) -> None:
    add_passkey(nora_page, Authenticator())
    with override_settings(HAWSER_PASSKEY_SIGN_IN=False):
        assert Page().send("POST", f"{PASSKEY}/options").status_code == 404
        assert Page().send("POST", PASSKEY, {"credential": {}}).status_code == 404


def test_passkey__without_user_verification__refused(nora_page: Page) -> None:
    answer = add_passkey(nora_page, Authenticator(verifies=False))
    assert (answer.status_code, answer.json().get("code")) == (403, "passkey_refused")
    key = Authenticator()
    add_passkey(nora_page, key)
    key.verifies = False
    assert _signed_in_with(key).json().get("code") == "passkey_refused"


def test_passkey__of_another_origin__refused(nora_page: Page) -> None:
    assert add_passkey(nora_page, Authenticator(origin="https://testserver.evil.example")).status_code == 403
    key = Authenticator()
    add_passkey(nora_page, key)
    key.origin = "http://evil.example"
    assert _signed_in_with(key).status_code == 403


def test_passkey__counter_did_not_rise__refused_as_a_copy(nora_page: Page) -> None:
    key = Authenticator(counter=5)
    add_passkey(nora_page, key)
    assert _signed_in_with(key).status_code == 200
    key.counter = 2
    answer = _signed_in_with(key)
    assert answer.status_code == 403
    assert "copy" in answer.json()["detail"]


def test_passkey__without_counter__accepted_again(nora_page: Page) -> None:
    key = Authenticator(counter=0)
    add_passkey(nora_page, key)
    assert [_signed_in_with(key).status_code for _ in range(2)] == [200, 200]


def test_passkey__answer_sent_again__challenge_is_used_up(nora_page: Page) -> None:
    key = Authenticator(counter=0)
    add_passkey(nora_page, key)
    alone = Page()
    given = key.get(challenged(alone, PASSKEY))
    assert alone.send("POST", PASSKEY, {"credential": given}).status_code == 200
    assert alone.send("POST", PASSKEY, {"credential": given}).json().get("code") == "not_begun"


def test_passkey__second_answer_to_one_challenge__refused(nora_page: Page) -> None:
    key = Authenticator()
    add_passkey(nora_page, key)
    challenge = challenged(nora_page, PROOF)
    assert nora_page.send("POST", PROOF, {"credential": key.get(challenge)}).status_code == 204
    assert nora_page.send("POST", PROOF, {"credential": key.get(challenge)}).status_code == 409


def test_passkey__challenge_of_a_proof__opens_no_session(nora_page: Page) -> None:
    key = Authenticator()
    add_passkey(nora_page, key)
    given = key.get(challenged(nora_page, PROOF))
    assert nora_page.send("POST", PASSKEY, {"credential": given}).json().get("code") == "not_begun"


def test_passkey__of_another_user__is_no_second_factor(nora_page: Page) -> None:
    add_app(nora_page)
    make_user("otto", "operator", PASSWORD)
    ottos_page, key = Page(), Authenticator()
    ottos_page.sign_in("otto")
    add_passkey(ottos_page, key)
    second = waiting()
    answer = second.send("POST", SECOND, {"credential": key.get(challenged(second, SECOND))})
    assert (answer.status_code, answer.json().get("code")) == (403, "passkey_refused")


@pytest.mark.parametrize(
    "credential", [{}, {"rawId": "%%%"}, {"rawId": ["x"]}, {"rawId": "AAAA", "response": {"clientDataJSON": 7}}]
)
def test_passkey__malformed__refused(nora_page: Page, credential: dict[str, Any]) -> None:
    add_passkey(nora_page, Authenticator())
    challenged(nora_page, PROOF)
    assert nora_page.send("POST", PROOF, {"credential": credential}).json().get("code") == "passkey_refused"
    nora_page.send("POST", f"{FACTORS}/passkeys/options")
    body = {"name": "x", "credential": credential}
    assert nora_page.send("POST", f"{FACTORS}/passkeys", body).json().get("code") == "passkey_refused"


def test_removed__last_factor__password_is_enough_again(nora_page: Page) -> None:
    add_app(nora_page)
    assert nora_page.send("DELETE", f"{FACTORS}/app").status_code == 204
    assert RecoveryCode.objects.count() == 0
    assert Page().sign_in("nora").status_code == 200


def test_token__own_factors__session_needed(nora_user: User, as_role: Any) -> None:
    caller = as_role("admin")
    for path in ("account/second-factors/app/secret", "session/proof/options"):
        assert caller.call("POST", f"/api/v1/{path}", {}).body["code"] == "session_needed"


def _signed_in_with(key: Authenticator) -> Any:
    alone = Page()
    return alone.send("POST", PASSKEY, {"credential": key.get(challenged(alone, PASSKEY))})
