from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("automation", "0003_people_behind_setters")]

    operations = [
        migrations.AddField(
            model_name=model,
            name="token_id",
            field=models.CharField(blank=True, db_default="", default="", max_length=14),
        )
        for model in ("automaticstart", "linkautomation")
    ]
