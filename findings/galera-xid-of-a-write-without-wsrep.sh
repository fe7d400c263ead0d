#!/usr/bin/env bash
# MariaDB 10.11.19 with Galera 26.4.23 (Debian 12): in the binary log of a Galera node the Xid event that ends a
# transaction holds the write-set's seqno, the same on every node, so tools look a transaction up by it, or count what
# lies between two of them. A transaction of a session with `wsrep_on=OFF` stands in the same log with a Xid, too, and
# nothing else tells it. But its number is the server's own count of statements: above the cluster's counter on a young
# cluster, below it on an old one, out of the order of the log, and sooner or later the seqno of another transaction.
# Seen: seqnos 4 5 6, each wsrep_last_committed; of the session 42 (as many statements as the script had sent), while
# wsrep_last_committed stays 6; then 7; and 36 write-sets later one that is 42, too, in the same log.
set -euo pipefail
version=1:10.11.19-0+deb12u1
folder=$(mktemp -d)
pids=()
trap 'for pid in "${pids[@]}"; do kill "$pid"; wait "$pid" || true; done; rm -rf "$folder"' EXIT
chmod 755 "$folder"
cd "$folder"
packages=("mariadb-server-core=$version" "mariadb-server=$version" "mariadb-client-core=$version")
packages+=("galera-4=26.4.23-0+deb12u1")
apt-get -qq download "${packages[@]}" 2>/dev/null || { apt-get -qq update && apt-get -qq download "${packages[@]}"; }
for package in *.deb; do dpkg -x "$package" root; done
bin=$folder/root/usr/bin

"$bin/mariadb-install-db" --no-defaults --basedir="$folder/root/usr" --datadir="$folder/data" --user=root \
  --auth-root-authentication-method=normal --skip-test-db >install.log 2>&1
read -r client group ist <<<"$(python3 -c 'import socket
found = [socket.create_server(("127.0.0.1", 0)) for _ in range(3)]
print(*(one.getsockname()[1] for one in found))')"
sql() { "$bin/mariadb" --no-defaults -uroot -S "$folder/sock" -BN -e "$1"; }
timeout 240 root/usr/sbin/mariadbd --no-defaults --basedir="$folder/root/usr" --datadir="$folder/data" --user=root \
  --socket="$folder/sock" --log-error="$folder/error.log" --bind-address=127.0.0.1 --port="$client" --server-id=11 \
  --log-bin=binlog --log-slave-updates --binlog-format=ROW --innodb-autoinc-lock-mode=2 --wsrep-on=ON \
  --wsrep-provider="$folder/root/usr/lib/galera/libgalera_smm.so" --wsrep-cluster-address=gcomm:// \
  --wsrep-node-address="127.0.0.1:$group" --wsrep-new-cluster \
  --wsrep-provider-options="gmcast.listen_addr=tcp://127.0.0.1:$group;ist.recv_addr=127.0.0.1:$ist;gcache.size=16M" \
  >out 2>&1 &
pids+=($!)
ready="SELECT VARIABLE_VALUE = 'ON' FROM information_schema.GLOBAL_STATUS WHERE VARIABLE_NAME = 'wsrep_ready'"
for _ in $(seq 300); do [ "$(sql "$ready" 2>/dev/null)" = 1 ] && break || sleep 0.2; done

committed() { sql "SHOW STATUS LIKE 'wsrep_last_committed'" | cut -f 2; }
# xids: of the log, in its order
xids() { sql "SHOW BINLOG EVENTS IN 'binlog.000001'" | sed -n 's/.*xid=\([0-9]*\).*/\1/p'; }
last() { xids | tail -n 1; }
alone() { sql "SET SESSION wsrep_on=OFF; INSERT INTO app.t (v) VALUES ('alone')"; }

sql "SELECT VERSION(); SHOW STATUS LIKE 'wsrep_provider_version'; CREATE DATABASE app
  ; CREATE TABLE app.t (id INT AUTO_INCREMENT PRIMARY KEY, v VARCHAR(10))"
is_seqno=yes
for _ in 1 2 3; do
  sql "INSERT INTO app.t (v) VALUES ('wsrep')"
  [ "$(last)" = "$(committed)" ] || is_seqno=no
done
before=$(committed)
alone
own=$(last)
unmoved=$([ "$(committed)" = "$before" ] && echo yes || echo no)
sql "INSERT INTO app.t (v) VALUES ('wsrep')"
following=$(last)
while [ "$(committed)" -lt "$own" ]; do sql "INSERT INTO app.t (v) VALUES ('wsrep')"; done
twice=$(xids | sort -n | uniq -d | paste -sd' ')
echo "of write-sets: $(xids | head -n 3 | paste -sd' '), each the counter: $is_seqno"
echo "of the session: $own, counter unmoved: $unmoved; the next write-set: $following; twice in the log: $twice"
[ "$is_seqno $unmoved" = "yes yes" ] && [ "$own" -gt "$((before + 1))" ] && [ "$following" = "$((before + 1))" ] &&
  [ "$twice" = "$own" ] || { echo "the behaviour has changed"; exit 1; }
