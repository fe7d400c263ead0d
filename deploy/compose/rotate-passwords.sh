#!/usr/bin/env bash
# New passwords for the console's accounts in its own database and Redis, for a timer of the host. Run it as root.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
[ "$(id -u)" = 0 ] || { echo "rotate-passwords: run it as root, like make-secrets.sh" >&2; exit 1; }
compose() { docker compose --project-directory ../.. --file ../../docker-compose.yml --profile production "$@"; }
before=$(cat secrets/database_root_password)
hostname=${HAWSER_HOSTNAME:-localhost}

# make-secrets.sh makes what is missing, and nothing else.
mkdir -m 700 secrets/before
for name in database_password database_root_password database_migrate_password database_url migrate_database_url \
  redis_password redis_auth redis_url; do mv "secrets/$name" secrets/before/; done
back() { mv secrets/before/* secrets/ && rmdir secrets/before; }
trap 'back; echo "rotate-passwords: nothing was changed" >&2' ERR
./make-secrets.sh "$hostname" >/dev/null
{
  printf '%s\n' "$before" # read first, by the shell in the container
  for account in "hawser@% database_password" "hawser_migrate@% database_migrate_password" \
    "root@% database_root_password" "root@localhost database_root_password"; do
    read -r name file <<<"$account"
    printf "ALTER USER IF EXISTS '%s'@'%s' IDENTIFIED BY '%s';\n" "${name%@*}" "${name#*@}" "$(cat "secrets/$file")"
  done
} | compose exec --no-TTY mariadb sh -c 'read -r MYSQL_PWD && export MYSQL_PWD && exec mariadb --user=root'
trap - ERR
rm -r secrets/before
compose up --detach --no-deps --force-recreate redis web worker monitor
