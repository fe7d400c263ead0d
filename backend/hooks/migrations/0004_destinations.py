"""Webhooks get a service: those of another one than `webhook` are destinations, which may be of all links."""

import django.db.models.deletion
from django.db import migrations, models

SERVICES = ("webhook", "email", "slack", "teams", "pagerduty", "opsgenie")


class Migration(migrations.Migration):
    dependencies = [
        ("clusters", "0004_server_acceptance"),
        ("hooks", "0003_seal_hook_urls"),
    ]

    operations = [
        migrations.AddField(
            "hook",
            "service",
            models.CharField(
                choices=[(name, name) for name in SERVICES], db_default="webhook", default="webhook", max_length=9
            ),
        ),
        migrations.AlterField(
            "hook",
            "link",
            models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.CASCADE, related_name="hooks", to="clusters.link"
            ),
        ),
        migrations.AlterField("hook", "sealed_url", models.TextField(blank=True)),
    ]
