#!/usr/bin/env bash
# python-mysql-replication 1.0.17 (the usual binlog reader of Python) on MariaDB 10.11.19 (Debian 12): the values of a
# row event are expected to be those that a SELECT gives, and most are. Four kinds are others, without a warning: of a
# negative TIME with a fraction the fraction is added where it should be taken away (so -.5 alone hides it), the YEAR
# 0000 is 1900, a TIMESTAMP of zeros is the beginning of 1970, and a BINARY value has lost the zero bytes at its end. A
# copy kept from the log then differs from its table, and one looked up by such a value misses.
# Seen, as selected and as read from the log: -5400.75 s and -5400.25; -0.5 and -0.5; year 0 and 1900; zeros and 1970;
# b"a\0b\0" and b"a\0b". Positive times and other years are the same.
set -euo pipefail
version=1:10.11.19-0+deb12u1
reader=1.0.17
folder=$(mktemp -d)
server=
trap '[ -z "$server" ] || { kill "$server"; wait "$server" || true; }; rm -rf "$folder"' EXIT
chmod 755 "$folder"
cd "$folder"
packages=("mariadb-server-core=$version" "mariadb-client-core=$version")
apt-get -qq download "${packages[@]}" 2>/dev/null || { apt-get -qq update && apt-get -qq download "${packages[@]}"; }
for package in *.deb; do dpkg -x "$package" root; done
python3 -m venv env
env/bin/pip -q --disable-pip-version-check install "mysql-replication==$reader" "PyMySQL==1.2.4"

bin=$folder/root/usr/bin
"$bin/mariadb-install-db" --no-defaults --basedir="$folder/root/usr" --datadir="$folder/data" --user=root \
  --auth-root-authentication-method=normal --skip-test-db >install.log 2>&1
port=$(python3 -c 'import socket; print(socket.create_server(("127.0.0.1", 0)).getsockname()[1])')
timeout 120 root/usr/sbin/mariadbd --no-defaults --basedir="$folder/root/usr" --datadir="$folder/data" --user=root \
  --bind-address=127.0.0.1 --port="$port" --socket="$folder/sock" --log-error="$folder/log" --server-id=1 \
  --log-bin=binlog --binlog-format=ROW --binlog-row-metadata=FULL --sql-mode= >out 2>&1 &
server=$!
for _ in $(seq 100); do
  "$bin/mariadb" --no-defaults -uroot -S sock -e "SELECT 1" >up 2>&1 && break || sleep 0.2
done

cat >probe.py <<'PYTHON'
import datetime
import sys

import pymysql
from pymysqlreplication import BinLogStreamReader
from pymysqlreplication.row_event import WriteRowsEvent

login = {"host": "127.0.0.1", "port": int(sys.argv[1]), "user": "root", "passwd": ""}
cursor = pymysql.connect(**login, autocommit=True).cursor()
cursor.execute("SELECT VERSION(), @@gtid_binlog_pos")
version, behind = cursor.fetchone()
cursor.execute("CREATE DATABASE app")
cursor.execute("CREATE TABLE app.t (ti TIME(2), y YEAR, ts TIMESTAMP NULL, b BINARY(4))")
cursor.execute(
    r"INSERT INTO app.t VALUES ('-01:30:00.75', '0000', '0000-00-00', 'a\0b\0'),"
    " ('-00:00:00.5', '1901', NULL, 'abcd'), ('01:30:00.75', '2026', NULL, 'abcd')"
)
cursor.execute("SELECT * FROM app.t")
selected = cursor.fetchall()
stream = BinLogStreamReader(
    connection_settings=login, server_id=77, is_mariadb=True, auto_position=behind, only_events=[WriteRowsEvent]
)
logged = [tuple(row["values"].values()) for event in stream for row in event.rows]
stream.close()


def shown(value):
    return value.total_seconds() if isinstance(value, datetime.timedelta) else value


def as_bytes(value):
    return value.encode() if isinstance(value, str) else value


print("MariaDB", version)
for number, rows in enumerate(zip(selected, logged, strict=True), 1):
    for column, (table, log) in zip(("TIME", "YEAR", "TIMESTAMP", "BINARY"), zip(*rows, strict=True), strict=True):
        if as_bytes(table) != as_bytes(log):
            print(f"row {number}: {column} selected {shown(table)}, read {shown(log)}")
PYTHON
echo "mysql-replication $reader"
env/bin/python probe.py "$port" 2>complaint | tee seen
diff -q <(tail -n +2 seen) - >/dev/null <<'SEEN' && [ ! -s complaint ] || { echo "the behaviour has changed"; exit 1; }
row 1: TIME selected -5400.75, read -5400.25
row 1: YEAR selected 0, read 1900
row 1: TIMESTAMP selected 0000-00-00 00:00:00, read 1970-01-01 00:00:00
row 1: BINARY selected b'a\x00b\x00', read b'a\x00b'
SEEN
