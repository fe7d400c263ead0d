"""A channel that stands beside the one on record need not be a run's."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("monitoring", "0005_waits_behind"),
    ]

    operations = [
        migrations.AlterField(
            model_name="leftpointed",
            name="run_id",
            field=models.CharField(blank=True, max_length=14),
        ),
    ]
