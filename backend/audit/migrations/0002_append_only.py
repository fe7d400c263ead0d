"""The database itself refuses to change or delete audit records."""

from __future__ import annotations

from typing import Any

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from backend.audit import triggers


def install(_apps: Any, editor: BaseDatabaseSchemaEditor) -> None:
    triggers.install(editor.connection)


def remove(_apps: Any, editor: BaseDatabaseSchemaEditor) -> None:
    triggers.remove(editor.connection)


class Migration(migrations.Migration):
    dependencies = [("audit", "0001_initial")]
    operations = [migrations.RunPython(install, remove)]
