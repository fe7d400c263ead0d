import django.db.models.deletion
from django.db import migrations, models

import backend.common.ids


class Migration(migrations.Migration):
    replaces = [("advice", "0001_initial"), ("advice", "0002_given_advice"), ("advice", "0003_certificate_notice")]

    initial = True

    dependencies = [("clusters", "0001_squashed")]

    operations = [
        migrations.CreateModel(
            name="StoredConfiguration",
            fields=[
                (
                    "node",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="configuration",
                        serialize=False,
                        to="clusters.node",
                    ),
                ),
                ("read_at", models.DateTimeField()),
                ("body", models.JSONField()),
            ],
        ),
        migrations.CreateModel(
            name="AdviceDismissal",
            fields=[
                (
                    "id",
                    models.CharField(
                        default=backend.common.ids.dismissal_id,
                        editable=False,
                        max_length=14,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("code", models.CharField(max_length=60)),
                ("fingerprint", models.CharField(max_length=16)),
                ("fact", models.TextField()),
                ("reason", models.TextField()),
                ("by", models.CharField(max_length=80)),
                ("at", models.DateTimeField()),
                ("expires_at", models.DateTimeField()),
                ("withdrawn_at", models.DateTimeField(null=True)),
                (
                    "cluster",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.CASCADE, related_name="+", to="clusters.cluster"
                    ),
                ),
                (
                    "link",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.CASCADE, related_name="+", to="clusters.link"
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["cluster", "withdrawn_at", "expires_at"], name="dismissal_cluster"),
                    models.Index(fields=["link", "withdrawn_at", "expires_at"], name="dismissal_link"),
                ],
            },
        ),
        migrations.CreateModel(
            name="GivenAdvice",
            fields=[
                ("subject_id", models.CharField(max_length=14, primary_key=True, serialize=False)),
                ("at", models.DateTimeField()),
                ("items", models.JSONField()),
                ("nodes", models.PositiveIntegerField()),
                ("unread", models.PositiveIntegerField()),
            ],
        ),
        migrations.CreateModel(
            name="AdviceNotice",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("subject_id", models.CharField(max_length=14)),
                ("code", models.CharField(max_length=60)),
                ("at", models.DateTimeField(null=True)),
                ("is_open", models.BooleanField()),
                ("gone_since", models.DateTimeField(null=True)),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("subject_id", "code"), name="advice_notice_once")],
            },
        ),
        migrations.CreateModel(
            name="CertificateNotice",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(max_length=10)),
                ("name", models.CharField(max_length=300)),
                ("ends_at", models.DateTimeField()),
                ("days", models.PositiveSmallIntegerField()),
                (
                    "cluster",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="clusters.cluster"
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("cluster", "kind", "name"), name="certificate_notice_once")
                ],
            },
        ),
    ]
