"""When a node was last read is kept by itself; of one that is not up nobody noted it, and it stays unknown."""

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import F


def read_when_observed(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    states = apps.get_model("monitoring", "NodeState").objects.filter(reach="up")
    told = states.filter(facts__wsrep__cluster_status="Primary", facts__wsrep__local_state=4)
    told.update(read_at=F("observed_at"))


class Migration(migrations.Migration):
    dependencies = [
        ("monitoring", "0002_divergence"),
    ]

    operations = [
        migrations.AddField(model_name="nodestate", name="read_at", field=models.DateTimeField(null=True)),
        migrations.AddField(model_name="nodestate", name="missed_at", field=models.DateTimeField(null=True)),
        migrations.RunPython(read_when_observed, migrations.RunPython.noop),
    ]
