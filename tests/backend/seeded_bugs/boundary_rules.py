"""Rules of the console's boundary: what it takes in, whom it calls, what it lets its broker tell it."""

from __future__ import annotations

from tests.backend.seeded_bugs.rule import OuterRule

BOUNDARY_RULES = (
    OuterRule(
        "a_cursor_is_of_its_columns_type",
        "backend.common.rest.pagination",
        "    if not is_fit:\n",
        "    if False:\n",
        "tests.api.test_cursors::test_cursor__of_the_wrong_type__400_naming_it_on_every_paginated_endpoint",
        "a viewer makes errors of the server at will",
    ),
)
