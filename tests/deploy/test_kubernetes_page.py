"""docs/how-to/run-on-kubernetes.md says of each service, secret and limit what the compose file says."""

from __future__ import annotations

import re
from typing import Any

import pytest
import yaml

from deploy.services.process import ROOT
from tests.deploy.compose import account, compose, services

TEXT = (ROOT / "docs/how-to/run-on-kubernetes.md").read_text()
PODS = [name for name in services() if name != "demo"]
OF_THE_CLUSTER = {"POD_IP", "HAWSER_ALLOWED_HOSTS", "HAWSER_TRUSTED_ORIGINS", "HAWSER_WEB_ADDRESSES"}
"""Addresses: their values are others than in compose."""


def _row(head: str, name: str) -> list[str]:
    """Cells of a service's row in the table with this head."""
    table = TEXT.partition(f"| {head} |")[2].partition("\n\n")[0]
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in table.splitlines()[2:]]
    (found,) = [row for row in rows if f"`{name}`" in row[0]]
    return found


def _words(command: str | list[str] | None) -> str:
    return " ".join(command) if isinstance(command, list) else command or ""


@pytest.mark.parametrize("name", services())
def test_service__of_the_compose_file__has_its_command_memory_and_time_to_end(name: str) -> None:
    service, row = services()[name], _row("service | object", name)
    assert row[4:] == [service["mem_limit"].upper() + "i", service.get("stop_grace_period", "").replace("s", " s")]
    if "build" in service or "entrypoint" in service:
        wanted = f"{_words(service.get('entrypoint'))} {_words(service.get('command'))}".strip()
        assert re.sub('[`"]', "", row[3]).replace("the image's", "") == wanted


@pytest.mark.parametrize("name", PODS)
def test_pod__secrets_and_account__are_those_of_its_service(name: str) -> None:
    assert set(re.findall(r"`(\w+)`", _row("pod | keys", name)[1])) == set(services()[name]["secrets"])
    assert _row("pod | account (user, group, `fsGroup`)", name)[1] == str(account(services()[name]))


@pytest.mark.parametrize("name", [name for name in PODS if name != "migrate"])
def test_probe__of_a_pod__asks_as_often_as_the_health_check(name: str) -> None:
    check, row = services()[name]["healthcheck"], _row("pod | probe", name)
    every, within, *failures = re.findall(r"\d+", row[3])
    assert (f"{every}s", f"{within}s") == (check["interval"], check["timeout"])
    assert str(check["retries"]) in failures


def test_secrets__of_the_compose_file__are_in_one_secret_each() -> None:
    kept = [key for keys in _made().values() for key in keys]
    assert sorted(kept) == sorted(compose()["secrets"])


def _made() -> dict[str, list[str]]:
    """Keys of each Secret that the page makes."""
    lines = re.findall(r"^secret (\S+) --from-file=\{?([\w,]+)\}?$", TEXT, re.MULTILINE)
    return {name: keys.split(",") for name, keys in lines}


def _example() -> dict[str, Any]:
    (text,) = re.findall(r"^```yaml\n(.*?)^```", TEXT, re.DOTALL | re.MULTILINE)
    pod: dict[str, Any] = yaml.safe_load(text)["spec"]["template"]["spec"]
    return pod


def test_example__of_web__has_settings_secrets_and_memory_of_its_service() -> None:
    pod, web = _example(), services()["web"]
    (container,) = pod["containers"]
    given = {one["name"]: one.get("value") for one in container["env"]}
    wanted = {name: value for name, value in web["environment"].items() if value}
    assert given.keys() == wanted.keys() | {"POD_IP"}
    assert {k: v for k, v in given.items() if k not in OF_THE_CLUSTER} == {
        k: v for k, v in wanted.items() if k not in OF_THE_CLUSTER
    }
    (sources,) = [one["projected"]["sources"] for one in pod["volumes"] if "projected" in one]
    keys = [
        [item["key"] for item in one["secret"].get("items", [])] or _made()[one["secret"]["name"]] for one in sources
    ]
    assert sorted(key for each in keys for key in each) == sorted(web["secrets"])
    assert container["resources"]["limits"]["memory"] == web["mem_limit"].upper() + "i"


def test_example__of_web__has_the_rights_of_its_service() -> None:
    pod, user = _example(), account(services()["web"])
    of_pod, (container,) = pod["securityContext"], pod["containers"]
    assert {of_pod[name] for name in ("runAsUser", "runAsGroup", "fsGroup")} == {user}
    assert of_pod["runAsNonRoot"] is True
    assert of_pod["seccompProfile"] == {"type": "RuntimeDefault"}
    assert pod["automountServiceAccountToken"] is False
    assert container["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }
