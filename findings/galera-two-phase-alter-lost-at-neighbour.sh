#!/usr/bin/env bash
# MariaDB 10.11.19 with Galera 26.4.23 (Debian 12), `wsrep_gtid_mode=ON` as is advised where a replica may change from
# one node to another: the same GTID is expected to be the same change on every node. Of an ALTER under
# `binlog_alter_two_phase=ON` the node that runs it logs two halves, START ALTER under the cluster's GTID and COMMIT
# ALTER under one of its own domain; its neighbour logs one plain ALTER under the GTID of the first half. So a replica
# by GTID that has had the first half alone (its source died meanwhile) and goes on at the neighbour never executes
# the statement. Nothing tells it: a row that fills the new column arrives without that value.
# Seen: "100-11-4 START ALTER" and "1-11-1 COMMIT ALTER" on the first node, "100-11-4" on the second; the replica,
# behind 100-11-4 of the first, goes on at the second without an error and ends with 2 rows and no new column, the
# nodes with 2 rows and the column.
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
# node NAME OWN_DOMAIN OF_CLUSTER OPTION...; leaves its port in `client` and its address in `address`
node() {
  local group ist sst
  read -r client group ist sst <<<"$(ports)"
  address=127.0.0.1:$group
  start "$1" --bind-address=127.0.0.1 --port="$client" --server-id=11 --gtid-domain-id="$2" \
    --log-bin=binlog --log-slave-updates --binlog-format=ROW --innodb-autoinc-lock-mode=2 --wsrep-on=ON \
    --wsrep-gtid-mode=ON --wsrep-gtid-domain-id=100 --wsrep-provider="$folder/root/usr/lib/galera/libgalera_smm.so" \
    --wsrep-cluster-address="gcomm://$3" --wsrep-node-address="$address" --wsrep-sst-method=rsync \
    --wsrep-sst-receive-address="127.0.0.1:$sst" \
    --wsrep-provider-options="gmcast.listen_addr=tcp://$address;ist.recv_addr=127.0.0.1:$ist;gcache.size=16M" "${@:4}"
  answers "$1" "SELECT VARIABLE_VALUE = 'ON' FROM information_schema.GLOBAL_STATUS WHERE VARIABLE_NAME = 'wsrep_ready'"
}
# logged NODE: the GTIDs of its ALTER
logged() {
  sql "$1" "SHOW BINLOG EVENTS IN '$(sql "$1" "SHOW MASTER STATUS" | cut -f 1)'" | cut -f 6 |
    grep -iB 1 "^alter table" | grep -oE "GTID .*" | cut -c 6- | paste -sd,
}
held() {
  sql "$1" "SELECT CONCAT((SELECT COUNT(*) FROM app.t), ' rows, ', COUNT(*), ' new column')
    FROM information_schema.COLUMNS WHERE TABLE_NAME = 't' AND TABLE_SCHEMA = 'app' AND COLUMN_NAME = 'added'"
}
source_of_replica() {
  sql replica "CHANGE MASTER TO MASTER_HOST='127.0.0.1', MASTER_PORT=$1, MASTER_USER='replica',
    MASTER_USE_GTID=slave_pos"
}

node first 1 "" --wsrep-new-cluster
first=$client
node second 2 "$address"
second=$client
start replica --skip-networking --server-id=31
answers replica "SELECT 1"
sql first "SELECT VERSION(); SHOW STATUS LIKE 'wsrep_provider_version'; SHOW STATUS LIKE 'wsrep_cluster_size'"
sql first "CREATE DATABASE app; CREATE TABLE app.t (id INT PRIMARY KEY); INSERT INTO app.t VALUES (1)
  ; SET SESSION binlog_alter_two_phase=ON; ALTER TABLE app.t ADD COLUMN added INT, ALGORITHM=COPY
  ; INSERT INTO app.t VALUES (2, 2); SET SESSION wsrep_on=OFF; SET SESSION sql_log_bin=OFF
  ; CREATE USER replica@127.0.0.1; GRANT REPLICATION SLAVE ON *.* TO replica@127.0.0.1"
sql second "SET SESSION wsrep_on=OFF; SET SESSION sql_log_bin=OFF
  ; CREATE USER replica@127.0.0.1; GRANT REPLICATION SLAVE ON *.* TO replica@127.0.0.1"
answers second "SELECT COUNT(*) = 2 FROM app.t"
log_of_first=$(logged first)
log_of_second=$(logged second)
echo "the ALTER on the first node: $log_of_first; on the second: $log_of_second"

source_of_replica "$first"
sql replica "START SLAVE UNTIL master_gtid_pos='100-11-4'"
answers replica "SELECT @@gtid_slave_pos = '100-11-4'"
sql replica "STOP SLAVE"
source_of_replica "$second"
sql replica "START SLAVE"
answers replica "SELECT @@gtid_slave_pos = '100-11-5'"
status=$("$bin/mariadb" --no-defaults -uroot -S replica/data/sock -e "SHOW SLAVE STATUS\G" |
  grep -E "Slave_(IO|SQL)_Running:|Last_Errno" | sed 's/^ *//' | paste -sd' ')
replica=$(held replica)
node=$(held second)
echo "the replica: $status, $replica; the second node: $node"
[ "$log_of_first" = "100-11-4 START ALTER,1-11-1 COMMIT ALTER id=4" ] && [ "$log_of_second" = 100-11-4 ] &&
  [ "$status" = "Slave_IO_Running: Yes Slave_SQL_Running: Yes Last_Errno: 0" ] &&
  [ "$replica" = "2 rows, 0 new column" ] && [ "$node" = "2 rows, 1 new column" ] ||
  { echo "the behaviour has changed"; exit 1; }
