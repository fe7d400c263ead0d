import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [
        ("monitoring", "0009_node_logs"),
        ("monitoring", "0010_site_views"),
        ("monitoring", "0013_link_refreshed"),
        ("monitoring", "0014_node_events"),
        ("monitoring", "0015_channel_conflicts"),
        ("monitoring", "0016_other_sources"),
        ("monitoring", "0017_stream_account"),
    ]

    dependencies = [
        ("monitoring", "0001_squashed"),
        ("clusters", "0001_squashed"),
        ("clusters", "0002_logged_origins_and_writes_on_both_sides"),
    ]

    operations = [
        migrations.CreateModel(
            name="NodeLog",
            fields=[
                (
                    "node",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="log",
                        serialize=False,
                        to="clusters.node",
                    ),
                ),
                ("state_uuid", models.CharField(max_length=36)),
                ("seqno", models.BigIntegerField()),
                ("file", models.CharField(max_length=220)),
                ("created_s", models.BigIntegerField()),
                ("event_offset", models.BigIntegerField(null=True)),
                ("end_offset", models.BigIntegerField()),
                ("xid", models.BigIntegerField(null=True)),
                ("server_id", models.BigIntegerField(null=True)),
                ("started_at_s", models.FloatField()),
                ("observed_at_s", models.FloatField()),
                ("unread_since_s", models.FloatField(null=True)),
            ],
        ),
        migrations.AddField(
            model_name="channelrecord",
            name="log_break",
            field=models.JSONField(null=True),
        ),
        migrations.AddField(
            model_name="checkpoint",
            name="is_void",
            field=models.BooleanField(db_default=False),
        ),
        migrations.CreateModel(
            name="ClusterView",
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
                ("state_uuid", models.CharField(max_length=36)),
                ("seqnos", models.JSONField(default=dict)),
                ("differs_since", models.DateTimeField(null=True)),
                ("parted", models.JSONField(default=list)),
                ("observed_at", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="SideFence",
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
                ("run_id", models.CharField(max_length=14)),
                ("kind", models.CharField(max_length=24)),
                ("fenced_at", models.DateTimeField()),
                ("opened_at", models.DateTimeField(null=True)),
            ],
        ),
        migrations.AddField(
            model_name="linkstatus",
            name="refreshed_at",
            field=models.DateTimeField(null=True),
        ),
        migrations.CreateModel(
            name="NodeEvents",
            fields=[
                (
                    "node",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="events",
                        serialize=False,
                        to="clusters.node",
                    ),
                ),
                ("read_at", models.DateTimeField()),
                ("events", models.JSONField()),
            ],
        ),
        migrations.AddField(
            model_name="channelrecord",
            name="applied_at_s",
            field=models.FloatField(null=True),
        ),
        migrations.AddField(
            model_name="channelrecord",
            name="cert_failures",
            field=models.BigIntegerField(null=True),
        ),
        migrations.CreateModel(
            name="OtherSource",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("channel_name", models.CharField(blank=True, max_length=191)),
                ("channel", models.JSONField()),
                ("log_break", models.JSONField(null=True)),
                (
                    "node",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="other_sources", to="clusters.node"
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("node", "channel_name"), name="other_source_channel")],
            },
        ),
        migrations.AddField(
            model_name="channelrecord",
            name="account",
            field=models.JSONField(null=True),
        ),
    ]
