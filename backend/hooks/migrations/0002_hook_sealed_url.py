"""The place for a webhook's sealed URL; the next migration fills it and drops the plain one."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("hooks", "0001_initial")]

    operations = [
        migrations.AddField("hook", "sealed_url", models.TextField(default=""), preserve_default=False),
    ]
