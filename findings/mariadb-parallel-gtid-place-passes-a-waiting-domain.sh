#!/usr/bin/env bash
# MariaDB 10.11.19 (Debian 12), a replica by GTID with slave_parallel_threads: Exec_Master_Log_Pos is expected to be the
# place up to which everything is executed, which a DBA takes when he moves the replica to file and position. With more
# than one GTID domain it is not: it stands at the end of what was read while a transaction of another domain, written
# before, still waits for a row lock. Only gtid_slave_pos tells, by lacking the domain.
# Seen: 20 newer rows of domain 0 are executed, the update of domain 77 is not, and Exec_Master_Log_Pos equals both
# Read_Master_Log_Pos and the end of the source's log, and Seconds_Behind_Master is 0; gtid_slave_pos has no 77.
set -euo pipefail
version=1:10.11.19-0+deb12u1
folder=$(mktemp -d)
declare -A pids=()
trap 'for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; wait "$pid" 2>/dev/null || true; done; rm -rf "$folder"' EXIT
chmod 755 "$folder"
cd "$folder"
packages=("mariadb-server-core=$version" "mariadb-server=$version" "mariadb-client-core=$version")
apt-get -qq download "${packages[@]}" 2>/dev/null || { apt-get -qq update && apt-get -qq download "${packages[@]}"; }
for package in *.deb; do dpkg -x "$package" root; done
bin=$folder/root/usr/bin
"$bin/mariadb-install-db" --no-defaults --basedir="$folder/root/usr" --datadir="$folder/data" --user=root \
  --auth-root-authentication-method=normal --skip-test-db >install.log 2>&1

sql() { "$bin/mariadb" --no-defaults -uroot -S "$folder/$1/sock" -BN -e "$2"; }
status() { "$bin/mariadb" --no-defaults -uroot -S "$folder/replica/sock" -e "SHOW SLAVE STATUS\G" | sed -n "s/^ *$1: //p"; }
until_true() { for _ in $(seq 300); do [ "$(eval "$1")" = "$2" ] && return || sleep 0.2; done; echo "waited in vain: $1"; exit 1; }
# start NAME SERVER_ID PORT
start() {
  cp -a data "$1"
  timeout 240 root/usr/sbin/mariadbd --no-defaults --basedir="$folder/root/usr" --datadir="$folder/$1" --user=root \
    --bind-address=127.0.0.1 --port="$3" --socket="$folder/$1/sock" --server-id="$2" \
    --log-bin=binlog --binlog-format=ROW --slave-parallel-threads=4 --skip-slave-start --innodb-lock-wait-timeout=200 >"$1.out" 2>&1 &
  pids[$1]=$!
  until_true "sql $1 'SELECT 1' 2>/dev/null || true" 1
}
read -r first second <<<"$(python3 -c 'import socket; found = [socket.create_server(("127.0.0.1", 0)) for _ in range(2)]
print(*(one.getsockname()[1] for one in found))')"
start source 1 "$first"
start replica 2 "$second"
sql source "SELECT VERSION()"
sql replica "CHANGE MASTER TO master_host='127.0.0.1', master_port=$first, master_user='root', master_use_gtid=slave_pos; START SLAVE"
sql source "CREATE DATABASE app; CREATE TABLE app.slow (id INT PRIMARY KEY, n INT); CREATE TABLE app.fast (id INT PRIMARY KEY)"
sql source "INSERT INTO app.slow VALUES (1, 0)"
until_true "sql replica 'SELECT COUNT(*) FROM app.slow' 2>/dev/null || true" 1

# Another session of the replica holds the row that the transaction of domain 77 is to change.
sql replica "BEGIN; SELECT id FROM app.slow FOR UPDATE; SELECT SLEEP(200)" >/dev/null 2>&1 &
pids[lock]=$!
until_true "sql replica \"SELECT COUNT(*) FROM information_schema.innodb_trx WHERE trx_rows_locked > 0\"" 1
sql source "SET gtid_domain_id=77; UPDATE app.slow SET n=1; SET gtid_domain_id=0; $(printf 'INSERT INTO app.fast VALUES (%d);' $(seq 20))"
until_true "sql replica 'SELECT COUNT(*) FROM app.fast'" 20
end=$(sql source "SHOW MASTER STATUS" | cut -f2)
until_true "status Exec_Master_Log_Pos" "$end"
read -r executed read_to <<<"$(status Exec_Master_Log_Pos) $(status Read_Master_Log_Pos)"
held=$(sql replica "SELECT CONCAT(@@gtid_slave_pos, ' n=', (SELECT n FROM app.slow))")
echo "written to $end, executed to $executed, read to $read_to, behind by $(status Seconds_Behind_Master) s, gtid_slave_pos and row: $held"
[ "$executed" = "$end" ] && [[ $held != *77-* && $held == *n=0 ]] || { echo "the behaviour has changed"; exit 1; }
