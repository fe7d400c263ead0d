#!/usr/bin/env bash
# MariaDB 10.11.19 (Debian 12): a commit that waits for a semi-synchronous replica is expected to heed its session's
# `max_statement_time` and a lowered `rpl_semi_sync_master_timeout`, and to be safe from KILL QUERY as something that is
# done already. It is the other way round. The two limits change nothing for those that wait; but once a commit that
# came after the timeout was lowered runs into it, all older ones go on with it, long before their own time. And KILL
# QUERY ends the wait at once: not with an error, the statement answers OK, and its row stays without any replica
# having it.
# Seen under a timeout of 60 s, no replica, max_statement_time of 1 s: three sessions wait on after 3 s, and 2 s after
# the timeout was lowered to 1 s; one answers OK when it is killed, the two others with a fourth that began last. Four
# rows.
set -euo pipefail
version=1:10.11.19-0+deb12u1
folder=$(mktemp -d)
server=
trap '[ -z "$server" ] || { kill "$server"; wait "$server" || true; }; rm -rf "$folder"' EXIT
chmod 755 "$folder"
cd "$folder"
packages=("mariadb-server-core=$version" "mariadb-client-core=$version")
apt-get -qq download "${packages[@]}" 2>/dev/null || { apt-get -qq update && apt-get -qq download "${packages[@]}"; }
for package in *.deb; do dpkg -x "$package" root; done

bin=$folder/root/usr/bin
"$bin/mariadb-install-db" --no-defaults --basedir="$folder/root/usr" --datadir="$folder/data" --user=root \
  --auth-root-authentication-method=normal --skip-test-db >install.log 2>&1
timeout 120 root/usr/sbin/mariadbd --no-defaults --basedir="$folder/root/usr" --datadir="$folder/data" --user=root \
  --skip-networking --socket="$folder/sock" --log-error="$folder/error.log" --server-id=1 --log-bin=binlog >out 2>&1 &
server=$!
sql() { "$bin/mariadb" --no-defaults -uroot -S sock -BN -e "$1"; }
# becomes NUMBER STATEMENT: waits until the statement answers so
becomes() { for _ in $(seq 100); do [ "$(sql "$2" 2>up)" = "$1" ] && return || sleep 0.2; done; }
waiting="FROM information_schema.PROCESSLIST WHERE STATE = 'Waiting for semi-sync ACK from slave'"
waits() { sql "SELECT COUNT(*) $waiting"; }
# insert ID: in the background; its file says how it ended
insert() {
  { sql "SET SESSION max_statement_time=1; INSERT INTO app.t VALUES ($1)" 2>&1 && echo OK || echo failed; } >"ended$1" &
}

becomes 1 "SELECT 1"
sql "SELECT VERSION(); CREATE DATABASE app; CREATE TABLE app.t (id INT PRIMARY KEY)
  ; SET GLOBAL rpl_semi_sync_master_timeout=60000; SET GLOBAL rpl_semi_sync_master_enabled=ON"
started=$SECONDS
for id in 1 2 3; do insert $id; done
becomes 3 "SELECT COUNT(*) $waiting"
sleep 3
past_limit=$(waits)
sql "SET GLOBAL rpl_semi_sync_master_timeout=1000"
sleep 2
past_timeout=$(waits)
sql "KILL QUERY $(sql "SELECT ID $waiting LIMIT 1")"
becomes 2 "SELECT COUNT(*) $waiting"
killed="$(waits) wait, ended: $(cat ended* | sort | uniq -c | xargs)"
insert 4
becomes 0 "SELECT COUNT(*) $waiting"
sleep 1
last="$(waits) wait, ended: $(cat ended* | sort | uniq -c | xargs), $(sql "SELECT COUNT(*) FROM app.t") rows"
took=$((SECONDS - started))
echo "3 s past a max_statement_time of 1 s: $past_limit wait"
echo "2 s past a timeout lowered to 1 s: $past_timeout wait"
echo "KILL QUERY: $killed"
echo "a fourth after that: $last; all within 60 s: $([ $took -lt 60 ] && echo yes || echo no)"
[ "$past_limit" = 3 ] && [ "$past_timeout" = 3 ] && [ "$killed" = "2 wait, ended: 1 OK" ] &&
  [ "$last" = "0 wait, ended: 4 OK, 4 rows" ] && [ $took -lt 60 ] || { echo "the behaviour has changed"; exit 1; }
