#!/usr/bin/env bash
# MariaDB 10.11.19 with Galera 26.4.23 (Debian 12): an event runs on the node that it was created on, ENABLED there and
# SLAVESIDE_DISABLED on the others. An ALTER EVENT that only changes the comment, sent to another node, is expected to
# leave that as it is. But it takes the event over without enabling it: the status of the node that it was sent to
# stays SLAVESIDE_DISABLED, it is named as the originator, and on the node that ran the event it becomes
# SLAVESIDE_DISABLED, too. So the event runs nowhere, with no error or warning, until somebody enables it.
# Seen: ENABLED and SLAVESIDE_DISABLED (originator 11 on both); after the comment was set on the second node
# SLAVESIDE_DISABLED twice (originator 12), and no more rows of the event in 5 s; after ENABLE there ENABLED on the
# second node, and rows again.
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
    --log-error="$folder/$name/data/error.log" --binlog-format=ROW --innodb-autoinc-lock-mode=2 --event-scheduler=ON \
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
# told: status and originator on either node, each after what it was told has come
told() {
  for node in first second; do
    echo "$node $(sql $node "SET SESSION wsrep_sync_wait=1; SELECT status, originator FROM information_schema.events")"
  done | paste -sd' ' | tr '\t' ' '
}
# grows: whether the event writes within 5 s
grows() {
  local before end=$((SECONDS + 5))
  sleep 1.5 # one that was under way
  before=$(sql first "SELECT COUNT(*) FROM app.t")
  while [ $SECONDS -lt $end ]; do
    [ "$(sql first "SELECT COUNT(*) FROM app.t")" = "$before" ] || { echo "rows"; return; }
    sleep 0.2
  done
  echo "no rows"
}

start first 11 "" --wsrep-new-cluster
start second 12 "$address"
sql first "SELECT VERSION(); SHOW STATUS LIKE 'wsrep_provider_version'; SHOW STATUS LIKE 'wsrep_cluster_size'"
sql first "CREATE DATABASE app; CREATE TABLE app.t (id INT AUTO_INCREMENT PRIMARY KEY)
  ; CREATE EVENT app.e ON SCHEDULE EVERY 1 SECOND DO INSERT INTO app.t () VALUES ()"
created="$(told): $(grows)"
echo "created on the first: $created"
warned=$(sql second "ALTER EVENT app.e COMMENT 'nightly'; SHOW WARNINGS")
commented="$(told): $(grows)"
echo "comment set on the second: $commented, warnings: ${warned:-none}"
sql second "ALTER EVENT app.e ENABLE"
enabled="$(told): $(grows)"
echo "enabled on the second: $enabled"
[ "$created" = "first ENABLED 11 second SLAVESIDE_DISABLED 11: rows" ] && [ -z "$warned" ] &&
  [ "$commented" = "first SLAVESIDE_DISABLED 12 second SLAVESIDE_DISABLED 12: no rows" ] &&
  [ "$enabled" = "first SLAVESIDE_DISABLED 12 second ENABLED 12: rows" ] ||
  { echo "the behaviour has changed"; exit 1; }
