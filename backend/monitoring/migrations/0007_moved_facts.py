from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("monitoring", "0006_cluster_owners")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RenameField("nodestate", "facts", "base"),
                migrations.AlterField("nodestate", "base", models.JSONField(db_column="facts", default=dict)),
            ],
        ),
        migrations.AddField("nodestate", "moved", models.JSONField(null=True)),
    ]
