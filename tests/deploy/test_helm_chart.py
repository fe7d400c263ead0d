"""The chart, as helm rendered it: valid for a current Kubernetes, no right too many, as the compose file has it."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml

from deploy.helm import program, render
from deploy.services.process import ROOT, ServiceError, run
from tests.deploy import freed_memory
from tests.deploy.compose import services
from tests.deploy.helm_rules import OF_SIGN_IN, PROCESSES, Object, folder_of_files, pods, secrets_of, weaknesses
from tests.deploy.rendered_chart import by_kind, objects
from tests.deploy.skips import needs_helm

VARIANTS = sorted(path.stem for path in render.VALUES.glob("*.yaml"))
SETTINGS = set(
    re.findall(r"^\| `(HAWSER_\w+)` \|", (ROOT / "docs/reference/configuration.md").read_text(), re.MULTILINE)
)
OF_FILES = ("_FILE", "_CERTFILE", "_KEYFILE")
OF_UVICORN = {"UVICORN_SSL_CERTFILE", "UVICORN_SSL_KEYFILE", "UVICORN_SSL_CIPHERS"}
OIDC_CA = "/run/secrets/files/oidc_ca.pem"
# Their own schemas are the operator's, not Kubernetes'.
OF_PROMETHEUS = {"ServiceMonitor", "PrometheusRule"}


# --- rendered ---


@pytest.mark.parametrize("variant", VARIANTS)
def test_rendered__first_line__is_of_the_chart_as_it_is(variant: str) -> None:
    stated = (render.RENDERED / f"{variant}.yaml").read_text().partition("\n")[0] + "\n"
    assert stated == render.heading(render.VALUES / f"{variant}.yaml"), "run `make chart`"


@needs_helm
@pytest.mark.parametrize("variant", VARIANTS)
def test_rendered__by_helm_again__is_the_same(variant: str) -> None:
    helm, values = program.installed(), render.VALUES / f"{variant}.yaml"
    assert helm is not None
    assert render.heading(values) + render.render(helm, values) == (render.RENDERED / f"{variant}.yaml").read_text()


@needs_helm
@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        (["hostnames=null"], "hostnames"),
        (["bogus=1"], "bogus"),
        (["web.replicas=-1"], "minimum"),
        (["secrets.audit_key.name="], "audit_key"),
        (["settings.HAWSER_SECRET_KEY=x"], "settings"),
        (["settings.HAWSER_SECRET_KEY_FALLBACKS=x"], "settings"),
        (["settings.HAWSER_DATABASE_URL=x"], "settings"),
        (["settings.HAWSER_OIDC_CLIENT_SECRET=x"], "settings"),
        (["settings.HAWSER_LDAP_BIND_PASSWORD=x"], "settings"),
        (["settings.HAWSER_DEBUG=yes"], "settings"),
        (["migrate.account=a' b"], "account"),
        (["ingress.enabled=true", "settings.HAWSER_METRICS_PUBLIC='1'"], ""),
    ],
)
def test_values__that_are_wrong__refused_by_helm(settings: list[str], reason: str) -> None:
    given = [option for setting in settings for option in ("--set", setting)]
    values = ["--values", str(render.VALUES / "minimal.yaml"), "--kube-version", render.KUBERNETES]
    if not reason:
        given = ["--set", "ingress.enabled=true", "--set-string", "settings.HAWSER_METRICS_PUBLIC=1"]
    with pytest.raises(ServiceError, match=reason or "would show the metrics to the world"):
        run([str(program.installed()), "template", "hawser", str(render.CHART), *values, *given])


@pytest.mark.parametrize("variant", VARIANTS)
def test_objects__by_the_schemas_of_kubernetes__are_valid_and_known(variant: str) -> None:
    version = render.KUBERNETES.rpartition(".")[0]
    for one in objects(variant):
        if one["kind"] not in OF_PROMETHEUS:
            kubernetes_validate.validate(one, version, strict=True)


def test_objects__with_a_wrong_key__are_not_valid() -> None:
    wrong = copy.deepcopy(by_kind("minimal", "Deployment")[0])
    wrong["spec"]["template"]["spec"]["containers"][0]["readonlyRootFilesystem"] = True
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(wrong, render.KUBERNETES.rpartition(".")[0], strict=True)


@pytest.mark.parametrize("variant", VARIANTS)
def test_objects__names_and_labels__are_unique_and_of_the_release(variant: str) -> None:
    names = [(one["kind"], one["metadata"]["name"]) for one in objects(variant)]
    assert len(names) == len(set(names))
    for one in objects(variant):
        assert one["metadata"]["labels"]["app.kubernetes.io/instance"] == "hawser"


def test_variants__minimal_and_all__differ_by_the_optional_kinds() -> None:
    kinds = {variant: {one["kind"] for one in objects(variant)} for variant in VARIANTS}
    always = {"Deployment", "Job", "Service"}
    assert kinds["nothing-optional"] == always
    assert kinds["minimal"] == always | {"PodDisruptionBudget", "ServiceAccount"}
    assert kinds["all"] == kinds["minimal"] | {"Ingress", "NetworkPolicy", *OF_PROMETHEUS}


# --- rights and secrets ---


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("process", PROCESSES)
def test_pod__rights__are_none_too_many(variant: str, process: str) -> None:
    assert weaknesses(pods(objects(variant))[process]) == []


def _without(*path: str) -> Callable[[Object], None]:
    def change(pod: Object) -> None:
        part: Any = pod["containers"][0] if path[0] == "container" else pod
        *parents, last = [name for name in path if name != "container"]
        for name in parents:
            part = part[name]
        del part[last]

    return change


@pytest.mark.parametrize(
    "path",
    [
        ("securityContext", "runAsNonRoot"),
        ("securityContext", "runAsUser"),
        ("securityContext", "seccompProfile"),
        ("automountServiceAccountToken",),
        ("container", "securityContext", "allowPrivilegeEscalation"),
        ("container", "securityContext", "readOnlyRootFilesystem"),
        ("container", "securityContext", "capabilities"),
        ("container", "resources", "limits"),
        ("container", "securityContext"),
        ("securityContext",),
    ],
    ids=".".join,
)
def test_rules__a_line_of_the_chart_removed__is_noticed(path: tuple[str, ...]) -> None:
    pod = copy.deepcopy(pods(objects("minimal"))["web"])
    _without(*path)(pod)
    assert weaknesses(pod)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("process", PROCESSES)
def test_pod__secrets__are_those_of_its_compose_service(variant: str, process: str) -> None:
    wanted = set(services()[process]["secrets"])
    if variant != "all":
        wanted -= {"web_push_key"}
    elif process in ("web", "monitor"):
        wanted |= OF_SIGN_IN
    pod = pods(objects(variant))[process]
    assert set(secrets_of(pod)) == wanted
    files = {v["value"] for v in pod["containers"][0]["env"] if v["name"].endswith(OF_FILES)} - {OIDC_CA}
    assert files == {f"/run/secrets/hawser/{name}" for name in wanted}


@pytest.mark.parametrize("process", PROCESSES)
def test_pod__folder_of_files__is_there_where_it_is_named_and_never_for_the_job(process: str) -> None:
    wanted = "" if process == "migrate" else "hawser-files"
    assert folder_of_files(pods(objects("all"))[process]) == wanted
    assert folder_of_files(pods(objects("minimal"))[process]) == ""


def test_secrets__of_the_schemas_owner__are_in_a_secret_that_only_the_job_reads() -> None:
    used = {process: set(secrets_of(pod).values()) for process, pod in pods(objects("minimal")).items()}
    assert "hawser-migrate" in used.pop("migrate")
    assert not any("hawser-migrate" in names for names in used.values())


@pytest.mark.parametrize("variant", VARIANTS)
def test_objects__secrets__are_named_and_none_is_made(variant: str) -> None:
    assert not by_kind(variant, "Secret")
    assert "stringData" not in (render.RENDERED / f"{variant}.yaml").read_text()


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("process", PROCESSES)
def test_pod__environment__has_known_settings_once_and_no_secret(variant: str, process: str) -> None:
    names = [one["name"] for one in pods(objects(variant))[process]["containers"][0]["env"]]
    assert len(names) == len(set(names))
    further = {name.removesuffix("_FILE") for name in set(names) - SETTINGS} - {"POD_IP"} - OF_UVICORN
    assert further - set(freed_memory.SETTINGS) <= SETTINGS
    assert (set(names) >= OF_UVICORN) is (process == "web")
    assert names.index("POD_IP") < names.index("HAWSER_ALLOWED_HOSTS")


# --- as in the compose file ---


@pytest.mark.parametrize("process", PROCESSES)
def test_pod__command__is_that_of_its_compose_service(process: str) -> None:
    ours = pods(objects("minimal"))[process]["containers"][0].get("command")
    wanted = services()[process].get("command")
    assert _one_line(ours) == _one_line(wanted)


def _one_line(command: list[str] | None) -> str:
    return re.sub(r"\s+", " ", " ".join(command or [])).strip()


@pytest.mark.parametrize("process", ["web", "worker", "monitor"])
def test_pod__time_to_end__is_that_of_its_compose_service(process: str) -> None:
    grace = pods(objects("minimal"))[process]["terminationGracePeriodSeconds"]
    assert f"{grace}s" == services()[process]["stop_grace_period"]


@pytest.mark.parametrize("process", PROCESSES)
def test_pod__limit_of_memory__is_that_of_its_compose_service(process: str) -> None:
    limit = pods(objects("minimal"))[process]["containers"][0]["resources"]["limits"]["memory"]
    assert limit.removesuffix("i").lower() == services()[process]["mem_limit"]


def test_probes__of_each_process__ask_what_the_compose_file_asks() -> None:
    made = {process: pod["containers"][0] for process, pod in pods(objects("minimal")).items()}
    for probe in ("livenessProbe", "readinessProbe", "startupProbe"):
        assert (made["web"][probe]["httpGet"]["path"], made["web"][probe]["httpGet"]["scheme"]) == ("/healthz", "HTTPS")
    assert "/healthz" in " ".join(services()["web"]["healthcheck"]["test"])
    assert made["worker"]["readinessProbe"]["exec"]["command"] == services()["worker"]["healthcheck"]["test"][1:]
    asked = made["monitor"]["readinessProbe"]["exec"]["command"][-1].replace("hawser-web:8000", "web:8000")
    assert asked.split() == services()["monitor"]["healthcheck"]["test"][-1].split()
    # A restart repairs neither a database nor a Redis that is away, and would interrupt runs.
    assert not any("livenessProbe" in made[process] for process in ("worker", "monitor", "migrate"))


# --- what an operator relies on ---


def test_deployments__of_the_minimal_values__are_two_of_each_on_two_machines() -> None:
    for one in by_kind("minimal", "Deployment"):
        assert one["spec"]["replicas"] == 2
        (term,) = one["spec"]["template"]["spec"]["affinity"]["podAntiAffinity"].values()
        assert term[0]["podAffinityTerm"]["labelSelector"]["matchLabels"] == one["spec"]["selector"]["matchLabels"]
        # Replaced one after the other, as the page about upgrades says.
        assert one["spec"]["strategy"]["rollingUpdate"] == {"maxSurge": 0, "maxUnavailable": 1}


@pytest.mark.parametrize("variant", VARIANTS)
def test_selectors__of_services_budgets_and_policies__find_the_pods_of_one_process(variant: str) -> None:
    labels = {
        one["metadata"]["name"]: one["spec"]["template"]["metadata"]["labels"]
        for one in objects(variant)
        if one["kind"] in {"Deployment", "Job"}
    }
    for one in objects(variant):
        selector = one.get("spec", {}).get("selector", one.get("spec", {}).get("podSelector"))
        if one["kind"] in {"Service", "PodDisruptionBudget", "NetworkPolicy", "Deployment"}:
            wanted = selector.get("matchLabels", selector)
            assert [n for n, has in labels.items() if wanted.items() <= has.items()] == [
                f"hawser-{wanted['app.kubernetes.io/component']}"
            ]


def test_job__of_the_schema__runs_before_installation_and_upgrade_with_an_account_that_is_there() -> None:
    (job,) = by_kind("minimal", "Job")
    assert job["metadata"]["annotations"]["helm.sh/hook"] == "pre-install,pre-upgrade"
    assert job["spec"]["template"]["spec"]["serviceAccountName"] == "default"


def test_network_policies__of_all_values__let_nobody_in_but_named_peers_to_web() -> None:
    policies = {one["metadata"]["name"]: one["spec"] for one in by_kind("all", "NetworkPolicy")}
    assert set(policies) == {f"hawser-{process}" for process in PROCESSES}
    for name, spec in policies.items():
        assert spec["policyTypes"] == ["Ingress", "Egress"]
        assert bool(spec["ingress"]) is (name == "hawser-web")
    (rule,) = policies["hawser-web"]["ingress"]
    assert len(rule["from"]) == 3
    assert all(rule["from"])


def test_alert_rules__of_the_chart__are_those_of_the_project() -> None:
    assert render.RULES_COPY.read_bytes() == render.RULES.read_bytes()
    (rule,) = by_kind("all", "PrometheusRule")
    assert rule["spec"] == yaml.safe_load(render.RULES.read_text())


def test_service_monitor__of_all_values__has_a_token_and_finds_one_service() -> None:
    (monitor,) = by_kind("all", "ServiceMonitor")
    assert monitor["spec"]["endpoints"][0]["authorization"]["credentials"] == {"name": "hawser-metrics", "key": "token"}
    wanted = monitor["spec"]["selector"]["matchLabels"].items()
    found = [
        one["metadata"]["name"] for one in by_kind("all", "Service") if wanted <= one["metadata"]["labels"].items()
    ]
    assert found == ["hawser-web"]


# --- values ---


def _leaves(schema: Object, values: Any, path: str) -> list[str]:
    """Keys of the schema without a description, or whose default is not the value of values.yaml."""
    wrong = [] if schema.get("description") else [f"{path}: no description"]
    if "properties" not in schema:
        return wrong + ([] if schema.get("default") == values else [f"{path}: default {schema.get('default')!r}"])
    if set(schema["properties"]) != set(values) or schema.get("additionalProperties") is not False:
        wrong.append(f"{path}: other keys than values.yaml")
    return wrong + [
        found for key, part in schema["properties"].items() for found in _leaves(part, values.get(key), f"{path}.{key}")
    ]


def test_schema__every_key_of_the_values__has_its_default_and_a_description() -> None:
    schema = json.loads((render.CHART / "values.schema.json").read_text())
    values = yaml.safe_load((render.CHART / "values.yaml").read_text())
    # Helm gives it to every chart.
    del schema["properties"]["global"]
    assert _leaves({**schema, "description": "values"}, values, "values") == []


def test_all_values__every_part_of_the_values__is_in_them() -> None:
    used = yaml.safe_load((render.VALUES / "all.yaml").read_text())
    assert set(yaml.safe_load((render.CHART / "values.yaml").read_text())) == set(used)


def test_chart__files_of_it__are_known() -> None:
    names = {str(path.relative_to(render.CHART)) for path in render.CHART.rglob("*") if path.is_file()}
    assert {name for name in names if not name.startswith("templates/")} == {
        *(".helmignore", "Chart.yaml", "values.yaml", "values.schema.json", "files/hawser.rules.yaml")
    }
    assert Path(render.CHART / "templates/NOTES.txt").read_text().startswith("Hawser {{ .Chart.AppVersion }}")
