"""What a monitor saw is stored only while it holds the lease, however long it was frozen in between."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db.models.functions import Now

from backend.clusters.models import Cluster
from backend.monitoring import lease, link_roles, monitor
from backend.monitoring.models import MonitorLease
from tests.support.console import make_link

Freeze = Callable[[], object]


def written_after(monkeypatch: pytest.MonkeyPatch, while_frozen: Freeze) -> tuple[int, bool]:
    """How often facts were stored, and whether the monitor counts itself the writing one, behind such a pause."""
    written: list[object] = []
    monkeypatch.setattr(monitor, "store_nodes", lambda *_, **__: written.append(1))

    def acquire(holder: str) -> bool:
        is_ours = real(holder)
        while_frozen()
        return is_ours

    real = lease.acquire
    monkeypatch.setattr(lease, "acquire", acquire)
    one = monitor.Monitor(threading.Event())
    one._read_registration()
    one._store({})
    return len(written), one._is_leader


def test_store__lease_held__stored(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    assert written_after(monkeypatch, lambda: None) == (1, True)


def test_store__registration_changed_meanwhile__nothing_is_stored(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    def register() -> None:
        Cluster.objects.create(name="milan", site="Milan", tls_mode="disabled")

    assert written_after(monkeypatch, register) == (0, True)


def test_store__successor_took_the_lease_meanwhile__nothing_is_stored(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def succeed() -> None:
        MonitorLease.objects.update(holder="two", until=Now() + timedelta(seconds=5))

    assert written_after(monkeypatch, succeed) == (0, False)


def test_store__lease_lapsed_meanwhile__nothing_is_stored(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    def lapse() -> None:
        MonitorLease.objects.update(until=Now() - timedelta(seconds=1))

    assert written_after(monkeypatch, lapse) == (0, False)


def test_registration__a_run_swapped_the_roles__read_again_within_seconds(db: None) -> None:
    """It is no change of the registration; with the old roles nothing of the link would be stored any more."""
    link = make_link()
    one = monitor.Monitor(threading.Event())
    one._read_registration()
    link_roles.set_roles(link.pk, link.standby_cluster_id, link.active_cluster_id)
    one._due["inventory"] -= monitor.INVENTORY_EVERY_S
    one._read_registration()
    assert [row.active_cluster_id for row in one._links] == [link.standby_cluster_id]
    one._polls.close()
