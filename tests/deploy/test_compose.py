"""Every name of the compose file is resolved by hand; tests/containers runs it in an engine."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from deploy.containers import images
from deploy.services.process import ROOT
from tests.deploy import units
from tests.deploy.compose import FILE, account, compose, in_profile, profiles, services
from tests.deploy.skips import AS_ROOT

SERVICES = sorted(services())
OWN = {images.CONSOLE, images.DEMO}


def _names(entries: Any) -> list[str]:
    """Names in a list of names, of `{source: name}`, or in a mapping keyed by name."""
    return [each["source"] if isinstance(each, dict) else each for each in entries or []]


def test_compose_file__against_the_specification__valid() -> None:
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec", str(FILE)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_default_profile__plain_up__is_the_demo() -> None:
    assert "COMPOSE_PROFILES=demo" in (ROOT / ".env").read_text().splitlines()
    assert list(in_profile("demo")) == ["demo"]


def test_production_profile__services__are_the_contract_shape() -> None:
    wanted = {"mariadb", "redis", "migrate", "web", "worker", "monitor"}
    assert wanted <= set(in_profile("production"))
    assert "demo" not in in_profile("production")


@pytest.mark.parametrize("kind", ["secrets", "configs", "networks"])
@pytest.mark.parametrize("name", SERVICES)
def test_service__named_parts__are_defined(name: str, kind: str) -> None:
    assert set(_names(services()[name].get(kind))) <= set(compose().get(kind, {}))


@pytest.mark.parametrize("kind", ["secrets", "configs", "networks", "volumes"])
def test_defined_parts__all_of_them__are_used(kind: str) -> None:
    used = {each.split(":")[0] for service in services().values() for each in _names(service.get(kind))}
    assert set(compose().get(kind, {})) == used


@pytest.mark.parametrize("name", SERVICES)
def test_service__volumes__are_named_and_not_of_the_host(name: str) -> None:
    sources = [each.split(":")[0] for each in services()[name].get("volumes", [])]
    assert set(sources) <= set(compose()["volumes"])


@pytest.mark.parametrize("name", SERVICES)
def test_service__secret_files_in_the_environment__are_mounted(name: str) -> None:
    service = services()[name]
    for key, value in service.get("environment", {}).items():
        if key.endswith(("_FILE", "_CERTFILE", "_KEYFILE")) and value:
            assert value.removeprefix("/run/secrets/") in _names(service.get("secrets")), key


@pytest.mark.parametrize("name", SERVICES)
def test_service__environment__holds_no_secret(name: str) -> None:
    for key, value in services()[name].get("environment", {}).items():
        # A path where a secret is, a time, a switch.
        is_harmless = key.endswith(("_FILE", "_PATH", "_PATHS", "_MINUTES", "_DAYS", "_SIGN_IN", "_KEYFILE"))
        assert is_harmless or not any(word in key for word in ("PASSWORD", "SECRET", "KEY", "TOKEN")), key
        assert "://" not in value or value.startswith("https://"), key


@pytest.mark.parametrize("name", SERVICES)
def test_service__dependencies__exist_in_its_profile_and_can_become_true(name: str) -> None:
    service = services()[name]
    for other, rule in service.get("depends_on", {}).items():
        target = services()[other]
        assert set(service["profiles"]) <= set(target["profiles"])
        if rule["condition"] == "service_healthy":
            assert "healthcheck" in target
        else:
            assert rule["condition"] == "service_completed_successfully"
            assert target["restart"] == "no"


def _visit(name: str, path: tuple[str, ...]) -> None:
    assert name not in path, f"{' -> '.join((*path, name))}"
    for other in services()[name].get("depends_on", {}):
        _visit(other, (*path, name))


@pytest.mark.parametrize("name", SERVICES)
def test_service__dependencies__have_no_circle(name: str) -> None:
    _visit(name, ())


@pytest.mark.parametrize("name", SERVICES)
def test_service__rights__are_the_least(name: str) -> None:
    service = services()[name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["init"] is True
    assert account(service) > 0
    assert not {"privileged", "cap_add", "devices", "network_mode", "pid", "ipc", "userns_mode"} & service.keys()


@pytest.mark.parametrize("name", SERVICES)
def test_service__what_it_may_use__is_bounded(name: str) -> None:
    service = services()[name]
    assert re.fullmatch(r"\d+[mg]", service["mem_limit"])
    assert 0 < service["pids_limit"] <= 2048
    assert service["logging"] == {"driver": "json-file", "options": {"max-size": "10m", "max-file": "5"}}


def test_monitor__any_number_of_containers__have_no_name_port_or_folder_of_one() -> None:
    """`docker compose up --scale monitor=3`: they share the links."""
    assert not {"container_name", "hostname", "ports", "volumes"} & services()["monitor"].keys()


def test_services__on_a_busy_host__share_the_processors_as_the_units_do() -> None:
    for name in ("worker", "web", "monitor"):
        weight = int(units.values(f"hawser-{name}.service", "CPUWeight")[0])
        assert services()[name]["cpu_shares"] / 1024 == weight / 100
    assert {services()[name]["cpu_shares"] for name in ("web", "mariadb", "redis")} == {5120}


def test_inner_network__nothing_on_it__reaches_the_world() -> None:
    assert compose()["networks"]["console"] == {"internal": True}
    on_it_alone = {name for name, each in services().items() if each.get("networks") == ["console"]}
    assert on_it_alone == {"mariadb", "redis", "migrate"}
    published = {name for name, each in in_profile("production").items() if each.get("ports")}
    assert published == {"proxy"}
    assert services()["proxy"]["networks"] == ["console", "edge"]


def test_bases__of_ended_lines__are_gone() -> None:
    ended = ("node:20", "nginx:1.26", "nginx:1.28", "redis:7.2")
    texts = [FILE.read_text(), (ROOT / "deploy/images/Dockerfile").read_text()]
    assert not [base for base in ended for text in texts if re.search(rf"(image|FROM):? {base}", text)]


@pytest.mark.parametrize("name", [name for name in SERVICES if name != "migrate"])
def test_service__that_stays__has_a_healthcheck_and_time_to_stop(name: str) -> None:
    service = services()[name]
    assert service["healthcheck"]["test"][0] in ("CMD", "CMD-SHELL")
    assert service["stop_grace_period"].endswith("s")


def test_worker__time_to_stop__is_longer_than_a_task_may_take() -> None:
    limits = (ROOT / "backend/config/settings/tasks.py").read_text()
    limit = int(limits.split("CELERY_TASK_TIME_LIMIT = ")[1].split()[0])
    assert int(services()["worker"]["stop_grace_period"].removesuffix("s")) > limit


@pytest.mark.parametrize("profile", profiles())
def test_profile__published_ports__do_not_clash(profile: str) -> None:
    published = [str(port).rsplit(":", 1)[0] for each in in_profile(profile).values() for port in each.get("ports", [])]
    assert published
    assert len(published) == len(set(published))


@pytest.mark.parametrize("name", SERVICES)
def test_service__image__is_ours_and_built_or_pinned_to_a_version(name: str) -> None:
    service = services()[name]
    assert (service["image"] in OWN) == ("build" in service)
    assert service["image"].split(":")[1] not in ("", "latest")


@pytest.mark.parametrize("name", [name for name in SERVICES if "build" in services()[name]])
def test_service__build__context_file_and_target_exist(name: str) -> None:
    build = services()[name]["build"]
    file = ROOT / build["context"] / build["dockerfile"]
    assert f" AS {build['target']}\n" in file.read_text()


def test_config_files__all_of_them__exist() -> None:
    made = {path for path in (each["file"] for each in compose()["configs"].values()) if "/secrets/" in path}
    assert made == {"deploy/compose/secrets/internal_ca"}
    for each in compose()["configs"].values():
        assert each["file"] in made or (ROOT / each["file"]).is_file()


def _secrets_script(folder: Path) -> str:
    (folder / "secrets").mkdir()
    script = folder / "make-secrets.sh"
    script.write_text((ROOT / "deploy/compose/make-secrets.sh").read_text())
    shutil.copytree(ROOT / "deploy/compose/conf", folder / "conf")
    return str(script)


@AS_ROOT
def test_make_secrets__in_an_empty_folder__makes_every_secret_file(tmp_path: Path) -> None:
    script, folder = _secrets_script(tmp_path), tmp_path / "secrets"
    for _ in range(2):
        subprocess.run(["bash", script, "console.example.net"], check=True, capture_output=True)
    wanted = {Path(each["file"]).name for each in compose()["secrets"].values()}
    assert {path.name for path in folder.iterdir()} == wanted | {"internal_ca"}
    assert (folder / "proxy_secret").read_text().strip() in (folder / "proxy_header").read_text()
    password = (folder / "database_password").read_text().strip()
    assert password in (folder / "database_url").read_text()
    password = (folder / "redis_password").read_text().strip()
    assert f"user hawser on >{password} " in (folder / "redis_auth").read_text()
    ca = "/etc/hawser/internal_ca.pem"
    assert (folder / "redis_url").read_text() == f"rediss://hawser:{password}@redis:6379/0?ssl_ca_certs={ca}\n"
    assert (folder / "database_url").read_text().endswith(f"@mariadb:3306/hawser?ssl_ca={ca}\n")


@AS_ROOT
def test_make_secrets__certificates__are_signed_by_the_ca_for_the_services_names_and_its_key_is_gone(
    tmp_path: Path,
) -> None:
    script, folder = _secrets_script(tmp_path), tmp_path / "secrets"
    subprocess.run(["bash", script], check=True, capture_output=True)
    for name, host in (("database", "mariadb"), ("redis", "redis"), ("web", "web")):
        certificate = str(folder / f"{name}_certificate")
        command = ["openssl", "verify", "-CAfile", str(folder / "internal_ca"), "-verify_hostname", host, certificate]
        assert subprocess.run(command, capture_output=True, check=False).returncode == 0
        command[-2] = "another"
        assert subprocess.run(command, capture_output=True, check=False).returncode != 0
    assert "PRIVATE KEY" not in (folder / "internal_ca").read_text()


@pytest.mark.parametrize("name", ["mariadb", "redis", "web"])
def test_own_service__in_clear_text__not_reached(name: str) -> None:
    """The database demands TLS of every account; Redis and web listen on no other port."""
    configuration = (ROOT / "deploy/compose/conf/redis.conf").read_text().splitlines()
    held = {
        "mariadb": "--require-secure-transport=ON" in services()["mariadb"]["command"],
        "redis": {"port 0", "tls-port 6379"} <= set(configuration),
        "web": {"UVICORN_SSL_CERTFILE", "UVICORN_SSL_KEYFILE"} <= set(services()["web"]["environment"])
        and "http://" not in FILE.read_text().split("---- production")[1],
    }
    assert held[name]


@AS_ROOT
def test_make_secrets__each_file__is_read_by_its_containers_account_alone(tmp_path: Path) -> None:
    script, folder = _secrets_script(tmp_path), tmp_path / "secrets"
    subprocess.run(["bash", script], check=True, capture_output=True)
    for name, service in services().items():
        for secret in _names(service.get("secrets")):
            status = (folder / secret).stat()
            assert (status.st_uid, status.st_mode & 0o777) == (account(service), 0o600), (name, secret)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may run it")
def test_make_secrets__not_as_root__refused_before_anything_is_made(tmp_path: Path) -> None:
    script = _secrets_script(tmp_path)
    done = subprocess.run(["bash", script], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "run it as root" in done.stderr
    assert list((tmp_path / "secrets").iterdir()) == []
