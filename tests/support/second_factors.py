"""A user's second factors, as the page adds and gives them."""

from __future__ import annotations

import base64
from typing import Any

from cryptography.hazmat.primitives.hashes import SHA1
from cryptography.hazmat.primitives.twofactor.totp import TOTP

from backend.identity.second_factors import totp
from tests.support.authenticator import Authenticator
from tests.support.console import API
from tests.support.page import Page

FACTORS, SECOND, PROOF = f"{API}/account/second-factors", f"{API}/session/second-factor", f"{API}/session/proof"
PASSKEY = f"{API}/session/passkey"


def code_of(secret: str, *, steps: int = 0) -> str:
    """What an app with the secret shows, now or some time steps later."""
    return TOTP(base64.b32decode(secret), 6, SHA1(), 30).generate(int(totp.time.time()) + 30 * steps).decode()  # noqa: S303


def add_app(page: Page) -> tuple[str, list[str]]:
    """Add an app; returns its secret and the recovery codes. The code of the time step before now is used up."""
    secret = page.send("POST", f"{FACTORS}/app/secret").json()["secret"]
    answer = page.send("POST", f"{FACTORS}/app", {"code": code_of(secret, steps=-1)})
    assert answer.status_code == 201, answer.json()
    return secret, answer.json()["recovery_codes"]


def add_passkey(page: Page, authenticator: Authenticator) -> Any:
    """Add a passkey; returns the answer."""
    begun = page.send("POST", f"{FACTORS}/passkeys/options").json()["public_key"]
    body = {"name": "Laptop", "credential": authenticator.create(begun)}
    return page.send("POST", f"{FACTORS}/passkeys", body)


def challenged(page: Page, path: str) -> dict[str, Any]:
    """Options to use a passkey."""
    public_key: dict[str, Any] = page.send("POST", f"{path}/options").json()["public_key"]
    return public_key
