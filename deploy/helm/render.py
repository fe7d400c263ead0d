"""Renders the chart with the values of tests/deploy/helm/values; tests check the result on machines without helm."""

from __future__ import annotations

import hashlib
from pathlib import Path

from deploy.services.process import ROOT, run

CHART = ROOT / "deploy/helm/hawser"
VALUES = ROOT / "tests/deploy/helm/values"
RENDERED = ROOT / "tests/deploy/helm/rendered"
RULES, RULES_COPY = ROOT / "deploy/monitoring/hawser.rules.yaml", CHART / "files/hawser.rules.yaml"
KUBERNETES = "1.37.0"
"""What the chart is rendered for, and by whose schemas the tests check it."""


def render(helm: str, values: Path) -> str:
    """What helm makes of the chart."""
    options = ["--namespace", "hawser", "--kube-version", KUBERNETES, "--values", str(values)]
    return run([helm, "template", "hawser", str(CHART), *options])


def heading(values: Path) -> str:
    """The first line of a rendered file: whether it is of the chart as it is now."""
    digest = hashlib.sha256()
    for path in [*sorted(path for path in CHART.rglob("*") if path.is_file()), values]:
        digest.update(str(path.relative_to(ROOT)).encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    return f"# Rendered by `make chart` from chart and values {digest.hexdigest()[:32]}\n"


def render_all(helm: str) -> None:
    """Copy the alert rules into the chart, and render it with each file of values."""
    RULES_COPY.write_bytes(RULES.read_bytes())
    RENDERED.mkdir(exist_ok=True)
    for values in sorted(VALUES.glob("*.yaml")):
        run([helm, "lint", "--strict", str(CHART), "--kube-version", KUBERNETES, "--values", str(values)])
        (RENDERED / values.name).write_text(heading(values) + render(helm, values))
        print(f"{values.stem}: linted and rendered")
