import django.core.validators
import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

import backend.common.ids


class Migration(migrations.Migration):
    replaces = [
        ("accounts", "0001_initial"),
        ("accounts", "0002_second_persons_and_sign_ins"),
        ("accounts", "0003_preferences"),
        ("accounts", "0004_saved_views"),
        ("accounts", "0005_view_and_tour"),
        ("accounts", "0006_rights"),
        ("accounts", "0007_first_steps_and_ends_of_tokens"),
        ("accounts", "0008_longer_password_hashes"),
    ]

    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="Team",
            fields=[
                (
                    "id",
                    models.CharField(
                        default=backend.common.ids.team_id,
                        editable=False,
                        max_length=14,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("name", models.CharField(max_length=63, unique=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
            ],
        ),
        migrations.CreateModel(
            name="User",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("password", models.CharField(max_length=255)),
                ("last_login", models.DateTimeField(blank=True, null=True, verbose_name="last login")),
                (
                    "username",
                    models.CharField(
                        max_length=63,
                        unique=True,
                        validators=[django.core.validators.RegexValidator("^[A-Za-z0-9][A-Za-z0-9._@-]{0,62}$")],
                    ),
                ),
                (
                    "role",
                    models.CharField(
                        choices=[
                            ("none", "none"),
                            ("viewer", "viewer"),
                            ("auditor", "auditor"),
                            ("operator", "operator"),
                            ("approver", "approver"),
                            ("admin", "admin"),
                        ],
                        default="viewer",
                        max_length=10,
                    ),
                ),
                ("is_active", models.BooleanField(default=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("name_skeleton", models.CharField(editable=False, max_length=80)),
                ("os_users", models.JSONField(default=dict)),
                ("second_person_from", models.DateTimeField(default=django.utils.timezone.now)),
                ("is_service", models.BooleanField(db_default=False, default=False)),
                (
                    "owner",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="service_accounts",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "owner_team",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="service_accounts",
                        to="accounts.team",
                    ),
                ),
                ("initial_password_until", models.DateTimeField(null=True)),
                ("notice_accepted_at", models.DateTimeField(null=True)),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.AddField(
            model_name="team",
            name="members",
            field=models.ManyToManyField(related_name="teams", to=settings.AUTH_USER_MODEL),
        ),
        migrations.AlterField(
            model_name="user",
            name="name_skeleton",
            field=models.CharField(editable=False, max_length=80, unique=True),
        ),
        migrations.CreateModel(
            name="LoginCounter",
            fields=[
                ("key", models.CharField(max_length=120, primary_key=True, serialize=False)),
                ("failures", models.PositiveIntegerField(default=0)),
                ("window_started_at", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="ApiToken",
            fields=[
                (
                    "id",
                    models.CharField(
                        default=backend.common.ids.token_id,
                        editable=False,
                        max_length=14,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("label", models.CharField(max_length=63)),
                (
                    "role",
                    models.CharField(
                        choices=[
                            ("none", "none"),
                            ("viewer", "viewer"),
                            ("auditor", "auditor"),
                            ("operator", "operator"),
                            ("approver", "approver"),
                            ("admin", "admin"),
                        ],
                        max_length=10,
                    ),
                ),
                ("digest", models.CharField(max_length=64, unique=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("expires_at", models.DateTimeField()),
                ("last_used_at", models.DateTimeField(null=True)),
                ("revoked_at", models.DateTimeField(null=True)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="tokens", to=settings.AUTH_USER_MODEL
                    ),
                ),
                ("second_person_from", models.DateTimeField(default=django.utils.timezone.now)),
                ("addresses", models.JSONField(null=True)),
                ("environments", models.JSONField(null=True)),
                ("links", models.JSONField(null=True)),
                ("permissions", models.JSONField(null=True)),
                (
                    "rotated_from",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="successors",
                        to="accounts.apitoken",
                    ),
                ),
                ("end_told_at", models.DateTimeField(null=True)),
            ],
        ),
        migrations.CreateModel(
            name="ProtectedChange",
            fields=[
                (
                    "id",
                    models.CharField(
                        default=backend.common.ids.protected_change_id,
                        editable=False,
                        max_length=14,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("kind", models.CharField(max_length=40)),
                ("target", models.CharField(max_length=80)),
                ("summary", models.CharField(max_length=300)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("waiting", "waiting"),
                            ("confirmed", "confirmed"),
                            ("effective", "effective"),
                            ("rejected", "rejected"),
                        ],
                        default="waiting",
                        max_length=10,
                    ),
                ),
                ("requested_by", models.CharField(max_length=80)),
                ("requested_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("effective_at", models.DateTimeField(db_index=True)),
                ("decided_by", models.CharField(blank=True, max_length=80)),
                ("decided_at", models.DateTimeField(null=True)),
                ("comment", models.TextField(blank=True)),
            ],
        ),
        migrations.CreateModel(
            name="SignIn",
            fields=[
                (
                    "id",
                    models.CharField(
                        default=backend.common.ids.session_id,
                        editable=False,
                        max_length=14,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("session_key", models.CharField(max_length=40, unique=True)),
                ("source_ip", models.CharField(blank=True, max_length=45)),
                ("user_agent", models.CharField(blank=True, max_length=200)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("last_active_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("ended_at", models.DateTimeField(null=True)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="sign_ins",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Preferences",
            fields=[
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="preferences",
                        serialize=False,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("time_zone", models.CharField(default="UTC", max_length=64)),
                (
                    "time_format",
                    models.CharField(choices=[("24h", "24h"), ("12h", "12h")], default="24h", max_length=3),
                ),
                (
                    "density",
                    models.CharField(
                        choices=[("comfortable", "comfortable"), ("compact", "compact")],
                        default="comfortable",
                        max_length=11,
                    ),
                ),
                (
                    "color_scheme",
                    models.CharField(
                        choices=[("auto", "auto"), ("light", "light"), ("dark", "dark")], default="auto", max_length=5
                    ),
                ),
                ("link_views", models.JSONField(default=list)),
                (
                    "tour",
                    models.CharField(
                        choices=[
                            ("offered", "offered"),
                            ("picture", "picture"),
                            ("failure", "failure"),
                            ("relocate", "relocate"),
                            ("proof", "proof"),
                            ("result", "result"),
                            ("history", "history"),
                            ("ended", "ended"),
                        ],
                        default="offered",
                        max_length=8,
                    ),
                ),
                (
                    "workflow_view",
                    models.CharField(choices=[("steps", "steps"), ("page", "page")], default="steps", max_length=5),
                ),
            ],
        ),
    ]
