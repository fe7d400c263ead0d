import django.db.models.deletion
from django.db import migrations, models

import backend.common.ids


class Migration(migrations.Migration):
    replaces = [("registration", "0001_initial"), ("registration", "0002_draft_reference")]

    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="RegistrationDraft",
            fields=[
                (
                    "id",
                    models.CharField(
                        default=backend.common.ids.registration_draft_id,
                        editable=False,
                        max_length=14,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("owner", models.CharField(max_length=80)),
                ("first", models.JSONField(default=dict)),
                ("second", models.JSONField(default=dict)),
                ("link", models.JSONField(default=dict)),
                ("first_cluster_id", models.CharField(blank=True, max_length=14)),
                ("second_cluster_id", models.CharField(blank=True, max_length=14)),
                ("link_id", models.CharField(blank=True, max_length=14)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("updated_at", models.DateTimeField(auto_now=True)),
                ("expires_at", models.DateTimeField(db_index=True)),
            ],
            options={
                "ordering": ["-created_at"],
            },
        ),
        migrations.CreateModel(
            name="DraftCredential",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("side", models.CharField(max_length=6)),
                (
                    "role",
                    models.CharField(
                        choices=[("monitor", "monitor"), ("operator", "operator"), ("replication", "replication")],
                        max_length=12,
                    ),
                ),
                ("user", models.CharField(max_length=128)),
                ("sealed", models.TextField()),
                (
                    "draft",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="credentials",
                        to="registration.registrationdraft",
                    ),
                ),
                ("reference", models.CharField(max_length=300, null=True)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("draft", "side", "role"), name="draft_credential_role")
                ],
            },
        ),
    ]
