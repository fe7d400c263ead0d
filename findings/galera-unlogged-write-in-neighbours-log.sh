#!/usr/bin/env bash
# MariaDB 10.11.19 with Galera 26.4.23 (Debian 12): a repair that must not reach an asynchronous replica is usually made
# with `sql_log_bin=0`, "so that it is in no binary log". On a Galera node that leaves it out of the log of that node
# alone. The cluster replicates it, and each neighbour with `log_slave_updates` writes it into its own log, under the
# server_id of the node it was made on. A replica of a neighbour, or one that is moved there later, applies the repair.
# With `wsrep_on=OFF` as well it stands in no log, and on no other node either.
# Seen: with sql_log_bin=0 the row on both nodes, 0 row events in the first log and 1 in the second, server_id 11; with
# both settings the row on the first node alone, and no further row event in either log.
set -euo pipefail
version=1:10.11.19-0+deb12u1
folder=$(mktemp -d)
pids=()
trap 'for pid in "${pids[@]}"; do kill "$pid"; wait "$pid" || true; done; rm -rf "$folder"' EXIT
chmod 755 "$folder"
cd "$folder"
packages=("mariadb-server-core=$version" "mariadb-server=$version" "mariadb-client-core=$version")
packages+=("galera-4=26.4.23-0+deb12u1" "rsync=3.5.0+ds1-0+deb12u1")
apt-get -qq download "${packages[@]}" 2>/dev/null || { apt-get -qq update && apt-get -qq download "${packages[@]}"; }
for package in *.deb; do dpkg -x "$package" root; done
bin=$folder/root/usr/bin
export PATH=$bin:$PATH # for the script of the state transfer

"$bin/mariadb-install-db" --no-defaults --basedir="$folder/root/usr" --datadir="$folder/data" --user=root \
  --auth-root-authentication-method=normal --skip-test-db >install.log 2>&1
ports() {
  python3 -c 'import socket; found = [socket.create_server(("127.0.0.1", 0)) for _ in range(4)]
print(*(one.getsockname()[1] for one in found))'
}
sql() { "$bin/mariadb" --no-defaults -uroot -S "$1/data/sock" -BN -e "$2"; }
# answers NAME STATEMENT: waits until the statement answers 1
answers() { for _ in $(seq 300); do [ "$(sql "$1" "$2" 2>/dev/null)" = 1 ] && return || sleep 0.2; done; }
# start NAME OPTION...; root's rsync daemon would give up its rights, so the servers are nobody's
start() {
  local own=$folder/$1/data
  mkdir "$1"
  cp -a data "$own"
  chown -R nobody "$own"
  timeout 240 root/usr/sbin/mariadbd --no-defaults --basedir="$folder/root/usr" --datadir="$own" --user=nobody \
    --socket="$own/sock" --log-error="$own/error.log" "${@:2}" >"$1/out" 2>&1 &
  pids+=($!)
}
# node NAME SERVER_ID OF_CLUSTER OPTION...; leaves its address in `address`
node() {
  local client group ist sst
  read -r client group ist sst <<<"$(ports)"
  address=127.0.0.1:$group
  start "$1" --bind-address=127.0.0.1 --port="$client" --server-id="$2" \
    --log-bin=binlog --log-slave-updates --binlog-format=ROW --innodb-autoinc-lock-mode=2 --wsrep-on=ON \
    --wsrep-provider="$folder/root/usr/lib/galera/libgalera_smm.so" \
    --wsrep-cluster-address="gcomm://$3" --wsrep-node-address="$address" --wsrep-sst-method=rsync \
    --wsrep-sst-receive-address="127.0.0.1:$sst" \
    --wsrep-provider-options="gmcast.listen_addr=tcp://$address;ist.recv_addr=127.0.0.1:$ist;gcache.size=16M" "${@:4}"
  answers "$1" "SELECT VARIABLE_VALUE = 'ON' FROM information_schema.GLOBAL_STATUS WHERE VARIABLE_NAME = 'wsrep_ready'"
}
# row_events NODE: how many of its log, and by which servers
row_events() {
  sql "$1" "SHOW BINLOG EVENTS IN '$(sql "$1" "SHOW MASTER STATUS" | cut -f 1)'" |
    awk -F '\t' '$3 ~ /^Write_rows/ {found++; ids[$4]} END {printf "%d", found; for (id in ids) printf " of %s", id}'
}
rows() { sql "$1" "SELECT GROUP_CONCAT(id ORDER BY id) FROM app.t"; }

node first 11 "" --wsrep-new-cluster
node second 12 "$address"
sql first "SELECT VERSION(); SHOW STATUS LIKE 'wsrep_provider_version'; SHOW STATUS LIKE 'wsrep_cluster_size'"
sql first "CREATE DATABASE app; CREATE TABLE app.t (id INT PRIMARY KEY)"
sql first "SET SESSION sql_log_bin=0; INSERT INTO app.t VALUES (1)"
answers second "SELECT COUNT(*) = 1 FROM app.t"
unlogged="$(rows first) and $(rows second); row events: $(row_events first) and $(row_events second)"
echo "sql_log_bin=0: rows $unlogged"
sql first "SET SESSION wsrep_on=OFF; SET SESSION sql_log_bin=0; INSERT INTO app.t VALUES (2)"
sql first "CREATE TABLE app.behind (id INT)"
answers second "SELECT COUNT(*) = 1 FROM information_schema.TABLES WHERE TABLE_NAME = 'behind'"
alone="$(rows first) and $(rows second); row events: $(row_events first) and $(row_events second)"
echo "and wsrep_on=OFF: rows $alone"
[ "$unlogged" = "1 and 1; row events: 0 and 1 of 11" ] && [ "$alone" = "1,2 and 1; row events: 0 and 1 of 11" ] ||
  { echo "the behaviour has changed"; exit 1; }
