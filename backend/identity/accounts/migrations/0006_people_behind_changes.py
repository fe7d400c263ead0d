from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0005_password_set_by")]

    operations = [
        migrations.AddField(model_name="protectedchange", name="people_behind", field=models.JSONField(null=True))
    ]
