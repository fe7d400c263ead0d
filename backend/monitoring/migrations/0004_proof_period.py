import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("clusters", "0002_logged_origins_and_writes_on_both_sides"),
        ("monitoring", "0003_unsafe_period"),
    ]

    operations = [
        migrations.CreateModel(
            name="ProofPeriod",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("cause", models.CharField(blank=True, max_length=16)),
                ("began_at", models.DateTimeField()),
                ("ended_at", models.DateTimeField(db_index=True)),
                ("span_since_s", models.FloatField(null=True)),
                ("transactions", models.BigIntegerField(default=0)),
                ("compared", models.BigIntegerField(default=0)),
                ("is_latest", models.BooleanField(default=True, null=True)),
                (
                    "link",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="proof_periods",
                        to="clusters.link",
                    ),
                ),
                (
                    "receiving_cluster",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="clusters.cluster"
                    ),
                ),
                (
                    "source_cluster",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="clusters.cluster"
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["link", "receiving_cluster", "ended_at"], name="proof_period_ended")],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("link", "receiving_cluster", "is_latest"), name="proof_period_latest"
                    )
                ],
            },
        ),
    ]
