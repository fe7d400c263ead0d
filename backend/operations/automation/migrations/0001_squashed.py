import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [
        ("automation", "0001_initial"),
        ("automation", "0002_returned_nodes"),
        ("automation", "0003_automatic_start"),
    ]

    initial = True

    dependencies = [("clusters", "0001_squashed")]

    operations = [
        migrations.CreateModel(
            name="LinkAutomation",
            fields=[
                (
                    "link",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="automation",
                        serialize=False,
                        to="clusters.link",
                    ),
                ),
                (
                    "mode",
                    models.CharField(
                        choices=[("off", "off"), ("propose", "propose"), ("execute", "execute")],
                        default="off",
                        max_length=7,
                    ),
                ),
                ("loss_for_s", models.PositiveIntegerField(default=30)),
                ("block_s", models.PositiveIntegerField(default=3600)),
                ("watch_state", models.JSONField(default=dict)),
                ("reason", models.TextField(blank=True)),
                ("observed_at", models.DateTimeField(null=True)),
                ("acted_at", models.DateTimeField(null=True)),
                ("acknowledged_at", models.DateTimeField(null=True)),
                ("retry_at", models.DateTimeField(null=True)),
                ("last_at", models.DateTimeField(null=True)),
                ("last_plan_id", models.CharField(blank=True, max_length=14)),
                ("last_run_id", models.CharField(blank=True, max_length=14)),
                ("last_outcome", models.CharField(blank=True, max_length=16)),
                ("last_reason", models.TextField(blank=True)),
            ],
        ),
        migrations.CreateModel(
            name="ReturnedNode",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("failover_run", models.CharField(max_length=14)),
                ("started_at", models.DateTimeField(null=True)),
                ("returned_at", models.DateTimeField()),
                ("begins", models.CharField(blank=True, max_length=240)),
                ("run_id", models.CharField(blank=True, max_length=14)),
                ("attempts", models.PositiveIntegerField(default=0)),
                ("tried_at", models.DateTimeField(null=True)),
                (
                    "link",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="returned_nodes", to="clusters.link"
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
                "constraints": [
                    models.UniqueConstraint(fields=("link", "failover_run", "node"), name="returned_node_once")
                ],
            },
        ),
        migrations.CreateModel(
            name="AutomaticStart",
            fields=[
                (
                    "link",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="automatic_start",
                        serialize=False,
                        to="clusters.link",
                    ),
                ),
                ("enabled", models.BooleanField(default=False)),
                ("most_per_hour", models.PositiveIntegerField(default=3)),
                ("watch_state", models.JSONField(default=dict)),
                ("acts", models.JSONField(default=list)),
                ("version", models.PositiveIntegerField(default=0)),
                ("reason", models.TextField(blank=True)),
                ("observed_at", models.DateTimeField(null=True)),
                ("retry_at", models.DateTimeField(null=True)),
                ("last_at", models.DateTimeField(null=True)),
                ("last_plan_id", models.CharField(blank=True, max_length=14)),
                ("last_run_id", models.CharField(blank=True, max_length=14)),
                ("last_outcome", models.CharField(blank=True, max_length=16)),
                ("last_reason", models.TextField(blank=True)),
            ],
        ),
    ]
