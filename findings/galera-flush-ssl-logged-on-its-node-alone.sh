#!/usr/bin/env bash
# MariaDB 10.11.19 with Galera 26.4.23 (Debian 12): a FLUSH is expected to be either executed and logged by every node of
# a cluster, in one order (FLUSH TABLES, HOSTS, ENGINE LOGS), or local and in no binary log (FLUSH BINARY LOGS). FLUSH SSL,
# which is run on each node once its certificate is renewed, is neither: it is written to the binary log of its node, with
# a GTID of that node, and no other node executes or logs it. So each node of a cluster whose certificates were renewed
# has logged a transaction that the logs of its neighbours lack.
# Seen: after FLUSH TABLES, SSL, HOSTS, ENGINE LOGS and one insert on the second node its binary log has all five, and the
# first one's all but FLUSH SSL.
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
# start NAME SERVER_ID OF_CLUSTER OPTION...; root's rsync daemon would give up its rights, so the nodes are nobody's
start() {
  local name=$1 id=$2 cluster=$3 client group ist sst
  read -r client group ist sst <<<"$(ports)"
  address=127.0.0.1:$group
  mkdir "$name"
  cp -a data "$name/data"
  chown -R nobody "$name/data"
  timeout 240 root/usr/sbin/mariadbd --no-defaults --basedir="$folder/root/usr" --datadir="$folder/$name/data" \
    --user=nobody --bind-address=127.0.0.1 --port="$client" --socket="$folder/$name/data/sock" --server-id="$id" \
    --log-error="$folder/$name/data/error.log" --binlog-format=ROW --innodb-autoinc-lock-mode=2 --log-bin=binlog --log-slave-updates \
    --wsrep-on=ON --wsrep-provider="$folder/root/usr/lib/galera/libgalera_smm.so" \
    --wsrep-cluster-address="gcomm://$cluster" --wsrep-node-address="$address" \
    --wsrep-sst-receive-address="127.0.0.1:$sst" --wsrep-sst-method=rsync \
    --wsrep-provider-options="gmcast.listen_addr=tcp://$address;ist.recv_addr=127.0.0.1:$ist;gcache.size=16M" \
    "${@:4}" >"$name/out" 2>&1 &
  pids+=($!)
  for _ in $(seq 300); do
    sql "$name" "SHOW STATUS LIKE 'wsrep_local_state_comment'" 2>/dev/null | grep -q Synced && return || sleep 0.2
  done
}
start first 11 "" --wsrep-new-cluster
start second 12 "$address"
sql first "SELECT VERSION(); SHOW STATUS LIKE 'wsrep_provider_version'; SHOW STATUS LIKE 'wsrep_cluster_size'"
sql first "CREATE DATABASE app; CREATE TABLE app.t (id INT PRIMARY KEY)"
sql second "SET SESSION wsrep_sync_wait=7; SELECT COUNT(*) FROM app.t" >/dev/null
for what in TABLES SSL HOSTS "ENGINE LOGS"; do sql second "FLUSH $what"; done
sql second "INSERT INTO app.t VALUES (1)"
sql first "SET SESSION wsrep_sync_wait=7; SELECT COUNT(*) FROM app.t" >/dev/null
# logged: what the node's binary logs hold of these, in order
logged() {
  sql "$1" "SHOW BINARY LOGS" | cut -f1 | while read -r file; do sql "$1" "SHOW BINLOG EVENTS IN '$file'"; done |
    grep -oE "FLUSH [A-Z ]+|Write_rows" | sed 's/ *$//' | paste -sd,
}
first=$(logged first) second=$(logged second)
echo "first:  $first"
echo "second: $second"
[ "$first" = "FLUSH TABLES,FLUSH HOSTS,FLUSH ENGINE LOGS,Write_rows" ] &&
  [ "$second" = "FLUSH TABLES,FLUSH SSL,FLUSH HOSTS,FLUSH ENGINE LOGS,Write_rows" ] ||
  { echo "the behaviour has changed"; exit 1; }
