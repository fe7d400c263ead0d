"""Tokens that a certified provider would never make: each rule of the check on its own."""

from __future__ import annotations

from typing import Any

import pytest
from joserfc import jwt
from joserfc.jwk import KeySet, OctKey, RSAKey

from backend.identity.single_sign_on.oidc import provider, tokens
from backend.identity.single_sign_on.oidc.errors import RejectedError
from tests.support.clock import StillTime, stop_clock

NOW_S = int(StillTime().now_s)
ISSUER, CLIENT = "https://id.example.net", "hawser"
KEY = RSAKey.generate_key(2048, {"kid": "one"})
OTHER = RSAKey.generate_key(2048, {"kid": "one"})
pytestmark = pytest.mark.usefixtures("known_keys")


@pytest.fixture
def known_keys(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.HAWSER_OIDC_ISSUER, settings.HAWSER_OIDC_CLIENT_ID = ISSUER, CLIENT
    public = KeySet.import_key_set({"keys": [KEY.as_dict(private=False)]})
    monkeypatch.setattr(provider, "keys", lambda **_: public)
    stop_clock(monkeypatch, tokens)


def signed(claims: dict[str, Any], key: Any = KEY, alg: str = "RS256", **header: str) -> str:
    return str(jwt.encode({"alg": alg, "kid": "one", **header}, claims, key))


def id_token(**changes: Any) -> str:
    claims = {"iss": ISSUER, "aud": CLIENT, "sub": "s", "iat": NOW_S, "exp": NOW_S + 60, "nonce": "n", **changes}
    return signed({name: value for name, value in claims.items() if value is not None})


def logout_token(**changes: Any) -> str:
    claims = {"iss": ISSUER, "aud": CLIENT, "sub": "s", "iat": NOW_S, "exp": NOW_S + 60, "jti": "j",
              "events": {tokens.LOGOUT_EVENT: {}}, **changes}  # fmt: skip
    return signed({name: value for name, value in claims.items() if value is not None}, typ="logout+jwt")


def test_id_token__right__its_claims() -> None:
    assert tokens.id_token_claims(id_token(), nonce="n")["sub"] == "s"


@pytest.mark.parametrize(
    "changes",
    [
        {"iss": "https://other.example.net"},
        {"iss": None},
        {"aud": "another"},
        {"aud": ["another"]},
        {"aud": [CLIENT, "another"]},
        {"aud": None},
        {"azp": "another"},
        {"exp": 0},
        {"exp": None},
        {"exp": "soon"},
        {"exp": NOW_S - tokens.LEEWAY_S - 5},
        {"iat": NOW_S + 86_400},
        {"nbf": NOW_S + 86_400},
        {"nonce": "another"},
        {"nonce": None},
        {"sub": None},
        {"sub": 5},
    ],
)
def test_id_token__one_claim_wrong__refused(changes: dict[str, Any]) -> None:
    with pytest.raises(RejectedError):
        tokens.id_token_claims(id_token(**changes), nonce="n")


def test_id_token__clock_a_little_behind__accepted() -> None:
    assert tokens.id_token_claims(id_token(exp=NOW_S - 10), nonce="n")


def test_id_token__signed_by_another_key__refused() -> None:
    claims = {"iss": ISSUER, "aud": CLIENT, "sub": "s", "iat": NOW_S, "exp": NOW_S + 60, "nonce": "n"}
    with pytest.raises(RejectedError):
        tokens.id_token_claims(signed(claims, OTHER), nonce="n")


def test_id_token__without_signature_or_with_the_shared_secret__refused() -> None:
    claims = {"iss": ISSUER, "aud": CLIENT, "sub": "s", "iat": NOW_S, "exp": NOW_S + 60, "nonce": "n"}
    head, body, _ = id_token().split(".")
    unsigned = "eyJhbGciOiJub25lIn0" + f".{body}."
    shared = jwt.encode(
        {"alg": "HS256"}, claims, OctKey.import_key("the secret that both know, of enough bytes"), algorithms=["HS256"]
    )
    for text in (unsigned, str(shared), f"{head}.{body}.", "", "a.b.c", id_token()[:-4] + "AAAA"):
        with pytest.raises(RejectedError):
            tokens.id_token_claims(text, nonce="n")


def test_logout_token__without_its_event__refused(known_keys: None) -> None:
    with pytest.raises(RejectedError):
        tokens.logout_token_claims(logout_token(events=None))


def test_logout_token__right__its_claims() -> None:
    assert tokens.logout_token_claims(logout_token(sid="x"))["sid"] == "x"
    assert tokens.logout_token_claims(logout_token(sub=None, sid="x"))


@pytest.mark.parametrize(
    "changes",
    [
        {"events": None},
        {"events": {"other": {}}},
        {"events": {tokens.LOGOUT_EVENT: "x"}},
        {"events": [tokens.LOGOUT_EVENT]},
        {"nonce": "n"},
        {"sub": None},
        {"sub": 5},
        {"sid": ["x"]},
        {"jti": None},
        {"iat": None},
        {"aud": "another"},
        {"iss": "https://other.example.net"},
        {"exp": 1},
        {"exp": None, "iat": 1},
        {"exp": NOW_S + 10 * 86_400},
        {"exp": float("1e30")},
    ],
)
def test_logout_token__one_claim_wrong__refused(changes: dict[str, Any]) -> None:
    with pytest.raises(RejectedError):
        tokens.logout_token_claims(logout_token(**changes))
