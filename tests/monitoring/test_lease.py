"""What a monitor saw is stored only while it owns the cluster, however long it was frozen in between."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db.models import F
from django.db.models.functions import Now

from backend.clusters.models import Cluster
from backend.monitoring import lease, link_roles, monitor
from backend.monitoring.models import ClusterOwner, MonitorProcess
from tests.support.console import make_link

Freeze = Callable[[], object]


def owned_after(monkeypatch: pytest.MonkeyPatch, while_frozen: Freeze) -> list[int]:
    """For each time that facts were stored, of how many clusters: a monitor of one link was frozen before it stored."""
    stored: list[int] = []
    monkeypatch.setattr(monitor.Monitor, "_store_owned", lambda _, owned, *__: stored.append(len(owned)))
    make_link()
    one = monitor.Monitor(threading.Event())
    one._read_registration()
    one._keep_leases()
    while_frozen()
    one._store({})
    return stored


def test_store__owned__stored(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    assert owned_after(monkeypatch, lambda: None) == [2]


def test_store__registration_changed_meanwhile__nothing_is_stored(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    def register() -> None:
        Cluster.objects.create(name="oslo", site="Oslo", tls_mode="disabled")

    assert owned_after(monkeypatch, register) == []


def test_store__other_monitor_took_one_meanwhile__only_the_other_one_is_stored(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def succeed() -> None:
        ClusterOwner.objects.filter(pk=ClusterOwner.objects.latest("pk").pk).update(holder="two", epoch=F("epoch") + 1)

    assert owned_after(monkeypatch, succeed) == [1]


def test_store__given_back_under_a_new_epoch__nothing_is_stored(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another one owned and stored it in between: what was polled before is older."""
    assert owned_after(monkeypatch, lambda: ClusterOwner.objects.update(epoch=F("epoch") + 2)) == []


def test_store__lease_lapsed_meanwhile__nothing_is_stored(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    def lapse() -> None:
        MonitorProcess.objects.update(until=Now() - timedelta(seconds=1))

    assert owned_after(monkeypatch, lapse) == []


def test_store__monitor_of_a_former_version_leads__it_stores_all_and_this_one_nothing(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert owned_after(monkeypatch, lambda: lease.acquire("old-host:12")) == []


def test_store__another_sharing_monitor_leads__stored(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    def lead() -> None:
        MonitorProcess.objects.create(name="two", until=Now() + timedelta(seconds=3))
        lease.acquire("two")

    assert owned_after(monkeypatch, lead) == [2]


def test_registration__a_run_swapped_the_roles__read_again_within_seconds(db: None) -> None:
    """It is no change of the registration; with the old roles nothing of the link would be stored any more."""
    link = make_link()
    one = monitor.Monitor(threading.Event())
    one._read_registration()
    link_roles.set_roles(link.pk, link.standby_cluster_id, link.active_cluster_id)
    one._due["inventory"] -= monitor.INVENTORY_EVERY_S
    one._read_registration()
    assert [row.active_cluster_id for row in one._registration.links] == [link.standby_cluster_id]
