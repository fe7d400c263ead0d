import django.db.models.deletion
from django.db import migrations, models

import backend.common.ids


class Migration(migrations.Migration):
    replaces = [
        ("clusters", "0001_initial"),
        ("clusters", "0002_connection_name_length"),
        ("clusters", "0003_registration_changes"),
        ("clusters", "0004_server_acceptance"),
        ("clusters", "0005_password_references"),
        ("clusters", "0006_rights"),
        ("clusters", "0007_client_certificate"),
    ]

    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="Cluster",
            fields=[
                (
                    "id",
                    models.CharField(
                        default=backend.common.ids.cluster_id,
                        editable=False,
                        max_length=14,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("name", models.CharField(max_length=63)),
                ("site", models.CharField(max_length=63)),
                (
                    "tls_mode",
                    models.CharField(
                        choices=[
                            ("disabled", "disabled"),
                            ("required", "required"),
                            ("verify_ca", "verify_ca"),
                            ("verify_identity", "verify_identity"),
                        ],
                        max_length=16,
                    ),
                ),
                ("tls_ca", models.TextField(blank=True)),
                ("state_uuid", models.CharField(max_length=36, null=True)),
                ("known_server_ids", models.JSONField(default=dict)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("retired_at", models.DateTimeField(null=True)),
                ("retired_key", models.CharField(blank=True, default="", max_length=14)),
                ("version", models.PositiveIntegerField(default=1)),
                ("environment", models.CharField(blank=True, db_default="", default="", max_length=40)),
                ("tls_cert", models.TextField(blank=True, db_default="", default="")),
                ("tls_key_reference", models.CharField(max_length=300, null=True)),
                ("tls_key_sealed", models.TextField(blank=True, db_default="", default="")),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("name", "retired_key"), name="cluster_name")],
            },
        ),
        migrations.CreateModel(
            name="Link",
            fields=[
                (
                    "id",
                    models.CharField(
                        default=backend.common.ids.link_id,
                        editable=False,
                        max_length=14,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("name", models.CharField(max_length=63)),
                ("channel_name", models.CharField(blank=True, max_length=191)),
                ("requires_approval", models.BooleanField(default=False)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "active_cluster",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="active_in", to="clusters.cluster"
                    ),
                ),
                (
                    "home_cluster",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="clusters.cluster"
                    ),
                ),
                (
                    "standby_cluster",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="standby_in", to="clusters.cluster"
                    ),
                ),
                ("pause_reason", models.TextField(blank=True)),
                ("paused_by", models.CharField(blank=True, max_length=80)),
                ("paused_until", models.DateTimeField(null=True)),
                ("retired_at", models.DateTimeField(null=True)),
                ("retired_key", models.CharField(blank=True, default="", max_length=14)),
                ("version", models.PositiveIntegerField(default=1)),
                ("environment", models.CharField(blank=True, db_default="", default="", max_length=40)),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("name", "retired_key"), name="link_name")],
            },
        ),
        migrations.CreateModel(
            name="Credential",
            fields=[
                (
                    "id",
                    models.CharField(
                        default=backend.common.ids.credential_id,
                        editable=False,
                        max_length=14,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
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
                    "cluster",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="credentials", to="clusters.cluster"
                    ),
                ),
                ("is_rotated", models.BooleanField(null=True)),
                ("other_sealed", models.TextField(null=True)),
                ("read_at", models.DateTimeField(null=True)),
                ("read_problem", models.TextField(null=True)),
                ("reference", models.CharField(max_length=300, null=True)),
                ("rotation_run", models.CharField(max_length=14, null=True)),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("cluster", "role"), name="credential_role")],
            },
        ),
        migrations.CreateModel(
            name="Node",
            fields=[
                (
                    "id",
                    models.CharField(
                        default=backend.common.ids.node_id,
                        editable=False,
                        max_length=14,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("name", models.CharField(max_length=63)),
                ("host", models.CharField(max_length=253)),
                ("port", models.PositiveIntegerField()),
                ("ordinal", models.PositiveSmallIntegerField(default=0)),
                (
                    "cluster",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="nodes", to="clusters.cluster"
                    ),
                ),
                ("server", models.CharField(blank=True, default="", max_length=700)),
                ("server_id", models.PositiveBigIntegerField(null=True)),
            ],
            options={
                "ordering": ["ordinal"],
                "constraints": [
                    models.UniqueConstraint(fields=("host", "port"), name="node_address"),
                    models.UniqueConstraint(fields=("cluster", "name"), name="node_name"),
                ],
            },
        ),
        migrations.CreateModel(
            name="ServerAcceptance",
            fields=[
                (
                    "id",
                    models.CharField(
                        default=backend.common.ids.server_acceptance_id,
                        editable=False,
                        max_length=14,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("open_cluster", models.CharField(max_length=14, null=True, unique=True)),
                ("flavor", models.CharField(max_length=20)),
                ("series", models.CharField(max_length=20)),
                ("text", models.TextField()),
                ("accepted_by", models.CharField(max_length=80)),
                ("accepted_at", models.DateTimeField()),
                ("ended_at", models.DateTimeField(null=True)),
                ("ended_by", models.CharField(blank=True, max_length=80)),
                ("end_reason", models.TextField(blank=True)),
                (
                    "cluster",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="acceptances", to="clusters.cluster"
                    ),
                ),
            ],
        ),
    ]
