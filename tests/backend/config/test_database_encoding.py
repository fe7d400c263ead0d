"""A console's database that cannot hold every character is refused before anything is stored in it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.core.management import call_command
from django.core.management.base import SystemCheckError
from django.db import connection

from backend.config.system_checks import check_database_encoding, encoding_faults

pytestmark = pytest.mark.skipif(connection.vendor != "mysql", reason="a file has one encoding")
_OTHER = "hawser_other_encoding"


@pytest.fixture
def other_schema(transactional_db: None) -> Iterator[None]:
    """A schema with the character set that was MariaDB's default until 11.5, in use for the length of a test."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT DATABASE()")
        (own,) = cursor.fetchone()
        cursor.execute(f"CREATE DATABASE {_OTHER} CHARACTER SET latin1")
        cursor.execute(f"USE {_OTHER}")
        yield
        cursor.execute(f"DROP DATABASE {_OTHER}")
        cursor.execute(f"USE `{own}`")


def _found() -> list[tuple[str, str]]:
    with connection.cursor() as cursor:
        return [(fault.msg, fault.hint or "") for fault in encoding_faults(cursor)]


def test_own_database__made_with_every_character__has_no_fault(db: None) -> None:
    assert check_database_encoding(databases=["default"]) == []


def test_schema__of_another_character_set__is_a_fault_with_the_statements(other_schema: None) -> None:
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE runs (outcome TEXT) ENGINE=InnoDB")
    ((message, hint),) = _found()
    assert f"{_OTHER} has the character set latin1" in message
    assert f"ALTER DATABASE `{_OTHER}` CHARACTER SET utf8mb4 COLLATE utf8mb4_bin" in hint
    assert "ALTER TABLE `runs` CONVERT TO CHARACTER SET utf8mb4" in hint


def test_schema__mended_by_the_statements_of_the_hint__has_no_fault(other_schema: None) -> None:
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE runs (outcome TEXT) ENGINE=InnoDB")
        ((_, hint),) = _found()
        for statement in hint.partition("run: ")[2].split(";"):
            if statement.strip():
                cursor.execute(statement)
        cursor.execute("SET foreign_key_checks=1")
    assert _found() == []


def test_migrate__into_such_a_schema__is_refused(other_schema: None) -> None:
    with pytest.raises(SystemCheckError, match=r"hawser\.E001"):
        call_command("migrate", interactive=False, verbosity=0, skip_checks=False)


def test_table__of_another_character_set_in_a_right_schema__is_a_fault(other_schema: None) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"ALTER DATABASE {_OTHER} CHARACTER SET utf8mb4 COLLATE utf8mb4_bin")
        cursor.execute("CREATE TABLE runs (outcome TEXT) CHARACTER SET latin1")
    ((message, hint),) = _found()
    assert "1 of its tables" in message
    assert "ALTER TABLE `runs` CONVERT TO" in hint
