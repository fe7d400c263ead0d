from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("hooks", "0002_former_receiver")]

    operations = [
        migrations.AddField(model_name="hook", name="formers", field=models.JSONField(null=True)),
        migrations.AddField(model_name="hook", name="former_until", field=models.DateTimeField(null=True)),
        migrations.AddField(
            model_name="hook", name="is_deleted", field=models.BooleanField(db_default=False, default=False)
        ),
    ]
