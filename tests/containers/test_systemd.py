"""The units under systemd, installed on a fresh host by the steps of docs/how-to/install.md."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest

from deploy.containers.engine import Engine
from tests.containers.systemd_host import SystemdHost, running
from tests.support.waiting import wait_for

pytestmark = [pytest.mark.whole, pytest.mark.timeout(900)]
UNITS = ("hawser-web", "hawser-worker", "hawser-monitor")
_ADDRESS = "https://hawser.example.net"
_CURL = ("curl", "--silent", "--insecure", "--resolve", "hawser.example.net:443:127.0.0.1")


@pytest.fixture(scope="module")
def host(engine: Engine) -> Iterator[SystemdHost]:
    """A host on which the console was installed."""
    with running(engine) as found:
        yield found


def _is_ready(host: SystemdHost) -> bool:
    answer = host.run(*_CURL, f"{_ADDRESS}/readyz")
    return answer.startswith("{") and bool(json.loads(answer)["status"] == "ready")


def _wait_ready(host: SystemdHost) -> None:
    wait_for(lambda: _is_ready(host), "the console to be ready", pause_s=0.5)


def test_console__installed_as_documented__is_ready_behind_the_proxy(host: SystemdHost) -> None:
    _wait_ready(host)
    assert "<title>Hawser" in host.run(*_CURL, f"{_ADDRESS}/")
    assert host.run("systemctl", "list-units", "--failed", "--plain", "--no-legend") == ""


@pytest.mark.parametrize("unit", UNITS)
def test_unit__exposure__is_under_two_of_ten(host: SystemdHost, unit: str) -> None:
    output = host.run("sh", "-c", f"systemd-analyze security {unit}.service --no-pager | tail -1")
    found = re.search(r"exposure level for \S+: ([0-9.]+)", output)
    assert found, output
    assert float(found[1]) < 2.0


@pytest.mark.parametrize("unit", UNITS)
def test_unit__killed__is_started_again_and_ready(host: SystemdHost, unit: str) -> None:
    pid = host.property(unit, "MainPID")
    host.run("kill", "-KILL", pid)
    wait_for(lambda: host.property(unit, "MainPID") not in ("0", pid), f"{unit} to be started again", pause_s=0.3)
    _wait_ready(host)
    assert host.property(unit, "ActiveState") == "active"


@pytest.mark.parametrize("unit", UNITS)
def test_unit__its_process__cannot_write_the_code_nor_read_the_secrets_of_others(host: SystemdHost, unit: str) -> None:
    pid = host.property(unit, "MainPID")
    user = host.property(unit, "User")
    inside = f"nsenter --target {pid} --mount -- setpriv --reuid={user} --clear-groups --regid=hawser"
    written = host.run("sh", "-c", f"{inside} touch /opt/hawser/backend/x 2>/dev/null && echo written || echo refused")
    read = host.run("sh", "-c", f"{inside} cat /etc/hawser/secrets/secret_key 2>/dev/null && echo read || echo refused")
    assert (written, read) == ("refused", "refused")


def test_target__stopped__stops_all_within_their_time(host: SystemdHost) -> None:
    host.run("systemctl", "stop", "hawser.target")
    for unit in UNITS:
        wait_for(lambda unit=unit: host.property(unit, "ActiveState") == "inactive", f"{unit} to end")
    host.run("systemctl", "start", "hawser.target")
    _wait_ready(host)
