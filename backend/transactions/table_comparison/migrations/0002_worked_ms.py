from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("table_comparison", "0001_initial"),
    ]

    operations = [
        migrations.AddField(
            model_name="tablecomparison",
            name="worked_ms",
            field=models.PositiveBigIntegerField(db_default=0),
        ),
    ]
