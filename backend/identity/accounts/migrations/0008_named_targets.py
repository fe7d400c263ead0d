from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0007_people_behind_accounts")]

    operations = [
        migrations.AddField(
            model_name=model,
            name=name,
            field=models.CharField(blank=True, db_default="", default="", max_length=length),
        )
        for model, name, length in (("protectedchange", "target_name", 80), ("user", "made_with_token", 14))
    ]
