"""A link moved by the console in containers, while each of them is killed in turn."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime

import pytest

from tests.containers.managed_lab import ManagedLab, managed
from tests.containers.production import SERVICES, Production
from tests.galera.console import Json, describe

pytestmark = [pytest.mark.whole, pytest.mark.timeout(900)]


@pytest.fixture(scope="module")
def site(production: Production, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ManagedLab]:
    """A lab of three nodes a site, registered."""
    with managed(production, tmp_path_factory.mktemp("lab")) as found:
        yield found


def test_killed_source__relocate__is_verified_and_nothing_is_lost(site: ManagedLab) -> None:
    source = site.source()
    site.lab.kill(source)
    site.wait_link(lambda link: link["state"] == "broken", "the lost source to be seen")
    site.relocate()
    site.lab.start(source)
    site.remove_stray_channel()
    site.judge()


@pytest.mark.parametrize("service", SERVICES)
def test_killed_container__before_a_planned_move__returns_and_moves(
    production: Production, site: ManagedLab, service: str, record_property: Callable[[str, object], None]
) -> None:
    production.kill(service)
    record_property("ready_after_s", round(production.wait_ready(), 1))
    site.wait_protected()
    site.relocate(**site.other_source())
    site.judge()


@pytest.mark.parametrize("service", ["worker", "mariadb", "redis", "web"])
def test_killed_container__during_a_run__the_run_ends_verified(
    production: Production, site: ManagedLab, service: str, record_property: Callable[[str, object], None]
) -> None:
    site.wait_protected()
    plan = site.console.plan("relocate", **site.other_source())
    answer = site.console.start(plan)
    assert answer.status == 202, answer
    production.kill(service)
    production.wait_ready()
    run = site.console.wait_run(answer.body["id"], 120)
    record_property("run_took_s", _seconds(run))
    assert run["state"] == "succeeded", describe(run)
    site.judge()


def _seconds(run: Json) -> float:
    began, ended = (datetime.fromisoformat(run[name]) for name in ("started_at", "ended_at"))
    return round((ended - began).total_seconds(), 1)
