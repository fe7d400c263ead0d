import django.db.models.deletion
from django.db import migrations, models

import backend.common.ids


class Migration(migrations.Migration):
    replaces = [
        ("monitoring", "0001_initial"),
        ("monitoring", "0002_connection_name_length"),
        ("monitoring", "0003_lag_history"),
        ("monitoring", "0004_write_sets"),
        ("monitoring", "0005_node_maintenance"),
        ("monitoring", "0006_cluster_owners"),
        ("monitoring", "0007_moved_facts"),
        ("monitoring", "0008_checkpoint_indexes"),
    ]

    initial = True

    dependencies = [("clusters", "0001_squashed")]

    operations = [
        migrations.CreateModel(
            name="LinkStatus",
            fields=[
                (
                    "link",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="status",
                        serialize=False,
                        to="clusters.link",
                    ),
                ),
                ("state", models.CharField(max_length=12)),
                ("since", models.DateTimeField()),
                ("observed_at", models.DateTimeField()),
                ("sentence", models.TextField()),
                ("detail", models.TextField(blank=True)),
                ("findings", models.JSONField(default=list)),
                ("channels", models.JSONField(default=list)),
                ("clusters", models.JSONField(default=dict)),
                ("readiness", models.JSONField(default=dict)),
                ("primary_action", models.JSONField(null=True)),
                ("last_ok", models.JSONField(default=dict)),
            ],
        ),
        migrations.CreateModel(
            name="MonitorLease",
            fields=[
                ("id", models.PositiveSmallIntegerField(primary_key=True, serialize=False)),
                ("holder", models.CharField(max_length=120)),
                ("until", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="NodeState",
            fields=[
                (
                    "node",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="state",
                        serialize=False,
                        to="clusters.node",
                    ),
                ),
                ("reach", models.CharField(max_length=8)),
                ("since", models.DateTimeField()),
                ("read_at", models.DateTimeField(null=True)),
                ("missed_at", models.DateTimeField(null=True)),
                ("observed_at", models.DateTimeField()),
                ("base", models.JSONField(db_column="facts", default=dict)),
                ("moved", models.JSONField(null=True)),
            ],
        ),
        migrations.CreateModel(
            name="Divergence",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("open_link", models.CharField(max_length=14, null=True, unique=True)),
                ("run_id", models.CharField(max_length=14)),
                ("facts", models.JSONField()),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("reconciled_at", models.DateTimeField(null=True)),
                (
                    "link",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="divergences", to="clusters.link"
                    ),
                ),
                (
                    "lost_cluster",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="clusters.cluster"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="ChannelRecord",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("direction", models.CharField(max_length=7)),
                ("channel", models.JSONField()),
                ("observed_at", models.DateTimeField()),
                ("waits_for_position", models.CharField(blank=True, default="", max_length=240)),
                (
                    "link",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="channel_records", to="clusters.link"
                    ),
                ),
                (
                    "replica_node",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="clusters.node"
                    ),
                ),
                (
                    "source_node",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="clusters.node"
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("link", "direction"), name="record_direction")],
            },
        ),
        migrations.CreateModel(
            name="Checkpoint",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("state_uuid", models.CharField(max_length=36)),
                ("file", models.CharField(max_length=220)),
                ("offset", models.BigIntegerField()),
                ("seqno", models.BigIntegerField()),
                ("exact", models.BooleanField()),
                ("retention_level", models.PositiveSmallIntegerField()),
                ("observed_at", models.DateTimeField()),
                (
                    "node",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="checkpoints", to="clusters.node"
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["node", "state_uuid", "seqno"], name="checkpoint_seqno"),
                    models.Index(fields=["node", "observed_at"], name="checkpoint_node_at"),
                    models.Index(fields=["retention_level", "observed_at"], name="checkpoint_level_at"),
                ],
            },
        ),
        migrations.CreateModel(
            name="CleanupDue",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("direction", models.CharField(max_length=7)),
                ("channel_name", models.CharField(blank=True, max_length=191)),
                ("run_id", models.CharField(blank=True, max_length=14)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "link",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="cleanups_due", to="clusters.link"
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
                "constraints": [models.UniqueConstraint(fields=("link", "node", "direction"), name="cleanup_due_once")],
            },
        ),
        migrations.CreateModel(
            name="LagSample",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("at", models.DateTimeField()),
                ("forward_gap", models.IntegerField(null=True)),
                ("forward_lag_s", models.IntegerField(null=True)),
                ("reverse_gap", models.IntegerField(null=True)),
                ("reverse_lag_s", models.IntegerField(null=True)),
                (
                    "link",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="lag_samples", to="clusters.link"
                    ),
                ),
                ("state_rank", models.PositiveSmallIntegerField(null=True)),
            ],
            options={
                "indexes": [models.Index(fields=["link", "at"], name="lag_link_at")],
            },
        ),
        migrations.CreateModel(
            name="StrayChannel",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("channel_name", models.CharField(blank=True, max_length=191)),
                ("run_id", models.CharField(blank=True, max_length=14)),
                ("seen_at", models.DateTimeField()),
                (
                    "link",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="clusters.link"
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
                "constraints": [models.UniqueConstraint(fields=("link", "node"), name="stray_channel_once")],
            },
        ),
        migrations.CreateModel(
            name="LagProgress",
            fields=[
                ("width_s", models.PositiveSmallIntegerField(primary_key=True, serialize=False)),
                ("rolled_until", models.DateTimeField(null=True)),
                ("kept_from", models.DateTimeField(null=True)),
            ],
        ),
        migrations.CreateModel(
            name="LagBucket",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "link_id", "width_s", "at", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("width_s", models.PositiveSmallIntegerField()),
                ("at", models.DateTimeField()),
                ("samples", models.PositiveSmallIntegerField()),
                ("state_rank", models.PositiveSmallIntegerField(null=True)),
                ("forward_gap_min", models.IntegerField(null=True)),
                ("forward_gap_max", models.IntegerField(null=True)),
                ("forward_gap_sum", models.BigIntegerField(null=True)),
                ("forward_gap_known", models.PositiveSmallIntegerField()),
                ("forward_lag_s_min", models.IntegerField(null=True)),
                ("forward_lag_s_max", models.IntegerField(null=True)),
                ("forward_lag_s_sum", models.BigIntegerField(null=True)),
                ("forward_lag_s_known", models.PositiveSmallIntegerField()),
                ("reverse_gap_min", models.IntegerField(null=True)),
                ("reverse_gap_max", models.IntegerField(null=True)),
                ("reverse_gap_sum", models.BigIntegerField(null=True)),
                ("reverse_gap_known", models.PositiveSmallIntegerField()),
                ("reverse_lag_s_min", models.IntegerField(null=True)),
                ("reverse_lag_s_max", models.IntegerField(null=True)),
                ("reverse_lag_s_sum", models.BigIntegerField(null=True)),
                ("reverse_lag_s_known", models.PositiveSmallIntegerField()),
                (
                    "link",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="clusters.link",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="AbsenceAlarm",
            fields=[
                (
                    "node",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="clusters.node",
                    ),
                ),
                ("since", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="WriteSetReading",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("at", models.DateTimeField()),
                ("is_hourly", models.BooleanField()),
                ("state_uuid", models.CharField(max_length=36)),
                ("seqno", models.BigIntegerField()),
                ("replicated", models.BigIntegerField()),
                ("replicated_bytes", models.BigIntegerField()),
                ("received", models.BigIntegerField()),
                ("received_bytes", models.BigIntegerField()),
                ("write_sets", models.BigIntegerField()),
                ("bytes", models.BigIntegerField()),
                ("own_bytes", models.BigIntegerField()),
                ("covered_s", models.FloatField()),
                (
                    "node",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="clusters.node"
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["node", "at"], name="write_set_node_at"),
                    models.Index(fields=["is_hourly", "at"], name="write_set_age"),
                ],
            },
        ),
        migrations.CreateModel(
            name="NodeMaintenance",
            fields=[
                (
                    "id",
                    models.CharField(
                        default=backend.common.ids.maintenance_id,
                        editable=False,
                        max_length=14,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("open_cluster", models.CharField(max_length=14, null=True, unique=True)),
                ("run_id", models.CharField(max_length=14, unique=True)),
                ("opened_by", models.CharField(max_length=80)),
                ("opened_at", models.DateTimeField()),
                ("allowed_at", models.DateTimeField(null=True)),
                ("until", models.DateTimeField()),
                ("members", models.PositiveSmallIntegerField()),
                ("freeze_seqno", models.BigIntegerField(null=True)),
                ("unfrozen_at", models.DateTimeField(null=True)),
                ("unfreeze_error", models.TextField(blank=True)),
                ("stage", models.CharField(max_length=12)),
                ("result", models.CharField(blank=True, max_length=12)),
                ("sentence", models.TextField(blank=True)),
                ("watch", models.JSONField(default=dict)),
                ("left_at", models.DateTimeField(null=True)),
                ("returned_at", models.DateTimeField(null=True)),
                ("ended_at", models.DateTimeField(null=True)),
                ("ended_by", models.CharField(blank=True, max_length=80)),
                ("version", models.PositiveIntegerField(default=1)),
                (
                    "cluster",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="clusters.cluster"
                    ),
                ),
                (
                    "donor",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="clusters.node"
                    ),
                ),
                (
                    "link",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="clusters.link"
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
                "indexes": [models.Index(fields=["cluster", "-opened_at"], name="maintenance_of_cluster")],
            },
        ),
        migrations.CreateModel(
            name="ClusterOwner",
            fields=[
                (
                    "cluster",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="clusters.cluster",
                    ),
                ),
                ("holder", models.CharField(blank=True, db_index=True, default="", max_length=140)),
                ("epoch", models.PositiveBigIntegerField(default=0)),
                ("since", models.DateTimeField()),
                ("takeovers", models.PositiveIntegerField(default=0)),
            ],
        ),
        migrations.CreateModel(
            name="MonitorProcess",
            fields=[
                ("name", models.CharField(max_length=140, primary_key=True, serialize=False)),
                ("until", models.DateTimeField()),
                ("ready", models.JSONField(default=list)),
            ],
        ),
    ]
