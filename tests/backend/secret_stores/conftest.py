"""Stores of the tests: nothing is held in memory before or after one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from backend.clusters.secret_stores import cache, registry
from tests.support.vault_server import ROLE_ID, SECRET_ID, Vault, vault_server


@pytest.fixture(autouse=True)
def _nothing_held() -> Iterator[None]:
    cache.forget()
    yield
    cache.forget()


@pytest.fixture
def folder(tmp_path: Path, settings: Any) -> Path:
    """A folder whose files may be named."""
    allowed = tmp_path / "allowed"
    allowed.mkdir()
    settings.HAWSER_SECRET_PATHS = [str(allowed)]
    cache.forget()
    return allowed


@pytest.fixture
def vault(tmp_path: Path, settings: Any) -> Iterator[Vault]:
    """A vault that the console may read."""
    secret_id = tmp_path / "secret-id"
    secret_id.write_text(f"{SECRET_ID}\n")
    settings.HAWSER_VAULT_AUTH, settings.HAWSER_VAULT_ROLE = "approle", ROLE_ID
    settings.HAWSER_VAULT_SECRET_ID_PATH = str(secret_id)
    settings.HAWSER_VAULT_PATHS = ["secret/hawser", "database/hawser-monitor"]
    with vault_server() as server:
        settings.HAWSER_VAULT_URL = server.url
        server.kv["hawser/milan"] = {"monitor": "from-the-vault"}
        registry.forget_logins()
        yield server
        registry.forget_logins()
