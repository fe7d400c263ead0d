import django.db.models.deletion
from django.db import migrations, models

import backend.common.ids


class Migration(migrations.Migration):
    replaces = [
        ("rehearsals", "0001_initial"),
        ("rehearsals", "0002_results_index"),
        ("rehearsals", "0003_index_by_link"),
    ]

    initial = True

    dependencies = [("clusters", "0001_squashed")]

    operations = [
        migrations.CreateModel(
            name="RehearsalSchedule",
            fields=[
                (
                    "link",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="rehearsal_schedule",
                        serialize=False,
                        to="clusters.link",
                    ),
                ),
                ("enabled", models.BooleanField(default=False)),
                ("every_hours", models.PositiveSmallIntegerField(default=24)),
                ("kinds", models.JSONField(default=list)),
            ],
        ),
        migrations.CreateModel(
            name="Rehearsal",
            fields=[
                (
                    "id",
                    models.CharField(
                        default=backend.common.ids.rehearsal_id,
                        editable=False,
                        max_length=14,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("kind", models.CharField(max_length=20)),
                ("state", models.CharField(choices=[("passed", "Passed"), ("failed", "Failed")], max_length=6)),
                ("at", models.DateTimeField()),
                ("actor", models.CharField(max_length=80)),
                ("options", models.JSONField(default=dict)),
                ("summary", models.TextField(blank=True)),
                ("sentence", models.TextField(blank=True)),
                ("duration_ms", models.FloatField()),
                ("timings", models.JSONField(default=list)),
                ("estimate_s", models.FloatField(null=True)),
                ("loss", models.JSONField(default=dict)),
                ("findings", models.JSONField(default=list)),
                ("positions", models.JSONField(default=list)),
                ("steps", models.JSONField(default=list)),
                (
                    "link",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="rehearsals", to="clusters.link"
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["link", "kind", "at"], name="rehearsal_newest"),
                    models.Index(fields=["at"], name="rehearsal_age"),
                    models.Index(fields=["link", "kind", "state", "at"], name="rehearsal_results"),
                    models.Index(fields=["link", "at"], name="rehearsal_of_link"),
                ],
            },
        ),
    ]
