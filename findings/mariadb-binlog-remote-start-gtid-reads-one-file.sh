#!/usr/bin/env bash
# mariadb-binlog of MariaDB 10.11.19 (Debian 12): several files may be named, and `--start-position` takes a GTID since
# 10.8. Read from disk, and read from a server by an offset, all of the named files are printed. Read from a server by a
# GTID only the first is: the others are left out with exit code 0 and not a word, so a script that fetches what came
# after a backup ends early. Named with `--to-last-log` and the first file alone, all come.
# Seen: of groups 0-1-3, 0-1-4 and 0-1-5 behind 0-1-2, one in each of three files: all three from disk by GTID, all
# three from the server by offset and with `--to-last-log`, 0-1-3 alone from the server by GTID; each ended with 0.
set -euo pipefail
version=1:10.11.19-0+deb12u1
folder=$(mktemp -d)
server=
trap '[ -z "$server" ] || { kill "$server"; wait "$server" || true; }; rm -rf "$folder"' EXIT
chmod 755 "$folder"
cd "$folder"
packages=("mariadb-server-core=$version" "mariadb-client-core=$version" "mariadb-client=$version")
apt-get -qq download "${packages[@]}" 2>/dev/null || { apt-get -qq update && apt-get -qq download "${packages[@]}"; }
for package in *.deb; do dpkg -x "$package" root; done
bin=$folder/root/usr/bin

"$bin/mariadb-install-db" --no-defaults --basedir="$folder/root/usr" --datadir="$folder/data" --user=root \
  --auth-root-authentication-method=normal --skip-test-db >install.log 2>&1
timeout 120 root/usr/sbin/mariadbd --no-defaults --basedir="$folder/root/usr" --datadir="$folder/data" --user=root \
  --skip-networking --socket="$folder/sock" --log-error="$folder/log" --server-id=1 --log-bin=binlog >out 2>&1 &
server=$!
sql() { "$bin/mariadb" --no-defaults -uroot -S sock -BN -e "$1"; }
for _ in $(seq 100); do sql "SELECT 1" >/dev/null 2>&1 && break || sleep 0.2; done

sql "CREATE DATABASE app; CREATE TABLE app.t (id INT PRIMARY KEY)"
for id in 3 4 5; do sql "INSERT INTO app.t VALUES ($id)"; [ $id = 5 ] || sql "FLUSH BINARY LOGS"; done
files=(binlog.000001 binlog.000002 binlog.000003)

# groups ARGUMENT...: the GTIDs behind 0-1-2 that mariadb-binlog prints, and how it ended
groups() {
  local ended=0
  "$bin/mariadb-binlog" --no-defaults "$@" >printed 2>complaint || ended=$?
  local found
  found=$(grep -oE "GTID 0-1-[345]" printed | cut -c 6- | paste -sd' ')
  echo "$found, ended with $ended, $(wc -c <complaint) bytes of error"
}
remote=(--read-from-remote-server -uroot -S sock)
from_disk=$(groups --start-position=0-1-2 "${files[@]/#/data/}")
by_offset=$(groups "${remote[@]}" --start-position=4 "${files[@]}")
to_last=$(groups "${remote[@]}" --start-position=0-1-2 --to-last-log "${files[0]}")
by_gtid=$(groups "${remote[@]}" --start-position=0-1-2 "${files[@]}")
echo "mariadb-binlog of $version"
echo "from disk by GTID: $from_disk"
echo "from the server by offset: $by_offset"
echo "from the server by GTID, to the last log: $to_last"
echo "from the server by GTID: $by_gtid"
all="0-1-3 0-1-4 0-1-5, ended with 0, 0 bytes of error"
[ "${from_disk%%,*}" = "${all%%,*}" ] && [ "$by_offset" = "$all" ] && [ "$to_last" = "$all" ] &&
  [ "$by_gtid" = "0-1-3, ended with 0, 0 bytes of error" ] || { echo "the behaviour has changed"; exit 1; }
