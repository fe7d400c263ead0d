"""Statements about accounts are shown without passwords and hashes."""

from __future__ import annotations

import pytest

from backend.core.binlog.groups import Group
from backend.core.binlog.statement_text import without_secrets


@pytest.mark.parametrize(
    ("statement", "shown"),
    [
        ("CREATE USER u IDENTIFIED BY 'x''y'", "CREATE USER u IDENTIFIED BY '***'"),
        ("use `a`; SET PASSWORD FOR u = '*AB'", "use `a`; SET PASSWORD FOR u = '***'"),
        ("GRANT ALL ON *.* TO u IDENTIFIED VIA p USING '*AB'", "GRANT ALL ON *.* TO u IDENTIFIED VIA p USING '***'"),
        ('ALTER USER u IDENTIFIED BY "x', "ALTER USER u IDENTIFIED BY '***'"),
        ("CREATE SERVER s OPTIONS (PASSWORD 'x')", "CREATE SERVER s OPTIONS (PASSWORD '***')"),
        ("INSERT INTO t VALUES ('PASSWORD', 'x')", "INSERT INTO t VALUES ('PASSWORD', 'x')"),
        ("DROP USER u", "DROP USER u"),
    ],
)
def test_statement__about_accounts__without_passwords(statement: str, shown: str) -> None:
    assert without_secrets(statement) == shown


def test_group__about_accounts__no_hash_for_people() -> None:
    group = Group("b.1", 4, 90, 11, None, None, "ddl", "x", (), (), (), "SET PASSWORD FOR u = '*AB'", 1, 90)
    assert "*AB" not in group.summary
    assert "*AB" not in str(group.to_json())
