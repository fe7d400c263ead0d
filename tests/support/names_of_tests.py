"""Names of tests that pages give, read and not run."""

from __future__ import annotations

import ast
from functools import cache

from deploy.services.process import ROOT


@cache
def names_of_tests(path: str) -> frozenset[str]:
    """Names of the tests that a file defines; none where there is no such file."""
    file = ROOT / path
    if not file.is_file():
        return frozenset()
    return frozenset(
        node.name
        for node in ast.parse(file.read_text()).body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    )
