"""Several persons approve one round of a run."""

from django.db import migrations, models


class Migration(migrations.Migration):
    """The new constraint comes first: its index serves the foreign key when that of the old one is dropped."""

    dependencies = [("runs", "0005_run_takeovers")]

    operations = [
        migrations.AddConstraint(
            model_name="approval",
            constraint=models.UniqueConstraint(fields=("run", "round", "approver"), name="approval_round_approver"),
        ),
        migrations.RemoveConstraint(model_name="approval", name="approval_round"),
        migrations.AlterModelOptions(name="approval", options={"ordering": ["round", "id"]}),
        migrations.AddField(model_name="run", name="approval_reminded_at", field=models.DateTimeField(null=True)),
        migrations.AddField(model_name="run", name="approval_rule", field=models.JSONField(null=True)),
    ]
