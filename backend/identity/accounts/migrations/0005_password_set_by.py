from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0004_tokens_of_changes")]

    operations = [
        migrations.AddField(
            model_name="user",
            name="password_set_by",
            field=models.CharField(blank=True, db_default="", default="", max_length=80),
        )
    ]
