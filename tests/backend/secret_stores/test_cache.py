"""How long a value is used, and what a store that is down means."""

from __future__ import annotations

from typing import Any

import pytest

from backend.clusters.secret_stores import cache
from backend.clusters.secret_stores.model import StoreError
from tests.support.vault_server import Vault

KV, ACCOUNT = "vault:secret/hawser/milan#monitor", "vault-db:database/hawser-monitor"


class Clock:
    """The cache's clock."""

    def __init__(self) -> None:
        self.now_s = 1000.0

    def monotonic(self) -> float:
        return self.now_s


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    found = Clock()
    monkeypatch.setattr(cache, "time", found)
    return found


def test_value__fresh__the_store_is_not_asked(vault: Vault, clock: Clock) -> None:
    cache.read(KV)
    asked = len(vault.calls)
    clock.now_s += cache.FRESH_S - 1
    cache.read(KV)
    assert len(vault.calls) == asked
    clock.now_s += 2
    cache.read(KV)
    assert len(vault.calls) == asked + 1


def test_value__refused_by_the_server__read_again_once(vault: Vault, clock: Clock) -> None:
    cache.read(KV)
    vault.kv["hawser/milan"]["monitor"] = "rotated"
    clock.now_s += 2
    assert [cache.read(KV, rereads=True).password for _ in range(3)] == ["rotated"] * 3
    assert sum("secret/data" in call for call in vault.calls) == 2


def test_store__down__last_value_for_the_minutes_of_the_setting(vault: Vault, clock: Clock, settings: Any) -> None:
    settings.HAWSER_SECRET_STALE_MINUTES = 15
    cache.read(KV)
    vault.is_down = True
    clock.now_s += 14 * 60
    assert cache.read(KV).password == "from-the-vault"
    assert "503" in cache.problem_of(KV)
    clock.now_s += 2 * 60
    with pytest.raises(StoreError):
        cache.read(KV)
    vault.is_down = False
    clock.now_s += cache.RETRY_S
    assert not cache.problem_of(KV)


def test_store__down_from_the_beginning__asked_again_after_a_pause_only(vault: Vault, clock: Clock) -> None:
    vault.is_down = True
    for _ in range(5):
        with pytest.raises(StoreError):
            cache.read(KV)
    assert len(vault.calls) == 1


def test_account__lease_half_over__prolonged_and_kept(vault: Vault, clock: Clock) -> None:
    first = cache.read(ACCOUNT)
    clock.now_s += 31
    prolonged = cache.read(ACCOUNT)
    assert (first.user, prolonged.user, vault.made) == ("v-hawser-1", "v-hawser-1", 1)
    assert "/v1/sys/leases/renew" in vault.calls


def test_account__lease_not_prolonged_or_refused__a_new_one(vault: Vault, clock: Clock) -> None:
    cache.read(ACCOUNT)
    vault.renews = False
    clock.now_s += 31
    assert cache.read(ACCOUNT).user == "v-hawser-2"
    vault.renews = True
    clock.now_s += 2
    assert cache.read(ACCOUNT, rereads=True).user == "v-hawser-3"


def test_account__store_down_beyond_the_lease__not_used(vault: Vault, clock: Clock) -> None:
    cache.read(ACCOUNT)
    vault.is_down = True
    clock.now_s += 61
    with pytest.raises(StoreError):
        cache.read(ACCOUNT)


def test_secret__shown__never_its_value(vault: Vault) -> None:
    assert "made-1" not in repr(cache.read(ACCOUNT))
    assert "made-1" not in repr(cache._held)
