"""docs/reference/two-person-effects.md: each function with an effect has its row, and each way to it is named."""

from __future__ import annotations

import pytest

from tests.backend.two_persons.effects import DOORS, NAMED, WITHOUT, Door, Effect
from tests.backend.two_persons.effects_page import PAGE, found_in_code, origins, page
from tests.support.names_of_tests import names_of_tests


def _is_without(function: str) -> bool:
    return any(function == one or function.startswith(f"{one}.") for one in WITHOUT)


def test_functions__that_have_an_effect__are_those_of_the_table() -> None:
    listed = {function for door in DOORS for function in door.functions}
    assert {one for one in found_in_code() if not _is_without(one)} | NAMED == listed


def test_functions__said_to_have_none__are_all_found() -> None:
    found = found_in_code()
    assert [one for one in WITHOUT if not any(name == one or name.startswith(f"{one}.") for name in found)] == []


@pytest.mark.parametrize("door", DOORS, ids=[door.functions[0] for door in DOORS])
def test_door__names_a_test_that_exists(door: Door) -> None:
    path, _, name = door.test.partition("::")
    assert name in names_of_tests(path)


def test_page__is_what_the_code_has() -> None:
    assert PAGE.read_text() == page(), "python -m tests.backend.two_persons.effects_page"


def test_origins__calls_commands_and_jobs__are_all_there() -> None:
    kinds = {name.partition(" ")[0] for name in origins()}
    assert {"GET", "POST", "PUT", "PATCH", "DELETE", "job", "hawser_user"} <= kinds
    assert {door.effect for door in DOORS} == set(Effect)
