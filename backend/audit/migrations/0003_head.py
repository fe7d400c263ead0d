"""The chain begins: writers then only ever lock the head, never race to make it."""

from __future__ import annotations

from typing import Any

from django.db import migrations

from backend.audit.chain import GENESIS


def begin(apps: Any, _editor: Any) -> None:
    apps.get_model("audit", "AuditHead").objects.get_or_create(pk=1, defaults={"seq": 0, "hash": GENESIS})


class Migration(migrations.Migration):
    dependencies = [("audit", "0002_append_only")]
    operations = [migrations.RunPython(begin, migrations.RunPython.noop)]
