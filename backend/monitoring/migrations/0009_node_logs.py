import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("clusters", "0007_client_certificate"), ("monitoring", "0008_checkpoint_indexes")]

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
        migrations.AddField("channelrecord", "log_break", models.JSONField(null=True)),
        migrations.AddField("checkpoint", "is_void", models.BooleanField(db_default=False)),
    ]
