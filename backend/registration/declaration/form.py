"""The text of a file against its form: keys, types, repetitions; each fault with its place and the remedy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rest_framework import serializers

from backend.registration.declaration.difference import Fault
from backend.registration.declaration.schema import FileSection
from backend.registration.declaration.uniqueness import repetitions
from backend.registration.declaration.yaml_text import DeclarationError, parse_yaml


def read_form(text: str) -> Mapping[str, Any]:
    """What the text gives, references as they stand; raises DeclarationError."""
    content = parse_yaml(text)
    form = FileSection(data={} if content is None else content)
    if not form.is_valid():
        raise DeclarationError(*_form_faults(form.errors))
    given: Mapping[str, Any] = form.validated_data
    if not given["clusters"] and not given["links"]:
        raise DeclarationError(Fault("", "The file declares nothing. List clusters, links or both."))
    problems = tuple(repetitions(given))
    if problems:
        raise DeclarationError(*problems)
    return given


_REMEDIES = {
    "required": "This key is missing. Add it.",
    "null": "This key has no value. Add one, or remove the key where it is optional.",
    "blank": "This is empty. Write a value.",
    "invalid": "Write text, in quotes if it looks like a number or a truth value.",
    "not_a_list": "Write a list: each entry begins with a dash.",
}


def _form_faults(detail: Any, path: str = "") -> Iterator[Fault]:
    """The errors of a serializer with places such as `clusters[0].nodes[1].port`."""
    if isinstance(detail, Mapping):
        for key, value in detail.items():
            name = f"[{key}]" if isinstance(key, int) else "" if key == "non_field_errors" else f".{key}"
            yield from _form_faults(value, f"{path}{name}".removeprefix("."))
    else:
        for error in detail:
            yield Fault(path, _sentence(error))


def _sentence(error: serializers.ErrorDetail) -> str:
    if str(error).startswith("Invalid data."):
        return "Write keys with values here, each on a line of its own."
    is_own = error.code == "invalid" and str(error) != serializers.CharField.default_error_messages["invalid"]
    return str(error) if is_own else _REMEDIES.get(error.code or "", str(error))
