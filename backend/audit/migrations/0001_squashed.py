"""The audit log. The database itself refuses to change or delete its records, and its chain begins with a head.

Writers only ever lock the head, never race to make it.
"""

from __future__ import annotations

from typing import Any

from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from backend.audit import triggers
from backend.audit.chain import GENESIS


def install(_apps: Any, editor: BaseDatabaseSchemaEditor) -> None:
    triggers.install(editor.connection)


def remove(_apps: Any, editor: BaseDatabaseSchemaEditor) -> None:
    triggers.remove(editor.connection)


def begin(apps: Any, _editor: Any) -> None:
    apps.get_model("audit", "AuditHead").objects.get_or_create(pk=1, defaults={"seq": 0, "hash": GENESIS})


class Migration(migrations.Migration):
    replaces = [
        ("audit", "0001_initial"),
        ("audit", "0002_append_only"),
        ("audit", "0003_head"),
        ("audit", "0004_keyed_chain"),
        ("audit", "0005_checkpoint"),
        ("audit", "0006_forwarding"),
    ]

    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="AuditHead",
            fields=[
                ("id", models.PositiveSmallIntegerField(default=1, primary_key=True, serialize=False)),
                ("seq", models.PositiveBigIntegerField(default=0)),
                ("hash", models.CharField(max_length=64)),
                ("installation_id", models.CharField(blank=True, default="", max_length=36)),
                ("key_id", models.CharField(blank=True, default="", max_length=16)),
                ("mac", models.CharField(blank=True, default="", max_length=64)),
            ],
        ),
        migrations.CreateModel(
            name="AuditRecord",
            fields=[
                ("seq", models.PositiveBigIntegerField(primary_key=True, serialize=False)),
                ("at", models.DateTimeField(db_index=True)),
                ("actor", models.CharField(db_index=True, max_length=80)),
                ("action", models.CharField(db_index=True, max_length=80)),
                ("link_id", models.CharField(blank=True, db_index=True, max_length=14)),
                ("run_id", models.CharField(blank=True, db_index=True, max_length=14)),
                ("target", models.CharField(blank=True, max_length=200)),
                ("reason", models.TextField(blank=True)),
                ("request_id", models.CharField(blank=True, max_length=64)),
                ("source_ip", models.CharField(blank=True, max_length=45)),
                ("facts", models.JSONField(default=dict)),
                ("prev_hash", models.CharField(max_length=64)),
                ("hash", models.CharField(max_length=64)),
                ("key_id", models.CharField(blank=True, default="", max_length=16)),
            ],
        ),
        migrations.CreateModel(
            name="AuditCheckpoint",
            fields=[
                ("name", models.CharField(max_length=20, primary_key=True, serialize=False)),
                ("seq", models.PositiveBigIntegerField()),
                ("hash", models.CharField(max_length=64)),
                ("is_keyed", models.BooleanField()),
                ("started_at", models.DateTimeField()),
                ("finished_at", models.DateTimeField(null=True)),
                ("bad_seq", models.PositiveBigIntegerField(null=True)),
                ("reason", models.CharField(blank=True, max_length=30)),
                ("detail", models.TextField(blank=True)),
                ("key_id", models.CharField(max_length=16)),
                ("mac", models.CharField(max_length=64)),
            ],
        ),
        migrations.CreateModel(
            name="AuditForwarding",
            fields=[
                ("receiver", models.CharField(max_length=20, primary_key=True, serialize=False)),
                ("seq", models.PositiveBigIntegerField(default=0)),
                ("failing_since", models.DateTimeField(null=True)),
            ],
        ),
        migrations.RunPython(begin, migrations.RunPython.noop),
        migrations.RunPython(install, remove),
    ]
