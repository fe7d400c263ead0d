#!/usr/bin/env bash
# MariaDB 10.11.19 with Galera 26.4.23 (Debian 12): a replica whose SQL thread stops on a transaction is said to stand
# before it, so that START SLAVE applies it again. An asynchronous channel on a Galera node can lose a conflict with a
# write of another node. With slave_transaction_retries=0 its SQL thread then stops with error number 0, and
# Exec_Master_Log_Pos and gtid_slave_pos may include the transaction that lost: no node of the cluster has its rows, and
# no log of the cluster has its GTID. START SLAVE goes on behind it.
# Seen: SQL thread No, error 0; the last transaction that gtid_slave_pos names stands once in the source's log and 0
# times in those of both nodes; after START SLAVE it is still in neither.
set -euo pipefail
version=1:10.11.19-0+deb12u1
folder=$(mktemp -d)
pids=()
trap 'for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null; wait "$pid" || true; done; rm -rf "$folder"' EXIT
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
# start NAME SERVER_ID PORT OPTION...; root's rsync daemon would give up its rights, so the servers are nobody's
start() {
  local own=$folder/$1/data
  mkdir "$1"
  cp -a data "$own"
  chown -R nobody "$own"
  timeout 600 root/usr/sbin/mariadbd --no-defaults --basedir="$folder/root/usr" --datadir="$own" --user=nobody \
    --socket="$own/sock" --log-error="$own/error.log" --bind-address=127.0.0.1 --server-id="$2" --port="$3" \
    --log-bin=binlog --log-slave-updates --binlog-format=ROW "${@:4}" >"$1/out" 2>&1 &
  pids+=($!)
}
# node NAME SERVER_ID OF_CLUSTER OPTION...; leaves its address in `address`
node() {
  local client group ist sst
  read -r client group ist sst <<<"$(ports)"
  address=127.0.0.1:$group
  start "$1" "$2" "$client" --innodb-autoinc-lock-mode=2 --wsrep-on=ON \
    --wsrep-provider="$folder/root/usr/lib/galera/libgalera_smm.so" \
    --wsrep-cluster-address="gcomm://$3" --wsrep-node-address="$address" --wsrep-sst-method=rsync \
    --wsrep-sst-receive-address="127.0.0.1:$sst" \
    --wsrep-provider-options="gmcast.listen_addr=tcp://$address;ist.recv_addr=127.0.0.1:$ist;gcache.size=16M" "${@:4}"
  answers "$1" "SELECT VARIABLE_VALUE = 'ON' FROM information_schema.GLOBAL_STATUS WHERE VARIABLE_NAME = 'wsrep_ready'"
}
state() {
  "$bin/mariadb" --no-defaults -uroot -S replica/data/sock -e "SHOW SLAVE STATUS\G" |
    awk -v name="$1:" '$1 == name {print $2}'
}
# stands GTID NODE: how often a log of the node begins a transaction under it
stands() {
  for file in $(sql "$2" "SHOW BINARY LOGS" | cut -f 1); do
    sql "$2" "SHOW BINLOG EVENTS IN '$file'"
  done | grep -c "BEGIN GTID $1$" || true
}
# changes NODE COLUMN: one row, again and again, until `stop` is there
changes() {
  while [ ! -e stop ]; do printf 'UPDATE app.t SET %s = %s + 1 WHERE id = 1;\n' "$2" "$2" && sleep 0.01; done |
    "$bin/mariadb" --no-defaults -uroot -S "$1/data/sock" --force >/dev/null 2>&1 || true
}

read -r port _ <<<"$(ports)"
start source 1 "$port"
answers source "SELECT 1"
node replica 11 "" --wsrep-new-cluster --slave-transaction-retries=0 --wsrep-gtid-mode=OFF
node neighbour 12 "$address"
sql source "SELECT VERSION(); CREATE DATABASE app; CREATE TABLE app.t (id INT PRIMARY KEY, here INT, there INT)"
sql source "INSERT INTO app.t VALUES (1, 0, 0); GRANT REPLICATION SLAVE ON *.* TO r@localhost IDENTIFIED BY 'r'"
sql replica "SHOW STATUS LIKE 'wsrep_provider_version'"
sql replica "CHANGE MASTER TO MASTER_HOST='127.0.0.1', MASTER_PORT=$port, MASTER_USER='r', MASTER_PASSWORD='r'"
lost=""
for _ in $(seq 30); do
  rm -f stop
  sql replica "START SLAVE"
  answers neighbour "SELECT COUNT(*) = 1 FROM app.t"
  changes source here & changing=$!
  changes neighbour there & conflicting=$!
  for _ in $(seq 600); do [ "$(state Slave_SQL_Running)" = No ] && break || sleep 0.1; done
  touch stop
  wait "$changing" "$conflicting"
  last=$(sql replica "SELECT @@gtid_slave_pos")
  echo "SQL thread $(state Slave_SQL_Running), error $(state Last_SQL_Errno), gtid_slave_pos $last"
  found="$(stands "$last" source), $(stands "$last" replica) and $(stands "$last" neighbour)"
  echo "it stands in the logs of source, replica and neighbour: $found"
  if [ "$(state Slave_SQL_Running) $(state Last_SQL_Errno) $found" = "No 0 1, 0 and 0" ]; then lost=$last && break; fi
done
[ -n "$lost" ] || { echo "the behaviour has changed"; exit 1; }
sql replica "SET GLOBAL slave_transaction_retries=10; START SLAVE"
sql source "INSERT INTO app.t VALUES (2, 0, 0)"
answers neighbour "SELECT COUNT(*) = 1 FROM app.t WHERE id = 2"
after="$(stands "$lost" replica) and $(stands "$lost" neighbour)"
echo "once a later transaction has arrived: $after"
[ "$after" = "0 and 0" ] || { echo "the behaviour has changed"; exit 1; }
