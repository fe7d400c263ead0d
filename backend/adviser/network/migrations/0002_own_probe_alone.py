from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("network", "0001_initial")]
    operations = [
        migrations.AlterField(
            "networkmeasurement", "tool", models.CharField(default="hawser-network-probe", max_length=24)
        ),
    ]
