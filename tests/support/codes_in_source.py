"""The codes that the source hands to its calls, read from the syntax tree: a catalogue is compared with them."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True)
class CodeCall:
    """One call that takes a code: the `function`, the call, the expression that gives the code, and the function
    or module around it (`scope`).
    """

    file: str
    function: str
    call: ast.Call
    code: ast.expr
    scope: ast.AST

    @property
    def literal(self) -> str | None:
        """The code, where it stands in the call; None where it is computed."""
        return self.code.value if isinstance(self.code, ast.Constant) and isinstance(self.code.value, str) else None

    @property
    def computed(self) -> tuple[str, str]:
        """The file and the text of the expression: the key of the test's table of computed codes."""
        return self.file, ast.unparse(self.code)


def code_calls(functions: Mapping[str, int], *, name_of_code: str = "code") -> Iterator[CodeCall]:
    """Every call below `backend` of one of these functions that gives a code, by keyword or at that position."""
    for name, file, call, scope in _calls(frozenset(functions)):
        if (code := _argument(call, name_of_code, functions[name])) is not None:
            yield CodeCall(file, name, call, code, scope)


@cache
def _calls(functions: frozenset[str]) -> tuple[tuple[str, str, ast.Call, ast.AST], ...]:
    """Every call below `backend` of one of these functions, with its file and its scope.

    Parsed once for all tests, and only where the text has such a name: most modules have none.
    """
    return tuple(
        (name, str(path.relative_to(ROOT)), node, scope)
        for path in sorted((ROOT / "backend").rglob("*.py"))
        if any(function in (text := path.read_text(encoding="utf-8")) for function in functions)
        for node, scope in _in_scopes(ast.parse(text))
        if isinstance(node, ast.Call) and (name := _name(node.func)) in functions
    )


def codes_of_source(functions: Mapping[str, int], computed: Mapping[tuple[str, str], Iterable[str]]) -> set[str]:
    """Every code that these calls give: those that stand in them, and those that the table lists as computed."""
    literal = {call.literal for call in code_calls(functions) if call.literal is not None}
    return literal | {code for codes in computed.values() for code in codes}


def computed_codes(functions: Mapping[str, int]) -> set[tuple[str, str]]:
    """The calls whose code does not stand in them, as keys of that table."""
    return {call.computed for call in code_calls(functions) if call.literal is None}


def _in_scopes(tree: ast.Module) -> Iterator[tuple[ast.AST, ast.AST]]:
    """Every node below it, with the innermost function (or the module) around it."""
    waiting: list[tuple[ast.AST, ast.AST]] = [(tree, tree)]
    while waiting:
        node, scope = waiting.pop()
        for child in ast.iter_child_nodes(node):
            yield child, scope
            is_function = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef)
            waiting.append((child, child if is_function else scope))


def _name(function: ast.expr) -> str:
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def _argument(call: ast.Call, name: str, position: int) -> ast.expr | None:
    named = keyword(call, name)
    if named is not None:
        return named
    return call.args[position] if 0 <= position < len(call.args) else None


def keyword(call: ast.Call, name: str) -> ast.expr | None:
    """The value of a keyword argument; None where it is not given."""
    return next((given.value for given in call.keywords if given.arg == name), None)
