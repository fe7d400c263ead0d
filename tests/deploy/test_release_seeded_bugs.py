"""Each rule of a release and of the chart, taken out: the test that guards it turns red."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from deploy.helm import program, render
from tests.backend.seeded_bugs.ordinary import ordinary
from tests.backend.seeded_bugs.removing import taken_out
from tests.backend.seeded_bugs.rule import OuterRule
from tests.deploy.compose import services
from tests.deploy.helm_rules import OF_SIGN_IN, PROCESSES, Object, pods, secrets_of, weaknesses
from tests.deploy.skips import needs_helm

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

RED = (AssertionError, pytest.fail.Exception)
ON_TREE, ON_CONTENTS, ON_BILLS = (f"tests.deploy.test_release_{name}" for name in ("tree", "contents", "bills"))
RULES = (
    OuterRule(
        "a_dirty_tree_is_no_release",
        "deploy.release.__main__",
        "            require_clean(tree)",
        "            pass",
        f"{ON_TREE}::test_command__dirty_tree__says_so_and_builds_nothing",
        "an archive is published that no commit describes",
    ),
    OuterRule(
        "a_new_file_makes_a_tree_dirty",
        "deploy.release.tree",
        "--untracked-files=all",
        "--untracked-files=no",
        f"{ON_TREE}::test_command__dirty_tree__says_so_and_builds_nothing",
        "a forgotten module is in the archive and in no commit",
    ),
    OuterRule(
        "what_git_ignores_stays_out",
        "deploy.release.tree",
        '"--exclude-standard", ',
        "",
        f"{ON_CONTENTS}::test_archive__a_secret_beside_the_compose_file__stays_out",
        "the secrets of the one who builds are published",
    ),
    OuterRule(
        "a_part_that_is_not_there_is_refused",
        "deploy.release.contents",
        "    if missing:",
        "    if False:",
        f"{ON_TREE}::test_entries__a_part_that_is_not_there__refused_with_its_name",
        "an archive without its units or settings is published",
    ),
    OuterRule(
        "an_archive_has_sorted_names",
        "deploy.release.archive",
        "sorted(entries)",
        "entries",
        f"{ON_CONTENTS}::test_write_archive__other_order_name_and_folder__same_bytes",
        "two builds of one commit differ, and it is unknown why",
    ),
    OuterRule(
        "a_bill_that_breaks_its_schema_is_refused",
        "deploy.release.materials",
        "    if error is not None:",
        "    if False:",
        f"{ON_BILLS}::test_bill__that_breaks_the_schema__refused",
        "a bill is published that no tool reads",
    ),
    OuterRule(
        "a_folder_with_other_files_is_left_alone",
        "deploy.release.build",
        "    if out.exists() and",
        "    if False and",
        f"{ON_TREE}::test_build__folder_with_other_files__refused_and_left_alone",
        "--out with a wrong folder removes what is in it",
    ),
)  # fmt: skip


@pytest.mark.parametrize("rule", [pytest.param(rule, id=rule.name) for rule in RULES])
def test_rule__taken_out__its_ordinary_test_is_red(rule: OuterRule, request: pytest.FixtureRequest) -> None:
    test, given = ordinary(rule, request)
    test(**given)
    with taken_out(rule), pytest.raises((*RED, FileNotFoundError, KeyError)):
        test(**given)


# --- the chart: a line of its templates replaced, and rendered by helm ---


def _weak_pods(objects: list[Object]) -> Any:
    return [found for process in PROCESSES for found in weaknesses(pods(objects)[process])]


def _further_secrets(objects: list[Object]) -> Any:
    return [
        (process, name)
        for process in PROCESSES
        for name in set(secrets_of(pods(objects)[process])) - set(services()[process]["secrets"]) - OF_SIGN_IN
    ]


def _open_policies(objects: list[Object]) -> Any:
    policies = [one for one in objects if one["kind"] == "NetworkPolicy"]
    return [one for one in policies if one["spec"].get("ingress", [{}]) and one["metadata"]["name"] != "hawser-web"]


HELPERS = "_helpers.tpl"


@needs_helm
@pytest.mark.parametrize(
    ("template", "line", "without", "finds"),
    [
        (HELPERS, "  readOnlyRootFilesystem: true\n", "", _weak_pods),
        (HELPERS, "  allowPrivilegeEscalation: false\n", "", _weak_pods),
        (HELPERS, "  capabilities: { drop: [ALL] }\n", "", _weak_pods),
        (HELPERS, "  runAsNonRoot: true\n", "", _weak_pods),
        (HELPERS, "  runAsUser: 10001\n", "  runAsUser: 0\n", _weak_pods),
        (HELPERS, "  seccompProfile: { type: RuntimeDefault }\n", "", _weak_pods),
        (HELPERS, "automountServiceAccountToken: false\n", "", _weak_pods),
        (HELPERS, "defaultMode: 0440\n      sources:\n", "defaultMode: 0444\n      sources:\n", _weak_pods),
        (HELPERS, "monitor: [credentials_key, ", "monitor: [secret_key, credentials_key, ", _further_secrets),
        (HELPERS, "web: [secret_key, ", "web: [migrate_database_url, secret_key, ", _further_secrets),
        ("network-policies.yaml", "  ingress: []\n", "  ingress: [{}]\n", _open_policies),
    ],
)
def test_chart__a_line_of_a_template_replaced__is_noticed(
    template: str, line: str, without: str, finds: Callable[[list[Object]], Any], tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    chart = tmp_path / "hawser"
    shutil.copytree(render.CHART, chart)
    text = (chart / "templates" / template).read_text()
    assert text.count(line) == 1
    (chart / "templates" / template).write_text(text.replace(line, without))
    helm, values = str(program.installed()), render.VALUES / "all.yaml"
    assert not finds(_objects(render.render(helm, values)))
    monkeypatch.setattr(render, "CHART", chart)
    assert finds(_objects(render.render(helm, values)))


def _objects(rendered: str) -> list[Object]:
    return [one for one in yaml.safe_load_all(rendered) if one]
