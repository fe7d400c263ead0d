from __future__ import annotations

import ast

from deploy.services.process import ROOT


def test_imports__of_a_test_module__none() -> None:
    """What two of them share stands in a module of its own; import-linter has no pattern for a part of a name."""
    found = []
    for path in (ROOT / "tests").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Import | ast.ImportFrom):
                names = [f"{getattr(node, 'module', '')}.{alias.name}" for alias in node.names]
                found += [f"{path}:{node.lineno}" for name in names if ".test_" in f".{name}"]
    assert not found
