"""docs/architecture.md: its layers are those that import-linter checks."""

from __future__ import annotations

import re
import tomllib

import pytest

from deploy.services.process import ROOT

PAGE = ROOT / "docs/architecture.md"
_CHAIN = re.compile(r"^  .* --> .*$", re.MULTILINE)
_NODE = re.compile(r"(\w+)(?:\[([^\]:]+)[^\]]*\])?")


def _checked_layers(container: str) -> list[set[str]]:
    """The layers of a package as pyproject.toml has them, highest first."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    layers = next(c["layers"] for c in contracts if c["type"] == "layers" and c["containers"] == [container])
    return [set(re.findall(r"\w+", layer)) for layer in layers]


def _drawn_layers(highest: str) -> list[set[str]]:
    """The layers of the diagram that has this one, from there on."""
    for chain in _CHAIN.findall(PAGE.read_text()):
        nodes = [_NODE.search(node) for node in re.split(r" -- .*? --> | --> ", chain.strip())]
        layers = [set(re.findall(r"\w+", node[2] or node[1])) for node in nodes if node]
        if any(highest in layer for layer in layers):
            return layers[next(i for i, layer in enumerate(layers) if highest in layer) :]
    raise AssertionError(f"no diagram shows {highest}")


@pytest.mark.parametrize(("container", "highest"), [("backend", "config"), ("backend.core", "reports")])
def test_layers__of_the_diagram__are_those_that_are_checked(container: str, highest: str) -> None:
    assert _drawn_layers(highest) == _checked_layers(container)
