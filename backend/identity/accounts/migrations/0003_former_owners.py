from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0002_installation")]

    operations = [
        migrations.AddField(
            model_name="user",
            name="former_owners",
            field=models.ManyToManyField(related_name="formerly_owned", to=settings.AUTH_USER_MODEL),
        )
    ]
