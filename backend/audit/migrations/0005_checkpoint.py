"""Where walks along the chain stopped, kept with a MAC."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("audit", "0004_keyed_chain"),
    ]

    operations = [
        migrations.CreateModel(
            name="AuditCheckpoint",
            fields=[
                ("name", models.CharField(max_length=20, primary_key=True, serialize=False)),
                ("seq", models.PositiveBigIntegerField()),
                ("hash", models.CharField(max_length=64)),
                ("is_keyed", models.BooleanField()),
                ("started_at", models.DateTimeField()),
                ("finished_at", models.DateTimeField(null=True)),
                ("bad_seq", models.PositiveBigIntegerField(null=True)),
                ("reason", models.CharField(blank=True, max_length=30)),
                ("detail", models.TextField(blank=True)),
                ("key_id", models.CharField(max_length=16)),
                ("mac", models.CharField(max_length=64)),
            ],
        ),
    ]
