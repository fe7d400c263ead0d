#!/usr/bin/env bash
# MariaDB 10.11.19 (Debian 12): `binlog_format=ROW` is taken to make a replica hold what its source holds, whatever
# functions a statement calls. An ALTER TABLE that fills a new column from its default has no rows in the log, though:
# only its text, which the replica executes again. With DEFAULT (UUID()) or (RAND()) each row has another value there.
# No statement warns and no error stops the channel; a row is alike again once something else of it is changed, as its
# whole image travels then. CREATE TABLE ... SELECT UUID() and DEFAULT NOW(6) end alike on both.
# Seen: 4 of 5 values of UUID() and of RAND() differ, those of the row that was changed do not; 0 of the copied table and
# of NOW(6); 0 warnings, both threads run.
set -euo pipefail
version=1:10.11.19-0+deb12u1
folder=$(mktemp -d)
pids=()
trap 'for pid in "${pids[@]}"; do kill "$pid"; wait "$pid" || true; done; rm -rf "$folder"' EXIT
chmod 755 "$folder"
cd "$folder"
packages=("mariadb-server-core=$version" "mariadb-client-core=$version" "mariadb-client=$version")
apt-get -qq download "${packages[@]}" 2>/dev/null || { apt-get -qq update && apt-get -qq download "${packages[@]}"; }
for package in *.deb; do dpkg -x "$package" root; done
bin=$folder/root/usr/bin

"$bin/mariadb-install-db" --no-defaults --basedir="$folder/root/usr" --datadir="$folder/source" --user=root \
  --auth-root-authentication-method=normal --skip-test-db >install.log 2>&1
cp -a source replica
port=$(python3 -c 'import socket; print(socket.create_server(("127.0.0.1", 0)).getsockname()[1])')
sql() { "$bin/mariadb" --no-defaults -uroot -S "$1.sock" -D mysql -BN -e "$2"; }
# answers NAME STATEMENT: waits until the statement answers 1
answers() { for _ in $(seq 150); do [ "$(sql "$1" "$2" 2>up)" = 1 ] && return || sleep 0.2; done; }
# start NAME OPTION...
start() {
  timeout 120 root/usr/sbin/mariadbd --no-defaults --basedir="$folder/root/usr" --datadir="$folder/$1" --user=root \
    --socket="$folder/$1.sock" --log-error="$folder/$1.log" --binlog-format=ROW "${@:2}" >out 2>&1 &
  pids+=($!)
  answers "$1" "SELECT 1"
}
# differing TABLE COLUMN: of how many rows the two servers have other values
differing() {
  diff <(sql source "SELECT id, $2 FROM app.$1 ORDER BY id") <(sql replica "SELECT id, $2 FROM app.$1 ORDER BY id") |
    grep -c '^<' || true
}

start source --bind-address=127.0.0.1 --port="$port" --server-id=1 --log-bin=binlog
start replica --skip-networking --server-id=2
sql source "SELECT VERSION(); CREATE USER replica@127.0.0.1; GRANT REPLICATION SLAVE ON *.* TO replica@127.0.0.1"
sql replica "CHANGE MASTER TO MASTER_HOST='127.0.0.1', MASTER_PORT=$port, MASTER_USER='replica',
  MASTER_USE_GTID=slave_pos; START SLAVE"
warnings=$(sql source "CREATE DATABASE app; CREATE TABLE app.t (id INT PRIMARY KEY) SELECT seq AS id FROM seq_1_to_5
  ; CREATE TABLE app.copied (id INT PRIMARY KEY) SELECT id, UUID() AS u FROM app.t
  ; ALTER TABLE app.t ADD COLUMN by_uuid CHAR(36) DEFAULT (UUID()); SHOW WARNINGS
  ; ALTER TABLE app.t ADD COLUMN by_rand DOUBLE DEFAULT (RAND()); SHOW WARNINGS
  ; ALTER TABLE app.t ADD COLUMN by_now DATETIME(6) DEFAULT NOW(6); SHOW WARNINGS
  ; UPDATE app.t SET by_now = '2026-01-01' WHERE id = 3; CREATE TABLE app.last (id INT)" 2>&1 | wc -l)
answers replica "SELECT COUNT(*) = 1 FROM information_schema.TABLES WHERE TABLE_NAME = 'last'"
found="by_uuid $(differing t by_uuid), by_rand $(differing t by_rand), by_now $(differing t by_now)"
found+=", copied $(differing copied u)"
rows=$(sql source "SHOW BINLOG EVENTS" | awk -F '\t' '$3 ~ /^Write_rows/ {found++} END {print found + 0}')
status=$("$bin/mariadb" --no-defaults -uroot -S replica.sock -e "SHOW SLAVE STATUS\G" |
  grep -E "Slave_(IO|SQL)_Running:|Last_(IO|SQL)_Errno" | sed 's/^ *//' | paste -sd' ')
echo "differing values: $found; warnings: $warnings; events with new rows: $rows; replica: $status"
[ "$found" = "by_uuid 4, by_rand 4, by_now 0, copied 0" ] && [ "$warnings" = 0 ] && [ "$rows" = 2 ] &&
  [ "$status" = "Slave_IO_Running: Yes Slave_SQL_Running: Yes Last_IO_Errno: 0 Last_SQL_Errno: 0" ] ||
  { echo "the behaviour has changed"; exit 1; }
