from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("monitoring", "0010_site_views")]

    operations = [migrations.AddField("linkstatus", "refreshed_at", models.DateTimeField(null=True))]
