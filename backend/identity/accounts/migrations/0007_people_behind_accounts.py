from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0006_people_behind_changes")]

    operations = [
        migrations.AddField(model_name="user", name="people_behind", field=models.JSONField(null=True)),
        migrations.AddField(model_name="protectedchange", name="earlier_tokens", field=models.JSONField(null=True)),
    ]
