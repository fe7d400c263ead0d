#!/usr/bin/env bash
# Makes the production secrets that are missing, each in a file of its own. Run it as root, again at will.
# usage: deploy/compose/make-secrets.sh [HOSTNAME]
set -euo pipefail
hostname=${1:-localhost}
[ "$(id -u)" = 0 ] || { echo "make-secrets: run it as root: each file goes to the account that reads it" >&2; exit 1; }
cd "$(dirname "${BASH_SOURCE[0]}")/secrets"
umask 077
chmod 700 .

keep() { [ -e "$1" ] || { printf '%s\n' "$2" >"$1"; echo "made $1"; }; }
random() { openssl rand -hex "$1"; }

keep secret_key "$(random 40)"
keep credentials_key "$(openssl rand -base64 32 | tr '+/' '-_')"
keep audit_key "$(openssl rand -base64 32 | tr '+/' '-_')"
keep web_push_key "$(openssl rand -base64 32 | tr '+/' '-_')"
keep database_password "$(random 20)"
keep database_root_password "$(random 20)"
keep database_migrate_password "$(random 20)"
keep migrate_database_url "mysql://hawser_migrate:$(cat database_migrate_password)@mariadb:3306/hawser"
keep database_url "mysql://hawser:$(cat database_password)@mariadb:3306/hawser"
keep redis_password "$(random 20)"
keep redis_auth "$(sed "s/PASSWORD/$(cat redis_password)/" ../conf/redis-acl.conf)"
keep redis_url "redis://hawser:$(cat redis_password)@redis:6379/0"
if [ ! -e tls_key ]; then
  openssl req -x509 -newkey rsa:2048 -nodes -days 365 -subj "/CN=$hostname" \
    -addext "subjectAltName=DNS:$hostname" -keyout tls_key -out tls_certificate 2>/dev/null
  echo "made tls_key and a self-signed tls_certificate for $hostname; replace both by your own"
fi

# Inside a container a file keeps its owner of the host: each belongs to the account that its containers run under.
own() { chown "$1:$1" "${@:2}" && chmod 600 "${@:2}"; }
own 10001 secret_key credentials_key audit_key web_push_key database_url migrate_database_url redis_url # web, worker, monitor, migrate
own 999 database_password database_root_password database_migrate_password redis_password redis_auth # mariadb and redis
own 101 tls_certificate tls_key # proxy
