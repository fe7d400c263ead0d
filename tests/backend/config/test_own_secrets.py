"""Keys of the console out of the vault: read at the start, never from where users may name references."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cryptography.fernet import Fernet
from django.core.exceptions import ImproperlyConfigured

from backend.config import setting_report
from backend.config.env import read
from tests.backend.config.given_settings import GOOD
from tests.support.vault_server import JWT, ROLE_ID, SECRET_ID, Vault, vault_server

KEY = Fernet.generate_key().decode()
URL = "mysql://hawser:of-the-vault@127.0.0.1:3306/hawser"
REFERENCE = "vault:secret/hawser-console#credentials_key"


@pytest.fixture
def vault(tmp_path: Path) -> Iterator[Vault]:
    """A vault with keys of the console."""
    for name, proof in (("secret-id", SECRET_ID), ("jwt", JWT)):
        (tmp_path / name).write_text(proof)
    with vault_server() as server:
        server.kv["hawser-console"] = {"credentials_key": KEY, "database_url": URL}
        yield server


def given(vault: Vault, folder: Path, **further: str) -> dict[str, str]:
    """An environment whose credentials key is a reference."""
    names = {"URL": vault.url, "ROLE": ROLE_ID, "SECRET_ID_PATH": f"{folder}/secret-id", "JWT_PATH": f"{folder}/jwt"}
    login = {f"HAWSER_VAULT_{name}": value for name, value in names.items()}
    return GOOD | login | {"HAWSER_CREDENTIALS_KEY": REFERENCE} | further


def fault(environ: dict[str, str]) -> str:
    """What is said of it."""
    with pytest.raises(ImproperlyConfigured) as caught:
        read(environ)
    return str(caught.value)


@pytest.mark.parametrize("way", ["approle", "kubernetes"])
def test_key__by_reference__is_what_the_vault_holds_and_never_shown(vault: Vault, tmp_path: Path, way: str) -> None:
    further = {"HAWSER_DATABASE_URL": "vault:secret/hawser-console#database_url", "HAWSER_VAULT_AUTH": way}
    found = read(given(vault, tmp_path, **further))
    assert found["HAWSER_CREDENTIALS_KEY"].value == [KEY]
    assert found["HAWSER_DATABASE_URL"].value == URL
    shown = {one["name"]: one for one in setting_report.in_force(found)}
    assert shown["HAWSER_CREDENTIALS_KEY"]["origin"] == REFERENCE
    assert "of-the-vault" not in str(shown)
    assert KEY not in str(shown)
    assert len([path for path in vault.calls if "login" in path]) == 1


def test_key__reference_in_a_file__read_from_the_vault(vault: Vault, tmp_path: Path) -> None:
    (tmp_path / "key").write_text(REFERENCE + "\n")
    environ = given(vault, tmp_path, HAWSER_CREDENTIALS_KEY="", HAWSER_CREDENTIALS_KEY_FILE=f"{tmp_path}/key")
    assert read(environ)["HAWSER_CREDENTIALS_KEY"].value == [KEY]


def test_key__where_users_may_name_references__refused(vault: Vault, tmp_path: Path) -> None:
    for allowed in ("secret/hawser-console", "secret/elsewhere,secret", "production=secret"):
        reported = fault(given(vault, tmp_path, HAWSER_VAULT_PATHS=allowed))
        assert "HAWSER_CREDENTIALS_KEY: lies at secret/hawser-console, which users may name" in reported
    assert vault.calls == []


@pytest.mark.parametrize(
    ("further", "reported"),
    [
        ({"HAWSER_VAULT_URL": ""}, "HAWSER_VAULT_URL is not set"),
        ({"HAWSER_CREDENTIALS_KEY": "vault:secret"}, "is no reference"),
        ({"HAWSER_CREDENTIALS_KEY": "vault:secret/hawser-console#other"}, "has no field other"),
        ({"HAWSER_CREDENTIALS_KEY": "vault:secret/other#key"}, "it answered 404"),
        ({"HAWSER_VAULT_ROLE": "another"}, "it answered 400"),
        ({"HAWSER_VAULT_SECRET_ID_PATH": "/nowhere"}, "No such file"),
    ],
)
def test_process__key_not_in_the_vault__does_not_start(
    vault: Vault, tmp_path: Path, further: dict[str, Any], reported: str
) -> None:
    assert reported in fault(given(vault, tmp_path, **further))


def test_key__of_the_vault_that_is_none__refused_without_being_quoted(vault: Vault, tmp_path: Path) -> None:
    vault.kv["hawser-console"]["credentials_key"] = "canary"
    reported = fault(given(vault, tmp_path))
    assert "HAWSER_CREDENTIALS_KEY" in reported
    assert "canary" not in reported
