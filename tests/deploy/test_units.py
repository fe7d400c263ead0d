from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from deploy.services.net import free_port, port_open
from deploy.services.process import ROOT, Child, wait_until
from tests.deploy import proxy, units


def test_units__verified_by_systemd__have_no_fault(tmp_path: Path) -> None:
    for unit in (*units.FOLDER.glob("*.service"), *units.FOLDER.glob("*.target")):
        # The program lies where an installation puts it; here any program stands for it.
        (tmp_path / unit.name).write_text(unit.read_text().replace("/opt/hawser/.venv/bin/python", "/bin/true"))
    command = ["systemd-analyze", "verify", "--man=no", *(str(path) for path in tmp_path.iterdir())]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    messages = [line for line in done.stderr.splitlines() if "hawser" in line]
    assert (done.returncode, messages) == (0, [])


@pytest.mark.parametrize("name", units.SERVICES)
def test_unit__secrets__come_as_credentials(name: str) -> None:
    text = (units.FOLDER / name).read_text()
    used = set(re.findall(r"(?:_FILE|_CERTFILE|_KEYFILE)=%d/(\w+)$", text, re.MULTILINE))
    assert units.secrets(name) == used


HARDENED = {
    "NoNewPrivileges": ["yes"],
    "ProtectProc": ["invisible"],
    "PrivateMounts": ["yes"],
    "RemoveIPC": ["yes"],
    "CapabilityBoundingSet": [""],
    "SystemCallFilter": ["@system-service", "~@privileged @resources"],
    "SystemCallErrorNumber": ["EPERM"],
    "LimitNOFILE": ["65536"],
    "LimitCORE": ["0"],
    "TasksMax": ["256"],
}
MOST_EXPOSED = 1.3
"""On systemd's scale of ten; what is left is the network, which a drop-in narrows, and the host's own files."""


@pytest.mark.parametrize("name", units.SERVICES)
def test_unit__hardening__stands_there_once(name: str) -> None:
    assert {key: units.values(name, key) for key in HARDENED} == HARDENED
    assert units.values(name, "MemoryMax")[0].endswith("G")


def test_units__on_a_busy_host__runs_go_before_what_serves_them_and_both_before_other_services() -> None:
    worker, web, monitor = (
        int(units.values(f"hawser-{n}.service", "CPUWeight")[0]) for n in ("worker", "web", "monitor")
    )
    assert worker > web == monitor > 100


def test_processes_of_runs__boot_id__can_be_read() -> None:
    # Without it a killed worker's run waits for the end of its lease; see backend/common/process_owner.py.
    subsets = {name: units.values(name, "ProcSubset") for name in units.SERVICES}
    monitors = {"hawser-monitor.service": [], "hawser-monitor@.service": []}
    assert subsets == monitors | {"hawser-web.service": ["pid"], "hawser-worker.service": []}


@pytest.mark.parametrize(("with_network", "most"), [(False, MOST_EXPOSED), (True, MOST_EXPOSED - 0.1)])
@pytest.mark.parametrize("name", units.SERVICES)
def test_unit__judged_by_systemd__is_exposed_little(name: str, with_network: bool, most: float, tmp_path: Path) -> None:
    text = (units.FOLDER / name).read_text()
    if with_network:
        text = text.replace("[Install]", (units.FOLDER / "network.conf.example").read_text() + "\n[Install]")
    (tmp_path / name).write_text(text)
    command = ["systemd-analyze", "security", "--offline=true", "--no-pager", str(tmp_path / name)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    exposure = re.search(r"Overall exposure level for \S+: ([\d.]+)", done.stdout)
    assert exposure is not None
    assert float(exposure[1]) <= round(most, 1), done.stdout


def test_accounts__made_by_sysusers__are_there(tmp_path: Path) -> None:
    (tmp_path / "etc").mkdir()
    command = ["systemd-sysusers", f"--root={tmp_path}", str(units.FOLDER / "sysusers.conf")]
    subprocess.run(command, check=True, capture_output=True)
    accounts = {line.split(":")[0] for line in (tmp_path / "etc/passwd").read_text().splitlines()}
    assert accounts == {units.values(name, "User")[0] for name in units.SERVICES}


@pytest.mark.parametrize("name", units.SERVICES)
def test_unit__module_or_command__exists(name: str) -> None:
    text = (units.FOLDER / name).read_text()
    start = re.search(r"^ExecStart=\S+/python (.+)$", text, re.MULTILINE)
    assert start is not None
    for module in re.findall(r"backend\.config\.\w+", start[1]):
        assert (ROOT / (module.replace(".", "/") + ".py")).is_file()
    if "manage.py" in start[1]:
        command = start[1].split()[1]
        assert list((ROOT / "backend").rglob(f"management/commands/{command}.py"))


def test_monitors__of_the_template__are_as_the_first_one() -> None:
    first, further = (
        (units.FOLDER / name).read_text() for name in ("hawser-monitor.service", "hawser-monitor@.service")
    )
    assert further.replace(", another monitor (%i)", "") == first


def test_target__wants__every_service() -> None:
    wants = re.search(r"^Wants=(.+)$", (units.FOLDER / "hawser.target").read_text(), re.MULTILINE)
    assert wants is not None
    assert sorted(wants[1].split()) == [name for name in units.SERVICES if "@" not in name]


def test_compose_redis_config__given_to_redis__listens_with_tls_alone_and_wants_the_password(tmp_path: Path) -> None:
    port = free_port()
    auth = tmp_path / "auth"
    auth.write_text((ROOT / "deploy/compose/conf/redis-acl.conf").read_text().replace("PASSWORD", "sesame"))
    proxy.certificate(tmp_path)
    paths = {
        "/run/secrets/redis_auth": str(auth),
        "/run/secrets/redis_certificate": f"{tmp_path}/certificate.pem",
        "/run/secrets/redis_key": f"{tmp_path}/key.pem",
        "/etc/redis/internal_ca.pem": f"{tmp_path}/certificate.pem",
        "dir /data": f"dir {tmp_path}",
        "tls-port 6379": f"tls-port {port}",
        "bind * -::*": "bind 127.0.0.1",
    }
    config = tmp_path / "redis.conf"
    config.write_text(proxy.replaced((ROOT / "deploy/compose/conf/redis.conf").read_text(), paths))
    server = Child("redis", ["redis-server", str(config)], tmp_path / "log", grace_s=5).start()
    try:
        assert wait_until(lambda: port_open(port), 10, server), server.tail()
        clear = ["redis-cli", "--no-auth-warning", "-p", str(port)]
        command = [*clear, "--tls", "--cacert", f"{tmp_path}/certificate.pem"]
        refused = subprocess.run([*command, "ping"], capture_output=True, text=True, check=False)
        welcome = subprocess.run(
            [*command, "--user", "hawser", "-a", "sesame", "ping"], capture_output=True, text=True, check=False
        )
        unanswered = subprocess.run([*clear, "ping"], capture_output=True, text=True, check=False, timeout=10)
        assert "NOAUTH" in refused.stdout
        assert welcome.stdout == "PONG\n"
        assert "PONG" not in unanswered.stdout
        assert "NOAUTH" not in unanswered.stdout
    finally:
        server.stop()
