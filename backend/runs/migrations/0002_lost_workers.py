"""How many workers a run has lost since it last came forward."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("runs", "0001_initial"),
    ]

    operations = [
        migrations.AddField(model_name="run", name="lost_workers", field=models.PositiveSmallIntegerField(default=0)),
    ]
