#!/usr/bin/env bash
# What the compose file relies on, and no more: see mariadb.Dockerfile.
set -euo pipefail
[ "${1#-}" = "$1" ] || set -- mariadbd "$@"
socket=/run/mysqld/mysqld.sock

docker_process_sql() { mariadb --user=root --socket="$socket" "$@"; }

first_start() { # with the server's own options, which the new database takes its character set from
  mariadb-install-db --datadir=/var/lib/mysql --skip-test-db --auth-root-authentication-method=normal >/dev/null
  "$@" --skip-networking --socket="$socket" &
  local server=$!
  until mariadb-admin --socket="$socket" ping --silent 2>/dev/null; do sleep 0.2; done
  docker_process_sql <<SQL
CREATE DATABASE \`$MARIADB_DATABASE\`;
CREATE USER '$MARIADB_USER'@'%' IDENTIFIED BY '$(cat "$MARIADB_PASSWORD_FILE")';
GRANT ALL ON \`$MARIADB_DATABASE\`.* TO '$MARIADB_USER'@'%';
SQL
  local script
  for script in /docker-entrypoint-initdb.d/*.sh; do . "$script"; done
  docker_process_sql <<SQL
ALTER USER root@localhost IDENTIFIED BY '$(cat "$MARIADB_ROOT_PASSWORD_FILE")';
SQL
  kill "$server"
  wait "$server"
}

[ -d /var/lib/mysql/mysql ] || first_start "$@"
exec "$@"
