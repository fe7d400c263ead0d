from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [("clusters", "0008_logged_origins"), ("clusters", "0009_writes_on_both_sides")]

    dependencies = [("clusters", "0001_squashed")]

    operations = [
        migrations.AddField(
            model_name="cluster",
            name="logged_origins",
            field=models.JSONField(null=True),
        ),
        migrations.AddField(
            model_name="link",
            name="writes_on_both_sides",
            field=models.BooleanField(db_default=False, default=False),
        ),
    ]
