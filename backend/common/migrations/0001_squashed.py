import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [
        ("common", "0001_initial"),
        ("common", "0002_idempotency_owner"),
        ("common", "0003_process_clock_offset"),
    ]

    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="IdempotencyRecord",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("caller", models.CharField(max_length=80)),
                ("key", models.CharField(max_length=128)),
                ("fingerprint", models.CharField(max_length=64)),
                ("status", models.PositiveSmallIntegerField(null=True)),
                ("content_type", models.CharField(blank=True, max_length=80)),
                ("body", models.JSONField(null=True)),
                ("created_at", models.DateTimeField(db_index=True, default=django.utils.timezone.now)),
                ("owner", models.CharField(blank=True, db_default="", max_length=160)),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("caller", "key"), name="idempotency_caller_key")],
            },
        ),
        migrations.CreateModel(
            name="ProcessHeartbeat",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(max_length=20)),
                ("instance", models.CharField(max_length=120)),
                ("seen_at", models.DateTimeField(db_index=True)),
                ("clock_offset_s", models.FloatField(null=True)),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("kind", "instance"), name="heartbeat_kind_instance")],
            },
        ),
    ]
