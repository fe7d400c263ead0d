"""A module of the console whose functions run a changed text for a while; models and importers stay as they are."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Iterator
from contextlib import contextmanager
from types import CodeType, FunctionType, ModuleType
from typing import Any

from tests.backend.seeded_bugs.rule import OuterRule


@contextmanager
def taken_out(rule: OuterRule) -> Iterator[None]:
    """The rule's functions without it, for the time of the block."""
    module = importlib.import_module(rule.module)
    text = inspect.getsource(module)
    assert text.count(rule.text) == 1, f"{rule.text!r} stands {text.count(rule.text)} times in {rule.module}"
    codes = {code.co_qualname: code for code in _codes(_compiled(module, text.replace(rule.text, rule.without)))}
    before = {code.co_qualname: code for code in _codes(_compiled(module, text))}
    changed = [f for f in _functions(module) if _does(codes[_name(f)]) != _does(before[_name(f)])]
    assert changed, f"{rule.name}: no function of {rule.module} changes"
    real = {function: function.__code__ for function in changed}
    try:
        for function in changed:
            function.__code__ = codes[_name(function)]
        yield
    finally:
        for function, code in real.items():
            function.__code__ = code


def _compiled(module: ModuleType, text: str) -> CodeType:
    return compile(text, str(module.__file__), "exec", dont_inherit=True)


def _codes(code: CodeType) -> Iterator[CodeType]:
    for const in code.co_consts:
        if isinstance(const, CodeType):
            yield const
            yield from _codes(const)


def _name(function: FunctionType) -> str:
    return function.__code__.co_qualname


def _does(code: CodeType) -> tuple[Any, ...]:
    """What a function does, wherever its lines stand."""
    consts = tuple(_does(c) if isinstance(c, CodeType) else c for c in code.co_consts)
    return code.co_code, code.co_names, consts


def _functions(module: ModuleType) -> Iterator[FunctionType]:
    """Of the module and of its classes, below their decorators."""
    owners = [module, *(c for c in vars(module).values() if inspect.isclass(c) and c.__module__ == module.__name__)]
    for owner in owners:
        for one in vars(owner).values():
            inner = inspect.unwrap(one) if callable(one) else getattr(one, "fget", None)
            if isinstance(inner, FunctionType) and inner.__code__.co_filename == module.__file__:
                yield inner
