"""A provider and a directory for all tests of this folder."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from backend.identity.single_sign_on.oidc import provider as provider_cache
from tests.support.providers.oidc import CLIENT_ID, CONSOLE, SECRET, USERS, Provider, oidc_provider
from tests.support.providers.slapd import BASE, GROUPS, PEOPLE, ROOT_DN, ROOT_PASSWORD, Directory, directory

ROLES = {"dba": "operator", "dba-leads": "approver", "admins": "admin"}


@pytest.fixture(scope="session")
def running_provider() -> Iterator[Provider]:
    with oidc_provider() as running:
        yield running


@pytest.fixture
def oidc(running_provider: Provider, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Provider:
    """The provider with its first users, and the console set to it."""
    for sub in ("s-anna", "s-lead", "s-guest"):
        running_provider.control("set", sub=sub, claims=USERS[sub])
    running_provider.logout_tokens.clear()
    monkeypatch.setattr(provider_cache, "RETRY_S", 0.0)
    provider_cache.forget()
    for name, value in {
        "HAWSER_OIDC_ISSUER": running_provider.issuer,
        "HAWSER_OIDC_NAME": "Example ID",
        "HAWSER_OIDC_CLIENT_ID": CLIENT_ID,
        "HAWSER_OIDC_CLIENT_SECRET": SECRET,
        "HAWSER_CONSOLE_URL": CONSOLE,
        "HAWSER_GROUP_ROLES": ROLES,
    }.items():
        setattr(settings, name, value)
    return running_provider


@pytest.fixture(scope="session")
def running_directory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Directory]:
    if not shutil.which("/usr/sbin/slapd"):
        pytest.fail("slapd is missing; `make bootstrap` installs it")
    with directory(Path(tmp_path_factory.mktemp("slapd"))) as running:
        anna = running.add_person("anna")
        running.add_group("dba", anna)
        running.add_person("guest")
        yield running


@pytest.fixture
def slapd(running_directory: Directory, settings: Any) -> Directory:
    """The directory, and the console set to it."""
    for name, value in {
        "HAWSER_LDAP_URL": f"ldaps://127.0.0.1:{running_directory.tls_port}",
        "HAWSER_LDAP_CA_FILE": running_directory.ca_file,
        "HAWSER_LDAP_BIND_DN": ROOT_DN,
        "HAWSER_LDAP_BIND_PASSWORD": ROOT_PASSWORD,
        "HAWSER_LDAP_USER_BASE": PEOPLE,
        "HAWSER_LDAP_GROUP_BASE": GROUPS,
        "HAWSER_GROUP_ROLES": ROLES,
    }.items():
        setattr(settings, name, value)
    assert BASE in PEOPLE
    return running_directory
