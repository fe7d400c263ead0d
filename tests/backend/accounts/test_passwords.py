"""What a password may be, and how it is stored."""

from __future__ import annotations

import base64

import pytest
from django.contrib.auth.hashers import make_password

from backend.identity.accounts.models import User
from backend.identity.accounts.passwords import MAX_LENGTH
from tests.support.console import PASSWORD, Caller

LONG = "kestrel marigold 47 " * 6 + "by owl!?"
OTHERS = ["ключ от старого сарая", "🦉🌻🗝️ owl sunflower key", "   leading and trailing   ", "all in lower case words"]


def test_password__of_128_characters__taken_and_longer__400(admin: Caller) -> None:
    for length in (64, MAX_LENGTH):
        password, name = LONG[:length], f"eve-{length}"
        assert len(password) == length
        assert admin.post("/users", {"username": name, "role": "viewer", "password": password}).status == 201
        user = User.objects.get(username=name)
        assert user.check_password(password)
        assert not user.check_password(password[:-1])
    longer = admin.post("/users", {"username": "ed", "role": "viewer", "password": f"{LONG}x"})
    assert longer.status == 400
    assert longer.body["errors"][0]["field"] == "password"
    assert "129 characters, and at most 128" in longer.body["detail"]


@pytest.mark.parametrize("password", OTHERS)
def test_password__of_any_printable_characters__taken(admin: Caller, password: str) -> None:
    assert admin.post("/users", {"username": "eve", "role": "viewer", "password": password}).status == 201
    assert User.objects.get(username="eve").check_password(password)


def test_make_password__same_password_twice__another_salt_of_128_bits(db: None) -> None:
    salts = [make_password(PASSWORD).split("$")[6] for _ in range(2)]
    assert salts[0] != salts[1]
    assert all(len(base64.b64decode(salt + "==")) >= 16 for salt in salts)
