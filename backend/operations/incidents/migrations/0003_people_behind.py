from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("incidents", "0002_tokens_of_confirmations")]

    operations = [migrations.AddField(model_name="incident", name="people_behind", field=models.JSONField(null=True))]
