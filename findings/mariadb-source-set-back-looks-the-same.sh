#!/usr/bin/env bash
# MariaDB 10.11.19 (Debian 12): a source whose data folder was put back to an older copy, and written to since, is
# expected to be found out by a replica that comes back with GTIDs of the time before: `gtid_strict_mode` is on, and the
# replica holds changes that the source never had. But a GTID has no part that differs from one start, or copy, to the
# next. The set-back server gives the same numbers to other changes, in a log file of the same name, under the same
# `server_uid`. Once it has as many of them as the replica the channel runs without an error, and what was written under
# numbers that the replica knows never comes. Only the time in the file's first event differs.
# Seen: binlog.000002 with 0-1-6 and 0-1-7 for rows 2 and 3, then for rows 4 and 5; the replica, reconnecting behind
# 0-1-7, runs, shows no error and ends with rows 1 2 3 6, the source with 1 4 5 6.
set -euo pipefail
version=1:10.11.19-0+deb12u1
folder=$(mktemp -d)
declare -A pids=()
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
sql() { "$bin/mariadb" --no-defaults -uroot -S "$1.sock" -BN -e "$2"; }
# answers NAME STATEMENT: waits until the statement answers 1
answers() { for _ in $(seq 150); do [ "$(sql "$1" "$2" 2>up)" = 1 ] && return || sleep 0.2; done; }
# start NAME OPTION...
start() {
  timeout 120 root/usr/sbin/mariadbd --no-defaults --basedir="$folder/root/usr" --datadir="$folder/$1" --user=root \
    --socket="$folder/$1.sock" --log-error="$folder/$1.log" --gtid-strict-mode=ON "${@:2}" >out 2>&1 &
  pids[$1]=$!
  answers "$1" "SELECT 1"
}
start_source() {
  start source --bind-address=127.0.0.1 --port="$port" --server-id=1 --log-bin=binlog --binlog-format=ROW
}
stop_source() {
  kill "${pids[source]}"
  wait "${pids[source]}" || true
  unset "pids[source]"
}
rows() { sql "$1" "SELECT GROUP_CONCAT(id ORDER BY id SEPARATOR ' ') FROM app.t"; }
# log_file: what tells the source's log file from others; and the time that its first event says
log_file() {
  echo "$(sql source "SHOW MASTER STATUS" | cut -f 1) $(sql source "SELECT @@server_uid")"
  "$bin/mariadb-binlog" --no-defaults source/binlog.000002 | grep -oE "GTID 0-1-[67]|created .* at startup" >events
  grep GTID events
}
created() { grep created events; }

start_source
sql source "SELECT VERSION(); CREATE DATABASE app; CREATE TABLE app.t (id INT PRIMARY KEY); INSERT INTO app.t VALUES (1)
  ; CREATE USER replica@127.0.0.1; GRANT REPLICATION SLAVE ON *.* TO replica@127.0.0.1; SELECT @@gtid_binlog_pos"
stop_source
cp -a source copy
start_source
start replica --skip-networking --server-id=2
sql replica "CHANGE MASTER TO MASTER_HOST='127.0.0.1', MASTER_PORT=$port, MASTER_USER='replica',
  MASTER_USE_GTID=slave_pos, MASTER_CONNECT_RETRY=1; START SLAVE"
sql source "INSERT INTO app.t VALUES (2); INSERT INTO app.t VALUES (3)"
answers replica "SELECT COUNT(*) = 3 FROM app.t"
before=$(log_file)
created_before=$(created)
sql replica "STOP SLAVE"
stop_source
rm -rf source && mv copy source
start_source
sleep 1.1 # the time is in whole seconds
sql source "INSERT INTO app.t VALUES (4); INSERT INTO app.t VALUES (5)"
sql replica "START SLAVE"
sql source "INSERT INTO app.t VALUES (6)"
answers replica "SELECT COUNT(*) = 1 FROM app.t WHERE id = 6"
after=$(log_file)
created_after=$(created)
status=$("$bin/mariadb" --no-defaults -uroot -S replica.sock -e "SHOW SLAVE STATUS\G" |
  grep -E "Slave_(IO|SQL)_Running:|Last_(IO|SQL)_Errno" | sed 's/^ *//' | paste -sd' ')
echo "before: $(paste -sd' ' <<<"$before"), $created_before"
echo "after: $(paste -sd' ' <<<"$after"), $created_after"
echo "source: rows $(rows source); replica: rows $(rows replica), $status"
[ "$before" = "$after" ] && [ "$created_before" != "$created_after" ] && [ "$(rows source)" = "1 4 5 6" ] &&
  [ "$(rows replica)" = "1 2 3 6" ] &&
  [ "$status" = "Slave_IO_Running: Yes Slave_SQL_Running: Yes Last_IO_Errno: 0 Last_SQL_Errno: 0" ] ||
  { echo "the behaviour has changed"; exit 1; }
