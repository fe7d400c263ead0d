"""The terms that the console explains are those of the glossary."""

from __future__ import annotations

from tests.backend.glossary_terms import TERMS, definitions, written

PAGE = """# Glossary

- **fence**: to stop
  writes (`read_only`).
- **orphan**, **errant transaction**: one: two.

Details
- **Xid, seqno**: a number.
"""


def test_definitions__names_and_lines__each_name_with_one_line() -> None:
    assert definitions(PAGE) == {
        "fence": "to stop writes (`read_only`).",
        "orphan": "one: two.",
        "errant transaction": "one: two.",
        "Xid": "a number.",
        "seqno": "a number.",
    }


def test_terms_of_the_console__now__as_the_glossary_defines_them() -> None:
    assert TERMS.read_text(encoding="utf-8") == written(), "run `python -m tests.backend.glossary_terms`"
