import django.db.models.deletion
from django.db import migrations, models

import backend.common.ids


class Migration(migrations.Migration):
    replaces = [
        ("orphans", "0001_initial"),
        ("orphans", "0002_overwritten_rows"),
        ("orphans", "0003_orphan_refusals"),
        ("orphans", "0004_schema_changes"),
    ]

    initial = True

    dependencies = [("clusters", "0001_squashed")]

    operations = [
        migrations.CreateModel(
            name="OrphanScan",
            fields=[
                (
                    "id",
                    models.CharField(
                        default=backend.common.ids.scan_id,
                        editable=False,
                        max_length=14,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("divergence_run", models.CharField(max_length=14)),
                ("node_id", models.CharField(blank=True, max_length=14)),
                ("node", models.CharField(blank=True, max_length=63)),
                ("state", models.CharField(max_length=10)),
                ("detail", models.TextField()),
                ("first_position", models.CharField(blank=True, max_length=240)),
                ("last_position", models.CharField(blank=True, max_length=240)),
                ("digest", models.CharField(blank=True, max_length=64)),
                ("transactions", models.PositiveIntegerField(default=0)),
                ("rows", models.PositiveIntegerField(default=0)),
                ("tables", models.JSONField(default=list)),
                ("table_definitions", models.JSONField(default=dict)),
                ("first_at", models.DateTimeField(null=True)),
                ("last_at", models.DateTimeField(null=True)),
                ("scanned_at", models.DateTimeField()),
                (
                    "cluster",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="clusters.cluster"
                    ),
                ),
                (
                    "link",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="orphan_scans", to="clusters.link"
                    ),
                ),
                ("overwritten", models.JSONField(default=dict)),
                ("refusals", models.JSONField(default=list)),
                ("node_logs", models.JSONField(default=list)),
                ("schema_changes", models.JSONField(default=list)),
            ],
            options={
                "ordering": ["-scanned_at"],
            },
        ),
        migrations.CreateModel(
            name="Orphan",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("index", models.PositiveIntegerField()),
                ("body", models.JSONField()),
                (
                    "scan",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="orphans", to="orphans.orphanscan"
                    ),
                ),
            ],
            options={
                "ordering": ["index"],
                "constraints": [models.UniqueConstraint(fields=("scan", "index"), name="orphan_index")],
            },
        ),
    ]
