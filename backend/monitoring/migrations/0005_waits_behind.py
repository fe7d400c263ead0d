"""The place of a log that is gone, at which a channel stood when its source's log began anew."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("monitoring", "0004_left_pointed"),
    ]

    operations = [
        migrations.AddField(
            model_name="channelrecord",
            name="waits_behind",
            field=models.CharField(blank=True, default="", max_length=240),
        ),
    ]
