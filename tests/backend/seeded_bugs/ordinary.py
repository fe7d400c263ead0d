"""The ordinary test that guards a rule, called from another place than its own."""

from __future__ import annotations

import inspect
from importlib import import_module
from typing import Any

import pytest

from tests.backend.seeded_bugs.rule import OuterRule


def ordinary(rule: OuterRule, request: pytest.FixtureRequest, **instead: str) -> tuple[Any, dict[str, Any]]:
    """The test, and the fixtures that it asks for, as they are called in its module; `instead` of some, others."""
    module = import_module(rule.tested_in)
    request.session._fixturemanager.parsefactories(holder=module, node=request.node)
    test = getattr(module, rule.test)
    given = first_case(test)
    asked = [name for name in inspect.signature(test).parameters if name not in given]
    return test, given | {name: request.getfixturevalue(instead.get(name, name)) for name in asked}


def first_case(test: Any) -> dict[str, Any]:
    """The first of the parameters that the test is repeated with."""
    given: dict[str, Any] = {}
    for names, cases in (mark.args for mark in getattr(test, "pytestmark", []) if mark.name == "parametrize"):
        case = next(iter(cases))
        given |= {names: case} if isinstance(names, str) else dict(zip(names, case, strict=True))
    return given
