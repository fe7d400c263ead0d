from django.db import migrations, models

import backend.identity.accounts.models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0003_former_owners")]

    operations = [
        migrations.AddField(
            model_name="protectedchange",
            name="token_id",
            field=models.CharField(
                blank=True, db_default="", default=backend.identity.accounts.models.token_of_request, max_length=14
            ),
        )
    ]
