from __future__ import annotations

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("api", "0001_initial")]
    operations = [migrations.RenameField("labcheck", "clean", "is_clean")]
