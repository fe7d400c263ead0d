"""Seals the URLs that stand in clear. Apart from the migration before it, so that it can be repeated where it failed."""

from typing import Any

from django.db import migrations, models

from backend.clusters.sealing import seal, unseal

ROLE = "webhook url"


def seal_urls(apps: Any, schema_editor: Any) -> None:
    """Each URL under the key in force, for its own webhook."""
    for hook in apps.get_model("hooks", "Hook").objects.all():
        hook.sealed_url = seal(hook.url, cluster_id=hook.id, role=ROLE)
        hook.save(update_fields=["sealed_url"])


def open_urls(apps: Any, schema_editor: Any) -> None:
    """Back to clear text."""
    for hook in apps.get_model("hooks", "Hook").objects.all():
        hook.url = unseal(hook.sealed_url, cluster_id=hook.id, role=ROLE)
        hook.save(update_fields=["url"])


class Migration(migrations.Migration):
    dependencies = [("hooks", "0002_hook_sealed_url")]

    operations = [
        # Going back, the column comes with this default and is filled by `open_urls`.
        migrations.AlterField("hook", "url", models.TextField(default="")),
        migrations.RunPython(seal_urls, open_urls),
        migrations.RemoveField("hook", "url"),
    ]
