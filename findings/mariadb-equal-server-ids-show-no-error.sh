#!/usr/bin/env bash
# MariaDB 10.11.19 (Debian 12): when two replicas come to one source under one server_id, the source throws the earlier
# one out with error 4052, which names the cause, as it does whatever else ends an I/O thread. But SHOW SLAVE STATUS
# never shows it: `Last_IO_Errno` stays 0 and `Last_IO_Error` empty, on both, for as long as they take turns. Only the
# error log has it. So a monitor by error numbers sees two replicas that are now and then Connecting. (A replica with
# the id of the source itself stops with 1593.)
# Seen until each had been Connecting once: each Yes at other times, both Last_IO_Errno 0 at all times, 4052 in both
# error logs.
set -euo pipefail
version=1:10.11.19-0+deb12u1
folder=$(mktemp -d)
pids=()
trap 'for pid in "${pids[@]}"; do kill "$pid"; wait "$pid" || true; done; rm -rf "$folder"' EXIT
chmod 755 "$folder"
cd "$folder"
packages=("mariadb-server-core=$version" "mariadb-client-core=$version")
apt-get -qq download "${packages[@]}" 2>/dev/null || { apt-get -qq update && apt-get -qq download "${packages[@]}"; }
for package in *.deb; do dpkg -x "$package" root; done

bin=$folder/root/usr/bin
"$bin/mariadb-install-db" --no-defaults --basedir="$folder/root/usr" --datadir="$folder/data" --user=root \
  --auth-root-authentication-method=normal --skip-test-db >install.log 2>&1
port=$(python3 -c 'import socket; print(socket.create_server(("127.0.0.1", 0)).getsockname()[1])')

# start NAME SERVER_ID OPTION...
start() {
  mkdir "$1"
  cp -a data "$1/data"
  local own=$folder/$1
  timeout 120 root/usr/sbin/mariadbd --no-defaults --basedir="$folder/root/usr" --datadir="$own/data" --user=root \
    --socket="$own/sock" --log-error="$own/error.log" --server-id="$2" --log-bin=binlog "${@:3}" >"$1/out" 2>&1 &
  pids+=($!)
  for _ in $(seq 100); do sql "$1" "SELECT 1" >"$1/up" 2>&1 && return || sleep 0.2; done
}
sql() { "$bin/mariadb" --no-defaults -uroot -S "$1/sock" -BN -e "$2"; }
# status REPLICA COLUMN
status() {
  "$bin/mariadb" --no-defaults -uroot -S "$1/sock" -e "SHOW SLAVE STATUS\G" | awk -v name="$2:" '$1 == name {print $2}'
}

start source 1 --bind-address=127.0.0.1 --port="$port"
sql source "CREATE USER replica@127.0.0.1; GRANT REPLICATION SLAVE ON *.* TO replica@127.0.0.1"
for replica in first second; do
  start $replica 7 --skip-networking
  sql $replica "CHANGE MASTER TO MASTER_HOST='127.0.0.1', MASTER_PORT=$port, MASTER_USER='replica',
    MASTER_LOG_FILE='binlog.000001', MASTER_LOG_POS=4, MASTER_CONNECT_RETRY=1; START SLAVE"
done
for _ in $(seq 300); do
  for replica in first second; do
    running=$(status $replica Slave_IO_Running)
    echo "$replica $running $(status $replica Last_IO_Errno)[$(status $replica Last_IO_Error)]"
  done >>looks
  grep -q "first Connecting" looks && grep -q "second Connecting" looks && break || sleep 0.2
done
sql source "SELECT VERSION()"
sort -u looks
logged=$(grep -l "server_errno=4052" first/error.log second/error.log | wc -l)
grep -ohE "A slave with the same server_uuid/server_id is already connected|server_errno=4052" first/error.log | sort -u
echo "error logs with 4052: $logged"
[ "$(sort -u looks | grep -v " Preparing ")" = "first Connecting 0[]
first Yes 0[]
second Connecting 0[]
second Yes 0[]" ] && [ "$logged" = 2 ] || { echo "the behaviour has changed"; exit 1; }
