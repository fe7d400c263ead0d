from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("hooks", "0001_squashed")]

    operations = [
        migrations.AddField(model_name="delivery", name="former", field=models.JSONField(null=True)),
    ]
