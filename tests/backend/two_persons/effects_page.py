"""The page of effects, made from the code: `python -m tests.backend.two_persons.effects_page` writes it."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from textwrap import wrap
from typing import Any

import django
from django.conf import settings
from django.core.management import get_commands, load_command_class

from deploy.services.process import ROOT
from tests.backend.two_persons.effects import CALLED, DOORS, MADE, WRITTEN, Effect
from tests.support.call_graph import reached_from

PAGE = ROOT / "docs/reference/two-person-effects.md"
_HEAD = """# What needs two persons, and every way to it

For auditors. What nobody should have alone, by the calls, commands and jobs that lead to it, and what keeps one person
from it there. Generated from the code by `python -m tests.backend.two_persons.effects_page`; do not edit. A way counts
where the code of a call mentions a function with the effect: rather a way too many than one less. A *change* is a
protected one, which takes effect when another administrator confirms it, or after its waiting time.
"""
TASKS = (
    "operations.runs.tasks.drive_run",
    "operations.incidents.tasks.plan_item",
    "operations.incidents.tasks.start_item",
    "operations.rehearsals.tasks.rehearse",
    "notifications.hooks.tasks.deliver_due",
    "notifications.web_push.tasks.deliver_due",
)
"""Of workers."""
_METHODS = ("get", "post", "put", "patch", "delete")


@cache
def found_in_code() -> frozenset[str]:
    """The functions that write, make or call what has an effect, below `backend.`."""
    found: set[str] = set()
    for path in sorted((ROOT / "backend").rglob("*.py")):
        module = path.relative_to(ROOT / "backend").with_suffix("")
        text = "" if {"migrations", "core", "tests"} & set(module.parts) else path.read_text()
        if any(name in text for name in ("shows_rows", ".update(", *CALLED, *MADE, *WRITTEN)):
            found |= {f"{'.'.join(module.parts)}.{name}" for name in _functions(ast.parse(text))}
    return frozenset(found)


def _functions(tree: ast.AST, outer: tuple[str, ...] = ()) -> Iterator[str]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            name = (*outer, node.name)
            if not isinstance(node, ast.ClassDef) and not node.name.startswith("_") and _shows_rows(node):
                yield ".".join(name)
            yield from _functions(node, name)
        else:
            if outer and _has_effect(node):
                yield ".".join(outer)
            yield from _functions(node, outer)


def _shows_rows(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return any(one.arg == "shows_rows" for one in function.args.kwonlyargs)


def _has_effect(node: ast.AST) -> bool:
    if isinstance(node, ast.Assign):
        targets = [one for target in node.targets for one in getattr(target, "elts", [target])]
        return any(isinstance(one, ast.Attribute) and one.attr in WRITTEN and not _is_own(one) for one in targets)
    if not isinstance(node, ast.Call):
        return False
    function = node.func
    if isinstance(function, ast.Name):
        return function.id in CALLED | MADE
    if not isinstance(function, ast.Attribute):
        return False
    of = ast.unparse(function.value)
    is_written = (
        function.attr == "update" and "filter(" in of and bool({one.arg for one in node.keywords} & {None, *WRITTEN})
    )
    is_made = function.attr in {"create", "bulk_create", "get_or_create", "delete"} and of.partition(".")[0] in MADE
    is_member = function.attr in {"set", "add"} and of.rpartition(".")[2] in WRITTEN
    return function.attr in CALLED or is_written or is_made or is_member


def _is_own(attribute: ast.Attribute) -> bool:
    return isinstance(attribute.value, ast.Name) and attribute.value.id == "self"


@cache
def origins() -> dict[str, Any]:
    """What begins something: calls, commands, jobs and tasks, by the name that the page gives them."""
    from backend.identity.accounts.protected_changes import _HANDLERS as HANDLERS
    from tests.support.routes import tabled_routes

    calls = {
        f"{method.upper()} {route.address_in_table}": getattr(route.view, method)
        for route in tabled_routes()
        for method in _METHODS
        if hasattr(route.view, method)
    }
    names = (name for name, app in get_commands().items() if str(app).startswith("backend."))
    commands = {name: type(load_command_class(str(get_commands()[name]), name)) for name in names}
    jobs = {f"job {path.removeprefix('backend.')}": _imported(path) for path in _jobs()}
    changes = {f"change {kind}, confirmed": handler.apply for kind, handler in HANDLERS.items()}
    rejected = {f"change {kind}, rejected": handler.reject for kind, handler in HANDLERS.items()}
    return {**calls, **commands, **jobs, **changes, **rejected}


def _jobs() -> Iterator[str]:
    """Of the monitor, by the settings that name them, and tasks of a worker."""
    for name in dir(settings):
        if name.startswith("HAWSER_") and name.endswith(("_JOBS", "_JOBS_AFTER_LOOK")):
            yield from getattr(settings, name)
    yield from (f"backend.{path}" for path in TASKS)


def _imported(path: str) -> Any:
    module, _, name = path.rpartition(".")
    found = getattr(import_module(module), name)
    return getattr(found, "run", found)


def page() -> str:
    """The whole page."""
    reached = {name: reached_from(start) for name, start in origins().items()}
    return "\n".join([_HEAD, *(line for effect in Effect for line in _section(effect, reached))])


def _section(effect: Effect, reached: Mapping[str, set[str]]) -> Iterator[str]:
    yield from [f"## {effect.value.capitalize()}", ""]
    for door in DOORS:
        if door.effect is effect:
            ways = [n for n, names in reached.items() if any(f"backend.{one}" in names for one in door.functions)]
            yield from [*wrap(door.kept_by, 120), "", f"Shown by `{door.test}`", ""]
            yield from [*(f"- `{way}`" for way in sorted(ways)), ""]


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "backend.config.settings")
    django.setup()
    PAGE.write_text(page())
