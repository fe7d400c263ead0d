"""A link learns where home is: the side that was active when it was registered."""

import django.db.models.deletion
from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import F


def active_side_is_home(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    apps.get_model("clusters", "Link").objects.update(home_cluster=F("active_cluster"))


class Migration(migrations.Migration):
    dependencies = [
        ("clusters", "0001_initial"),
    ]

    operations = [
        migrations.AddField(
            model_name="link",
            name="home_cluster",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="clusters.cluster"
            ),
        ),
        migrations.RunPython(active_side_is_home, migrations.RunPython.noop),
    ]
