#!/usr/bin/env bash
# MariaDB 10.11.19 with Galera 26.4.23 (Debian 12): `mariadbd --wsrep-recover` is said to print the position of the
# storage engine and to leave the node as it is; it runs before each start by systemd (galera_recovery). With log_bin set
# it begins a binary log file of its own, which no client ever writes to: a restart moves the log on by two files, and a
# reader that follows the log's end from one file to the next finds itself two files behind.
# Seen: binlog.000001 before; binlog.000002, without a transaction, after --wsrep-recover; the server that is started then
# writes binlog.000003.
set -euo pipefail
version=1:10.11.19-0+deb12u1
folder=$(mktemp -d)
pid=
trap '[ -z "$pid" ] || { kill "$pid" 2>/dev/null; wait "$pid" || true; }; rm -rf "$folder"' EXIT
cd "$folder"
packages=("mariadb-server-core=$version" "mariadb-server=$version" "mariadb-client-core=$version")
packages+=("galera-4=26.4.23-0+deb12u1")
apt-get -qq download "${packages[@]}" 2>/dev/null || { apt-get -qq update && apt-get -qq download "${packages[@]}"; }
for package in *.deb; do dpkg -x "$package" root; done
bin=$folder/root/usr/bin
"$bin/mariadb-install-db" --no-defaults --basedir="$folder/root/usr" --datadir="$folder/data" \
  --auth-root-authentication-method=normal --skip-test-db >install.log 2>&1
read -r group ist < <(python3 -c 'import socket; found = [socket.create_server(("127.0.0.1", 0)) for _ in range(2)]
print(*(one.getsockname()[1] for one in found))')
options=(--no-defaults "--basedir=$folder/root/usr" "--datadir=$folder/data" "--socket=$folder/sock" --user="$(id -un)"
  --skip-networking --server-id=1 --log-bin=binlog --log-slave-updates --binlog-format=ROW --innodb-autoinc-lock-mode=2
  --wsrep-on=ON "--wsrep-provider=$folder/root/usr/lib/galera/libgalera_smm.so" --wsrep-cluster-address=gcomm://
  "--wsrep-node-address=127.0.0.1:$group"
  "--wsrep-provider-options=gmcast.listen_addr=tcp://127.0.0.1:$group;ist.recv_addr=127.0.0.1:$ist;gcache.size=16M")
sql() { "$bin/mariadb" --no-defaults -uroot -S "$folder/sock" -BN -e "$1"; }
# start OPTION...: until it takes statements
start() {
  timeout 300 root/usr/sbin/mariadbd "${options[@]}" "$@" >server.log 2>&1 &
  pid=$!
  for _ in $(seq 300); do [ "$(sql "SELECT @@wsrep_on AND @@server_id" 2>/dev/null)" = 1 ] && return || sleep 0.2; done
}
stop() {
  sql SHUTDOWN
  wait "$pid"
  pid=
}
logs() { (cd data && echo binlog.0*); }

start --wsrep-new-cluster
sql "SELECT VERSION(); CREATE DATABASE app; CREATE TABLE app.t (id INT PRIMARY KEY); INSERT INTO app.t VALUES (1)"
stop
before=$(logs)
timeout 120 root/usr/sbin/mariadbd "${options[@]}" --wsrep-recover >recover.log 2>&1
recovered=$(logs)
sed -i 's/safe_to_bootstrap: 0/safe_to_bootstrap: 1/' data/grastate.dat
start --wsrep-new-cluster
sql "INSERT INTO app.t VALUES (2)"
after=$(logs)
groups=$(sql "SHOW BINLOG EVENTS IN 'binlog.000002'" | grep -c GTID || true)
inserts=$(sql "SHOW BINLOG EVENTS IN 'binlog.000003'" | grep -c 'Write_rows' || true)
stop
printf 'before: %s\nafter --wsrep-recover: %s\nafter the start: %s\ntransactions in binlog.000002: %s, in binlog.000003: %s\n' \
  "$before" "$recovered" "$after" "$groups" "$inserts"
[ "$before" = "binlog.000001" ] && [ "$recovered" = "binlog.000001 binlog.000002" ]
[ "$after" = "binlog.000001 binlog.000002 binlog.000003" ] && [ "$groups $inserts" = "0 1" ]
