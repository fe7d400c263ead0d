"""Which files, variables and paths a reference may name, and what is read there."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from backend.clusters.secret_stores import cache
from backend.clusters.secret_stores.model import ReferenceRefusedError, StoreError
from backend.clusters.secret_stores.registry import check_reference
from tests.support.vault_server import JWT, ROLE_ID, Vault


def refusal(reference: str) -> str:
    with pytest.raises(ReferenceRefusedError) as caught:
        check_reference(reference)
    return str(caught.value)


def test_file__below_an_allowed_folder__read_without_its_line_break(folder: Path) -> None:
    (folder / "monitor").write_text("pass word\n")
    assert cache.read(f"file:{folder}/monitor").password == "pass word"


@pytest.mark.parametrize("name", ["/etc/passwd", "relative", "{folder}/../secret", "/", ""])
def test_file__elsewhere__refused_with_the_remedy(folder: Path, name: str) -> None:
    assert "HAWSER_SECRET_PATHS" in refusal(f"file:{name.format(folder=folder)}") or "whole path" in refusal(
        f"file:{name.format(folder=folder)}"
    )


@pytest.mark.parametrize("spelling", ["{}//monitor", "{}/./monitor", "{}/monitor/", "{}/monitor/."])
def test_file__spelt_otherwise__refused_with_the_one_spelling(folder: Path, spelling: str) -> None:
    assert f"file:{folder}/monitor" in refusal(f"file:{spelling.format(folder)}")


def test_file__stored_by_an_earlier_version_in_another_spelling__read_as_before(folder: Path) -> None:
    (folder / "monitor").write_text("pass word\n")
    assert cache.read(f"file:{folder}//monitor").password == "pass word"


@pytest.mark.parametrize(
    "reference",
    [
        "FILE:{folder}/monitor",
        "file: {folder}/monitor",
        "vault:secret//hawser/milan#monitor",
        "vault:secret/./hawser/milan#monitor",
        "vault:/secret/hawser/milan#monitor",
        "vault:secret/hawser/milan/#monitor",
        "vault:secret/hawser/mil%61n#monitor",
        "vault:secret/hawser/milan# monitor",
        "vault:SECRET/hawser/milan#monitor",
        "vault-db:database//hawser-monitor",
        "env: MILAN_MONITOR",
    ],
)
def test_reference__another_spelling_of_a_store__refused(
    vault: Vault, folder: Path, settings: Any, reference: str
) -> None:
    settings.HAWSER_SECRET_VARIABLES = ["MILAN_MONITOR"]
    refusal(reference.format(folder=folder))


def test_file__link_that_leads_out__not_read(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "outside").write_text("stolen")
    (folder / "monitor").symlink_to(tmp_path / "outside")
    with pytest.raises(StoreError) as caught:
        cache.read(f"file:{folder}/monitor")
    assert "HAWSER_SECRET_PATHS" in str(caught.value)
    assert "stolen" not in str(caught.value)


def test_file__of_the_consoles_own_keys__refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "key").write_text("console")
    (folder / "link").symlink_to(folder / "key")
    monkeypatch.setenv("HAWSER_CREDENTIALS_KEY_FILE", str(folder / "key"))
    assert "key of the console" in refusal(f"file:{folder}/key")
    assert "key of the console" in refusal(f"file:{folder}/link")


def test_file__swapped_as_kubernetes_does__the_new_value_is_read(folder: Path) -> None:
    for version in ("..1", "..2"):
        (folder / version).mkdir()
        (folder / version / "monitor").write_text(f"of {version}")
    (folder / "..data").symlink_to("..1")
    (folder / "monitor").symlink_to("..data/monitor")
    assert cache.read(f"file:{folder}/monitor").password == "of ..1"
    (folder / "new").symlink_to("..2")
    (folder / "new").rename(folder / "..data")
    assert cache.read(f"file:{folder}/monitor").password == "of ..1"
    cache.forget()
    assert cache.read(f"file:{folder}/monitor").password == "of ..2"


def test_file__pipe_or_too_long__not_read(folder: Path) -> None:
    os.mkfifo(folder / "pipe")
    (folder / "long").write_text("x" * 5000)
    for name in ("pipe", "long", "missing"):
        with pytest.raises(StoreError):
            cache.read(f"file:{folder}/{name}")


def test_variable__listed__read_and_others_refused(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.HAWSER_SECRET_VARIABLES = ["MILAN_MONITOR", "HAWSER_SECRET_KEY"]
    monkeypatch.setenv("MILAN_MONITOR", "from-a-variable")
    assert cache.read("env:MILAN_MONITOR").password == "from-a-variable"
    assert "HAWSER_SECRET_VARIABLES" in refusal("env:PATH")
    assert "setting of the console" in refusal("env:HAWSER_SECRET_KEY")


def test_reference__that_could_be_a_password__never_repeated() -> None:
    for text in ("hunter2", "mongo:hunter2"):
        assert "hunter2" not in refusal(text)


def test_vault__approle__field_read_and_other_paths_refused(vault: Vault) -> None:
    assert cache.read("vault:secret/hawser/milan#monitor").password == "from-the-vault"
    assert "HAWSER_VAULT_PATHS" in refusal("vault:secret/other#monitor")
    assert "field" in refusal("vault:secret/hawser/milan")
    assert "mount and path" in refusal("vault:secret/hawser/../other#monitor")


def test_vault__kubernetes_login__reads(vault: Vault, settings: Any, tmp_path: Path) -> None:
    (tmp_path / "jwt").write_text(JWT)
    settings.HAWSER_VAULT_AUTH, settings.HAWSER_VAULT_JWT_PATH = "kubernetes", str(tmp_path / "jwt")
    assert settings.HAWSER_VAULT_ROLE == ROLE_ID
    assert cache.read("vault:secret/hawser/milan#monitor").password == "from-the-vault"


def test_vault__token_was_revoked__logs_in_again(vault: Vault) -> None:
    cache.read("vault:secret/hawser/milan#monitor")
    vault.tokens.clear()
    vault.tokens.add("another")
    vault.kv["hawser/milan"]["monitor"] = "changed"
    cache.forget()
    assert cache.read("vault:secret/hawser/milan#monitor").password == "changed"
