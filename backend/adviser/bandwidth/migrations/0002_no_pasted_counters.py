"""Byte counters are not pasted any more. The released code still reads their table, which goes after the release."""

from __future__ import annotations

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("bandwidth", "0001_initial")]

    operations = [
        migrations.SeparateDatabaseAndState(state_operations=[migrations.DeleteModel("PairCounters")]),
    ]
