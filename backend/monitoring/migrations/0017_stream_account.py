from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("monitoring", "0016_other_sources")]

    operations = [migrations.AddField("channelrecord", "account", models.JSONField(null=True))]
