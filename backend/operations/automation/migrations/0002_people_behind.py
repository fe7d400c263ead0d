from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("automation", "0001_squashed")]

    operations = [
        migrations.AddField(
            model_name=model,
            name=name,
            field=models.CharField(blank=True, db_default="", default="", max_length=80),
        )
        for model, name in (
            ("automaticstart", "set_by"),
            ("linkautomation", "set_by"),
            ("linkautomation", "acknowledged_by"),
        )
    ]
