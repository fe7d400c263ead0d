"""`check --deploy --database default` says where the console's database does not encrypt what it writes."""

from __future__ import annotations

import pytest
from django.db import connection

from backend.config import data_at_rest
from backend.config.doctor.parts import database
from backend.config.system_checks import check_data_at_rest, unencrypted

_ALL = dict.fromkeys(data_at_rest.ENCRYPTED, "ON")


def test_server__that_encrypts_all__no_warning() -> None:
    assert unencrypted(_ALL) == []
    assert unencrypted(_ALL | {"innodb_encrypt_tables": "FORCE"}) == []


@pytest.mark.parametrize("name", list(_ALL))
@pytest.mark.parametrize("value", ["OFF", None])
def test_variable__off_or_missing__named(name: str, value: str | None) -> None:
    values = {key: text for key, text in _ALL.items() if key != name} | ({name: value} if value else {})
    (warning,) = unencrypted(values)
    assert f"{name}={value or 'unknown'}." in warning.msg
    assert warning.id == "hawser.W006"


@pytest.mark.skipif(connection.vendor == "sqlite", reason="a file has no such variables")
def test_own_database__of_the_tests__warned_of_with_its_values(db: None) -> None:
    (warning,) = check_data_at_rest(databases=["default"])
    assert "innodb_encrypt_tables=OFF" in warning.msg
    assert database()["data_at_rest"]["innodb_encrypt_tables"] == "OFF"
