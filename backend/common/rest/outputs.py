"""Derives the serializer of an output from its dataclass, which alone says names, types, nulls and help texts.

A field is annotated with its type, or with `Annotated[TYPE, "help text"]`. The name of the class is the name of the
component, unless the class states another as `component`, and its docstring the description. A name that Python
reserves ends with an underscore: `from_`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import datetime
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from rest_framework import serializers

from backend.common.rest.serializers import ShapeSerializer
from backend.core.estimates import Rounded

T = TypeVar("T")
Field = serializers.Field[Any, Any, Any, Any]
_PLAIN: Final[Mapping[Any, type[Field]]] = {
    Any: serializers.JSONField,
    bool: serializers.BooleanField,
    datetime: serializers.DateTimeField,
    float: serializers.FloatField,
    int: serializers.IntegerField,
    str: serializers.CharField,
}


class RoundedField(serializers.FloatField):
    """A number to so many digits after the point."""

    def __init__(self, *, digits: int, **options: Any) -> None:
        super().__init__(**options)
        self.digits = digits

    def to_representation(self, value: Any) -> Any:
        """Round it."""
        return round(float(value), self.digits)


def filled(output: type[T], *sources: object, **own: Any) -> T:
    """An output from `own` values, and of the other fields from the first source with an attribute of the name."""
    names = [one.name for one in fields(output) if one.name not in own]  # type: ignore[arg-type]
    found = {name: next((of for of in sources if hasattr(of, name)), sources[-1]) for name in names}
    return output(**own, **{name: getattr(source, name) for name, source in found.items()})


def is_output(kind: Any) -> bool:
    """Whether it is the dataclass of an output."""
    return is_dataclass(kind)


def serializer_of(output: Any) -> type[serializers.Serializer[Any]]:
    """The serializer of a dataclass; a serializer is its own."""
    return _derived(output) if is_output(output) else output


@cache
def _derived(output: Any) -> type[serializers.Serializer[Any]]:
    hints = get_type_hints(output, include_extras=True)
    names = {one.name.rstrip("_"): one.name for one in fields(output)}
    shown = {name: _field(hints[of], **({} if name == of else {"source": of})) for name, of in names.items()}
    about = {"__doc__": output.__doc__, "__module__": output.__module__}
    name = getattr(output, "component", output.__name__)
    return type(f"{name}Serializer", (ShapeSerializer,), {**about, **shown})


def _field(hint: Any, **options: Any) -> Field:
    """The field of a type; ValueError or KeyError of one that has none."""
    kinds, notes = _parts(hint)
    if texts := [note for note in notes if isinstance(note, str)]:
        options["help_text"] = texts[0]
    if NoneType in kinds:
        options["allow_null"] = True
        kinds.remove(NoneType)
    if choices := [value for kind in kinds for value in _choices(kind)]:
        return serializers.ChoiceField(choices=choices, allow_blank="" in choices, **options)
    (kind,) = kinds
    if is_output(kind):
        return serializer_of(kind)(**options)
    if get_origin(kind) in (tuple, list, Sequence):
        return _list(get_args(kind)[0], options)
    if get_origin(kind) in (dict, Mapping):
        if (value := get_args(kind)[1]) is not Any:
            options["child"] = _field(value)
        return serializers.DictField(**options)
    digits = next((note.digits for note in notes if isinstance(note, Rounded)), None)
    return _PLAIN[kind](**options) if digits is None else RoundedField(digits=digits, **options)


def _list(item: Any, options: dict[str, Any]) -> Field:
    if is_output(item):
        return serializer_of(item)(many=True, **options)
    return serializers.ListField(child=_field(item), **options)


def _parts(hint: Any) -> tuple[list[Any], list[Any]]:
    """The types of a union, and the notes on it and on each of them."""
    if get_origin(hint) is Annotated:
        kinds, notes = _parts(hint.__origin__)
        return kinds, [*notes, *hint.__metadata__]
    if get_origin(hint) in (Union, UnionType):
        found = [_parts(part) for part in get_args(hint)]
        return [kind for kinds, _ in found for kind in kinds], [note for _, notes in found for note in notes]
    return [hint], []


def _choices(kind: Any) -> Sequence[str]:
    if get_origin(kind) is Literal:
        return get_args(kind)
    return [one.value for one in kind] if isinstance(kind, type) and issubclass(kind, Enum) else []
