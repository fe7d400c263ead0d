import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models

import backend.common.ids


class Migration(migrations.Migration):
    replaces = [
        ("hooks", "0001_initial"),
        ("hooks", "0002_hook_sealed_url"),
        ("hooks", "0003_seal_hook_urls"),
        ("hooks", "0004_destinations"),
    ]

    initial = True

    dependencies = [("clusters", "0001_squashed")]

    operations = [
        migrations.CreateModel(
            name="Hook",
            fields=[
                (
                    "id",
                    models.CharField(
                        default=backend.common.ids.hook_id,
                        editable=False,
                        max_length=14,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("name", models.CharField(max_length=63)),
                ("sealed", models.TextField()),
                (
                    "phase",
                    models.CharField(
                        choices=[("before", "before"), ("after", "after"), ("event", "event"), ("test", "test")],
                        max_length=6,
                    ),
                ),
                ("kinds", models.JSONField(default=list)),
                ("blocking", models.BooleanField(default=False)),
                ("timeout_s", models.PositiveSmallIntegerField(default=10)),
                ("min_severity", models.CharField(default="warning", max_length=8)),
                ("enabled", models.BooleanField(default=True)),
                ("event_cursor", models.BigIntegerField(default=0)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "link",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.CASCADE, related_name="hooks", to="clusters.link"
                    ),
                ),
                ("sealed_url", models.TextField(blank=True)),
                (
                    "service",
                    models.CharField(
                        choices=[
                            ("webhook", "webhook"),
                            ("email", "email"),
                            ("slack", "slack"),
                            ("teams", "teams"),
                            ("pagerduty", "pagerduty"),
                            ("opsgenie", "opsgenie"),
                        ],
                        db_default="webhook",
                        default="webhook",
                        max_length=9,
                    ),
                ),
            ],
            options={
                "ordering": ["name"],
                "constraints": [models.UniqueConstraint(fields=("link", "name"), name="hook_name")],
            },
        ),
        migrations.CreateModel(
            name="Delivery",
            fields=[
                (
                    "id",
                    models.CharField(
                        default=backend.common.ids.delivery_id,
                        editable=False,
                        max_length=14,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("key", models.CharField(max_length=64)),
                ("phase", models.CharField(max_length=6)),
                ("kind", models.CharField(max_length=60)),
                ("run_id", models.CharField(blank=True, max_length=14)),
                ("payload", models.JSONField()),
                (
                    "state",
                    models.CharField(
                        choices=[("pending", "Pending"), ("delivered", "Delivered"), ("failed", "Failed")],
                        default="pending",
                        max_length=9,
                    ),
                ),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("status", models.PositiveSmallIntegerField(null=True)),
                ("ms", models.FloatField(null=True)),
                ("answer", models.TextField(blank=True)),
                ("error", models.TextField(blank=True)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("last_at", models.DateTimeField(null=True)),
                ("due_at", models.DateTimeField(null=True)),
                (
                    "hook",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="deliveries", to="hooks.hook"
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["due_at"], name="delivery_due"),
                    models.Index(fields=["hook", "created_at", "id"], name="delivery_newest"),
                ],
                "constraints": [models.UniqueConstraint(fields=("hook", "key"), name="delivery_key")],
            },
        ),
    ]
