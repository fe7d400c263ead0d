from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("automation", "0002_people_behind")]

    operations = [
        migrations.AddField(model_name=model, name="people_behind", field=models.JSONField(null=True))
        for model in ("automaticstart", "linkautomation")
    ]
