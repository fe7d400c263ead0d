from __future__ import annotations

import ast
import re

from deploy.services.process import ROOT

IMPORT_OF_A_TEST = re.compile(r"^\s*(?:from|import)\b[^\n(]*(?:\([^)]*)?(?<!\w)test_", re.MULTILINE)
"""What the text of such an import looks like: hardly any other module needs to be parsed."""


def test_imports__of_a_test_module__none() -> None:
    """What two of them share stands in a module of its own; import-linter has no pattern for a part of a name."""
    found = []
    for path in (ROOT / "tests").rglob("*.py"):
        text = path.read_text()
        for node in ast.walk(ast.parse(text)) if IMPORT_OF_A_TEST.search(text) else ():
            if isinstance(node, ast.Import | ast.ImportFrom):
                names = [f"{getattr(node, 'module', '')}.{alias.name}" for alias in node.names]
                found += [f"{path}:{node.lineno}" for name in names if ".test_" in f".{name}"]
    assert not found
