"""The scripts that give the console's own database and Redis new passwords, with programs that record calls."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from deploy.services.process import ROOT
from tests.deploy.skips import AS_ROOT

OLD = "old-password"
RECORDS = '#!/bin/sh\necho "$(basename "$0") $*" >>"$CALLS"\ncat >>"$CALLS" </dev/stdin\n'


def _programs(folder: Path, *names: str, fails: str = "") -> dict[str, str]:
    """An environment in which these programs record what they are given."""
    binaries = folder / "bin"
    binaries.mkdir()
    for name in names:
        program = binaries / name
        program.write_text(RECORDS + ("exit 1\n" if name == fails else ""))
        program.chmod(0o755)
    return os.environ | {"PATH": f"{binaries}:{os.environ['PATH']}", "CALLS": str(folder / "calls")}


def test_host__rotated__accounts_files_and_redis_have_one_new_password_each(tmp_path: Path) -> None:
    secrets, redis = tmp_path / "secrets", tmp_path / "redis.conf"
    secrets.mkdir()
    for name, account in (("database_url", "hawser"), ("migrate_database_url", "hawser_migrate")):
        (secrets / name).write_text(f"mysql://{account}:{OLD}@127.0.0.1:3306/hawser?ssl_ca=/x.pem\n")
    (secrets / "redis_url").write_text(f"redis://hawser:{OLD}@127.0.0.1:6379/0\n")
    redis.write_text(f"port 6379\nuser default off\nuser hawser on >{OLD} resetkeys\n")
    env = _programs(tmp_path, "mariadb", "systemctl") | {"HAWSER_ETC": str(tmp_path), "HAWSER_REDIS_CONF": str(redis)}
    script = ROOT / "deploy/systemd/rotation/rotate-passwords.sh"
    subprocess.run(["bash", script], env=env, stdin=subprocess.DEVNULL, check=True)
    calls = (tmp_path / "calls").read_text()
    made = {path.name: re.search(r"://(\w+):(\w{48})@", path.read_text()) for path in secrets.iterdir()}
    assert all(made.values())
    passwords = {found[2] for found in made.values() if found}
    assert len(passwords) == 3
    for name in ("database_url", "migrate_database_url"):
        found = made[name]
        assert found is not None
        assert f"ALTER USER '{found[1]}'@'%' IDENTIFIED BY '{found[2]}';" in calls
        assert (secrets / name).read_text().endswith("@127.0.0.1:3306/hawser?ssl_ca=/x.pem\n")
    assert made["redis_url"] is not None
    assert f"user hawser on >{made['redis_url'][2]} resetkeys" in redis.read_text()
    assert [line for line in calls.splitlines() if "restart" in line] == [
        f"systemctl restart {unit}" for unit in ("redis-server", "hawser-web", "hawser-worker", "hawser-monitor")
    ]
    assert OLD not in calls + redis.read_text()


@AS_ROOT
@pytest.mark.parametrize("fails", ["", "docker"])
def test_compose__rotated__all_passwords_are_new_or_none_is(tmp_path: Path, fails: str) -> None:
    folder = tmp_path / "deploy/compose"
    shutil.copytree(ROOT / "deploy/compose/conf", folder / "conf")
    (folder / "secrets").mkdir()
    for name in ("make-secrets.sh", "rotate-passwords.sh"):
        shutil.copy(ROOT / "deploy/compose" / name, folder)
    subprocess.run([folder / "make-secrets.sh"], check=True, capture_output=True)
    before = {path.name: path.read_text() for path in (folder / "secrets").iterdir()}
    env = _programs(tmp_path, "docker", fails=fails)
    done = subprocess.run([folder / "rotate-passwords.sh"], env=env, stdin=subprocess.DEVNULL, check=False)
    after = {path.name: path.read_text() for path in (folder / "secrets").iterdir()}
    changed = {name for name in before if before[name] != after[name]}
    assert set(after) == set(before)
    if fails:
        assert (done.returncode, changed) == (1, set())
        return
    own = {"database_password", "database_root_password", "database_migrate_password", "redis_password"}
    assert changed == own | {"database_url", "migrate_database_url", "redis_url", "redis_auth"}
    calls = (tmp_path / "calls").read_text()
    assert f"'hawser'@'%' IDENTIFIED BY '{after['database_password'].strip()}'" in calls
    assert "--force-recreate redis web worker monitor" in calls.splitlines()[-1]


def test_timer__of_the_units__is_valid_and_starts_the_script_each_month() -> None:
    folder = ROOT / "deploy/systemd/rotation"
    assert "OnCalendar=monthly\n" in (folder / "hawser-rotate-passwords.timer").read_text()
    start = re.search(r"(?m)^ExecStart=/opt/hawser/(\S+)$", (folder / "hawser-rotate-passwords.service").read_text())
    assert start is not None
    assert os.access(ROOT / start[1], os.X_OK)
