"""Channels that a run pointed and nobody has started since."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("clusters", "0002_home_cluster"),
        ("monitoring", "0003_read_at"),
    ]

    operations = [
        migrations.CreateModel(
            name="LeftPointed",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("channel_name", models.CharField(blank=True, max_length=64)),
                ("run_id", models.CharField(max_length=14)),
                ("pointed_at", models.DateTimeField()),
                (
                    "link",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="clusters.link"
                    ),
                ),
                (
                    "node",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="clusters.node"
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("link", "node"), name="left_pointed_once")],
            },
        ),
    ]
