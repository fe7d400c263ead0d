#!/usr/bin/env bash
# Django 5.2.19 on SQLite and, with mysqlclient 2.3.1, on MariaDB 10.11.19 (Debian 12): a key of a JSONField takes
# `__gte` and `__lte`, which compare numbers as numbers on both. `__range` is expected to be the same as that pair, as
# it is of every other field. Of a key its limits go to the database as the text of JSON: on SQLite it finds no row
# ever, on MariaDB it compares by the alphabet. `order_by` of a key is by number on SQLite and by the alphabet on
# MariaDB. Nothing is raised.
# Seen of 2, 7, 10 and 30: gte=5 and lte=20 finds 7 and 10 on both, range (5, 20) none on both; range (1, 3) none on
# SQLite, 2 and 10 on MariaDB; in order 2 7 10 30 on SQLite, 10 2 30 7 on MariaDB.
set -euo pipefail
version=1:10.11.19-0+deb12u1
django=5.2.19
folder=$(mktemp -d)
server=
trap '[ -z "$server" ] || { kill "$server"; wait "$server" || true; }; rm -rf "$folder"' EXIT
chmod 755 "$folder"
cd "$folder"
packages=("mariadb-server-core=$version" "mariadb-client-core=$version")
apt-get -qq download "${packages[@]}" 2>/dev/null || { apt-get -qq update && apt-get -qq download "${packages[@]}"; }
for package in *.deb; do dpkg -x "$package" root; done
python3 -m venv env
env/bin/pip -q --disable-pip-version-check install "django==$django" "mysqlclient==2.3.1"

bin=$folder/root/usr/bin
"$bin/mariadb-install-db" --no-defaults --basedir="$folder/root/usr" --datadir="$folder/data" --user=root \
  --auth-root-authentication-method=normal --skip-test-db >install.log 2>&1
timeout 120 root/usr/sbin/mariadbd --no-defaults --basedir="$folder/root/usr" --datadir="$folder/data" --user=root \
  --skip-networking --socket="$folder/sock" --log-error="$folder/error.log" >out 2>&1 &
server=$!
sql() { "$bin/mariadb" --no-defaults -uroot -S sock -BN -e "$1"; }
for _ in $(seq 100); do sql "SELECT 1" >up 2>&1 && break || sleep 0.2; done
sql "CREATE DATABASE app; SELECT VERSION()"

cat >probe.py <<'PYTHON'
import django
from django.conf import settings
from django.db import connections, models

mysql = {"ENGINE": "django.db.backends.mysql", "NAME": "app", "USER": "root", "OPTIONS": {"unix_socket": "sock"}}
lite = {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}
settings.configure(DATABASES={"default": lite, "mariadb": mysql})
django.setup()


class Reading(models.Model):
    data = models.JSONField()

    class Meta:
        app_label = "app"


def numbers(rows):
    return " ".join(map(str, rows.values_list("data__n", flat=True))) or "none"


for name in ("default", "mariadb"):
    with connections[name].schema_editor() as editor:
        editor.create_model(Reading)
    readings = Reading.objects.using(name)
    for number in (2, 7, 10, 30):
        readings.create(data={"n": number})
    print(
        f"{connections[name].display_name}:",
        f"gte=5 lte=20 {numbers(readings.filter(data__n__gte=5, data__n__lte=20).order_by('id'))};",
        f"range (5, 20) {numbers(readings.filter(data__n__range=(5, 20)).order_by('id'))};",
        f"range (1, 3) {numbers(readings.filter(data__n__range=(1, 3)).order_by('id'))};",
        f"in order {numbers(readings.order_by('data__n'))}",
    )
PYTHON
echo "Django $django"
env/bin/python probe.py | tee seen
diff -q seen - >/dev/null <<'SEEN' || { echo "the behaviour has changed"; exit 1; }
SQLite: gte=5 lte=20 7 10; range (5, 20) none; range (1, 3) none; in order 2 7 10 30
MariaDB: gte=5 lte=20 7 10; range (5, 20) none; range (1, 3) 2 10; in order 10 2 30 7
SEEN
