"""The production profile in an engine: it comes up with the least rights, serves, and returns when a part is killed."""

from __future__ import annotations

import pytest

from deploy.containers import images
from deploy.containers.engine import Engine
from tests.containers.production import SERVICES, Production

pytestmark = pytest.mark.timeout(1800)


def test_every_part__after_up__is_ready(production: Production) -> None:
    production.wait_ready()
    parts = production.readiness()["parts"]
    assert {name for name, part in parts.items() if not part["ok"]} == set()


@pytest.mark.parametrize("service", SERVICES)
def test_container__rights__are_the_least(production: Production, service: str) -> None:
    found = production.stack.inspect(service)
    assert found["HostConfig"]["ReadonlyRootfs"] is True
    assert found["HostConfig"]["CapDrop"] == ["ALL"]
    assert not found["HostConfig"]["CapAdd"]
    assert found["HostConfig"]["SecurityOpt"] == ["no-new-privileges:true"]
    status = production.stack.compose("exec", "--no-TTY", service, "cat", "/proc/1/status")
    facts = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
    assert int(facts["CapEff"], 16) == 0
    assert facts["NoNewPrivs"] == "1"
    assert "0" not in facts["Uid"].split()


def test_application__from_inside__cannot_be_changed(production: Production) -> None:
    written = production.stack.compose(
        "exec", "--no-TTY", "web", "sh", "-c", "touch /app/backend/x 2>/dev/null && echo written || echo refused"
    )
    assert written.strip() == "refused"


def test_image__by_itself__has_no_compiler_no_node_and_no_tests(engine: Engine) -> None:
    script = "for p in gcc node npm git; do command -v $p; done; find /app -name 'test_*' -o -name node_modules"
    found = engine.docker("run", "--rm", "--entrypoint", "sh", images.CONSOLE, "-c", script + "; true")
    assert found == ""


def test_tables__of_the_console__all_encrypted_at_rest(production: Production) -> None:
    """InnoDB lists each tablespace with its scheme: 0 is in clear."""
    query = (
        "SELECT encryption_scheme, COUNT(*) FROM information_schema.innodb_tablespaces_encryption"
        " WHERE name LIKE 'hawser/%' GROUP BY encryption_scheme"
    )
    command = f'mariadb --user=root --password="$(cat /run/secrets/database_root_password)" -Ne "{query}"'
    answer = production.stack.compose("exec", "--no-TTY", "mariadb", "sh", "-c", command)
    ((scheme, tables),) = (line.split() for line in answer.splitlines())
    assert scheme == "1"
    assert int(tables) > 50


def test_metrics__through_the_proxy__are_not_served(production: Production) -> None:
    assert production.get("/metrics")[0] == 404


def test_first_page__through_the_proxy__is_the_console(production: Production) -> None:
    status, text = production.get("/")
    assert status == 200
    assert "<title>Hawser" in text


@pytest.mark.parametrize("service", ["web", "worker"])
def test_killed_process__of_a_part__is_started_again_and_ready(production: Production, service: str) -> None:
    production.kill(service)
    production.wait_ready()
    assert production.stack.inspect(service)["RestartCount"] >= 1
