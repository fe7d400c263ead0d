from typing import Any

from django.db import migrations, models


def name_the_setters(apps: Any, _schema_editor: Any) -> None:
    """Who set a password is behind the account until its next change is confirmed."""
    for user in apps.get_model("accounts", "User").objects.exclude(password_set_by=""):
        user.people_behind = [user.password_set_by]
        user.save(update_fields=["people_behind"])


class Migration(migrations.Migration):
    dependencies = [("accounts", "0006_people_behind_changes")]

    operations = [
        migrations.AddField(model_name="user", name="people_behind", field=models.JSONField(null=True)),
        migrations.AddField(model_name="protectedchange", name="earlier_tokens", field=models.JSONField(null=True)),
        migrations.RunPython(name_the_setters, migrations.RunPython.noop),
    ]
