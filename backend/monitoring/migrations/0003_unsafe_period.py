import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("clusters", "0002_logged_origins_and_writes_on_both_sides"),
        ("monitoring", "0002_logs_views_events_and_stream_account"),
    ]

    operations = [
        migrations.CreateModel(
            name="UnsafePeriod",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("node_id", models.CharField(max_length=14)),
                ("node_name", models.CharField(max_length=63)),
                ("variable", models.CharField(max_length=80)),
                ("value", models.TextField()),
                ("began_at", models.DateTimeField()),
                ("ended_at", models.DateTimeField(null=True)),
                (
                    "link",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="unsafe_periods", to="clusters.link"
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("link", "node_id", "variable"), name="unsafe_period_setting")
                ],
            },
        ),
    ]
