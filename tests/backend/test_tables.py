"""Every table of the console as its MariaDB has it after all migrations, and what guards it, against a stored text."""

from __future__ import annotations

import pytest
from django.db import connection

from tests.support.stored_text import compare
from tests.support.table_text import STORED, tables_and_triggers


@pytest.mark.skipif(connection.vendor != "mysql", reason="SHOW CREATE TABLE is MariaDB's; make test runs it there")
@pytest.mark.django_db
def test_tables__after_all_migrations__as_stored() -> None:
    with connection.cursor() as cursor:
        compare(STORED, tables_and_triggers(cursor))
