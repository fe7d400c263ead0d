"""Records name the audit key they were written with, the head has a MAC; the first keyed record binds those before."""

from __future__ import annotations

from typing import Any

from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from backend.audit import triggers


def reinstall_triggers(_apps: Any, editor: BaseDatabaseSchemaEditor) -> None:
    """SQLite rebuilds a table for a new column, and its triggers go with the old one."""
    triggers.reinstall(editor.connection)


class Migration(migrations.Migration):
    dependencies = [("audit", "0003_head")]
    operations = [
        migrations.AddField("audithead", "installation_id", models.CharField(blank=True, default="", max_length=36)),
        migrations.AddField("audithead", "key_id", models.CharField(blank=True, default="", max_length=16)),
        migrations.AddField("audithead", "mac", models.CharField(blank=True, default="", max_length=64)),
        migrations.AddField("auditrecord", "key_id", models.CharField(blank=True, default="", max_length=16)),
        migrations.RunPython(reinstall_triggers, reinstall_triggers),
    ]
