from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("clusters", "0007_client_certificate"),
    ]

    operations = [
        migrations.AddField(
            model_name="cluster",
            name="logged_origins",
            field=models.JSONField(null=True),
        ),
    ]
