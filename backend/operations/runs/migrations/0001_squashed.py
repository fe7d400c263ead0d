import django.db.models.deletion
from django.db import migrations, models

import backend.common.ids


class Migration(migrations.Migration):
    replaces = [
        ("runs", "0001_initial"),
        ("runs", "0002_bound_approvals"),
        ("runs", "0003_registered_versions"),
        ("runs", "0004_time_spent"),
        ("runs", "0005_run_takeovers"),
        ("runs", "0006_approvals_by_several"),
        ("runs", "0007_run_indexes"),
    ]

    initial = True

    dependencies = [("clusters", "0001_squashed")]

    operations = [
        migrations.CreateModel(
            name="Plan",
            fields=[
                (
                    "id",
                    models.CharField(
                        default=backend.common.ids.plan_id,
                        editable=False,
                        max_length=14,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("kind", models.CharField(max_length=20)),
                (
                    "state",
                    models.CharField(
                        choices=[("ready", "ready"), ("refused", "refused"), ("expired", "expired"), ("used", "used")],
                        max_length=10,
                    ),
                ),
                ("reason", models.TextField(blank=True)),
                ("options", models.JSONField(default=dict)),
                ("body", models.JSONField()),
                ("digest", models.CharField(max_length=64)),
                ("created_by", models.CharField(max_length=80)),
                ("created_at", models.DateTimeField(db_index=True)),
                ("expires_at", models.DateTimeField()),
                (
                    "link",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="plans", to="clusters.link"
                    ),
                ),
                ("registered_versions", models.JSONField(default=dict)),
            ],
        ),
        migrations.CreateModel(
            name="Run",
            fields=[
                (
                    "id",
                    models.CharField(
                        default=backend.common.ids.run_id,
                        editable=False,
                        max_length=14,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("unfinished_link", models.CharField(max_length=14, null=True, unique=True)),
                ("kind", models.CharField(max_length=20)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("waiting_approval", "waiting_approval"),
                            ("queued", "queued"),
                            ("running", "running"),
                            ("succeeded", "succeeded"),
                            ("failed", "failed"),
                            ("aborted", "aborted"),
                            ("needs_operator", "needs_operator"),
                        ],
                        db_index=True,
                        max_length=20,
                    ),
                ),
                ("version", models.PositiveIntegerField(default=1)),
                ("reason", models.TextField(blank=True)),
                ("requested_by", models.CharField(max_length=80)),
                ("request_id", models.CharField(blank=True, max_length=64)),
                ("idempotency_key", models.CharField(blank=True, max_length=128)),
                ("epoch", models.PositiveIntegerField(default=0)),
                ("owner", models.CharField(blank=True, max_length=120)),
                ("lease_until", models.DateTimeField(null=True)),
                ("dispatched_at", models.DateTimeField(null=True)),
                ("lost_workers", models.PositiveSmallIntegerField(default=0)),
                ("cursor", models.IntegerField(default=-1)),
                ("point_of_no_return_passed", models.BooleanField(default=False)),
                ("abort_requested_by", models.CharField(blank=True, max_length=80)),
                ("abort_requested_at", models.DateTimeField(null=True)),
                ("outcome", models.TextField(blank=True)),
                ("next_action", models.TextField(blank=True)),
                ("verification", models.JSONField(null=True)),
                ("facts", models.JSONField(default=dict)),
                ("created_at", models.DateTimeField(db_index=True)),
                ("started_at", models.DateTimeField(null=True)),
                ("ended_at", models.DateTimeField(null=True)),
                (
                    "link",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="runs", to="clusters.link"
                    ),
                ),
                (
                    "plan",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT, related_name="run", to="runs.plan"
                    ),
                ),
                ("approval_expires_at", models.DateTimeField(null=True)),
                ("approval_requested_at", models.DateTimeField(null=True)),
                ("approval_round", models.PositiveSmallIntegerField(default=1)),
                ("authorization", models.CharField(blank=True, max_length=64)),
                ("needs_approval", models.BooleanField(default=False)),
                ("resumed_by", models.CharField(blank=True, max_length=80)),
                ("takeovers", models.PositiveIntegerField(default=0)),
                ("approval_reminded_at", models.DateTimeField(null=True)),
                ("approval_rule", models.JSONField(null=True)),
            ],
            options={
                "indexes": [
                    models.Index(fields=["link", "created_at"], name="run_of_link"),
                    models.Index(fields=["link", "kind", "state", "created_at"], name="run_newest"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Approval",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("approver", models.CharField(max_length=80)),
                ("comment", models.TextField(blank=True)),
                ("at", models.DateTimeField()),
                (
                    "run",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="approvals", to="runs.run"
                    ),
                ),
                ("digest", models.CharField(blank=True, max_length=64)),
                ("expires_at", models.DateTimeField(null=True)),
                ("is_exception", models.BooleanField(default=False)),
                ("mac", models.CharField(blank=True, max_length=64)),
                ("review_comment", models.TextField(blank=True)),
                ("reviewed_at", models.DateTimeField(null=True)),
                ("reviewed_by", models.CharField(blank=True, max_length=80)),
                ("round", models.PositiveSmallIntegerField(default=1)),
            ],
            options={"ordering": ["round", "id"]},
        ),
        # The index of its own that this leaves to the foreign key is what databases of before have.
        migrations.AlterField(
            model_name="approval",
            name="run",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="approvals", to="runs.run"
            ),
        ),
        migrations.AddConstraint(
            model_name="approval",
            constraint=models.UniqueConstraint(fields=("run", "round", "approver"), name="approval_round_approver"),
        ),
        migrations.CreateModel(
            name="RunStep",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("index", models.PositiveSmallIntegerField()),
                ("code", models.CharField(max_length=60)),
                ("title", models.CharField(max_length=200)),
                ("node", models.CharField(blank=True, max_length=63)),
                ("point_of_no_return", models.BooleanField(default=False)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("pending", "pending"),
                            ("running", "running"),
                            ("succeeded", "succeeded"),
                            ("failed", "failed"),
                            ("skipped", "skipped"),
                            ("undone", "undone"),
                        ],
                        default="pending",
                        max_length=10,
                    ),
                ),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("observed_after_crash", models.BooleanField(default=False)),
                ("outcome", models.TextField(blank=True)),
                ("facts", models.JSONField(default=dict)),
                ("started_at", models.DateTimeField(null=True)),
                ("ended_at", models.DateTimeField(null=True)),
                (
                    "run",
                    models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="steps", to="runs.run"),
                ),
                ("time_spent", models.JSONField(null=True)),
            ],
            options={
                "ordering": ["index"],
                "constraints": [models.UniqueConstraint(fields=("run", "index"), name="run_step_index")],
            },
        ),
        migrations.CreateModel(
            name="Statement",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("epoch", models.PositiveIntegerField()),
                ("node_id", models.CharField(max_length=14)),
                ("node", models.CharField(max_length=63)),
                ("sql", models.TextField()),
                ("sql_digest", models.CharField(max_length=64)),
                ("connection_id", models.BigIntegerField(null=True)),
                ("state_before", models.JSONField(null=True)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("intended", "intended"),
                            ("ok", "ok"),
                            ("failed", "failed"),
                            ("indeterminate", "indeterminate"),
                            ("observed", "observed"),
                        ],
                        default="intended",
                        max_length=14,
                    ),
                ),
                ("warnings", models.JSONField(default=list)),
                ("error", models.TextField(blank=True)),
                ("sent_at", models.DateTimeField()),
                ("duration_ms", models.FloatField(null=True)),
                (
                    "step",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="statements", to="runs.runstep"
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
            },
        ),
    ]
