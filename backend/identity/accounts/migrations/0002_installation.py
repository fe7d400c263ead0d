from typing import Any

import django.utils.timezone
from django.db import migrations, models


def end_where_used(apps: Any, _schema_editor: Any) -> None:
    """Whoever has been there before, in whatever role now: one who was an administrator may have been demoted since."""
    is_used = apps.get_model("accounts", "User").objects.filter(last_login__isnull=False).exists()
    if is_used or apps.get_model("accounts", "ApiToken").objects.filter(last_used_at__isnull=False).exists():
        apps.get_model("accounts", "Installation").objects.create()


class Migration(migrations.Migration):
    dependencies = [("accounts", "0001_squashed")]

    operations = [
        migrations.CreateModel(
            name="Installation",
            fields=[
                ("id", models.PositiveSmallIntegerField(default=1, editable=False, primary_key=True, serialize=False)),
                ("ended_at", models.DateTimeField(default=django.utils.timezone.now)),
            ],
        ),
        migrations.RunPython(end_where_used, migrations.RunPython.noop),
    ]
