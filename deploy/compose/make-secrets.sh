#!/usr/bin/env bash
# Makes the production secrets that are missing, each in a file of its own. Run it again at will.
# usage: deploy/compose/make-secrets.sh [HOSTNAME]
set -euo pipefail
hostname=${1:-localhost}
cd "$(dirname "${BASH_SOURCE[0]}")/secrets"
umask 022

# The folder is closed to others; the files in it are readable, because inside a container they keep
# their owner of the host, and the console runs there under another user.
chmod 700 .
keep() { [ -e "$1" ] || { printf '%s\n' "$2" >"$1"; echo "made $1"; }; }
random() { openssl rand -hex "$1"; }

keep secret_key "$(random 40)"
keep credentials_key "$(openssl rand -base64 32 | tr '+/' '-_')"
keep audit_key "$(openssl rand -base64 32 | tr '+/' '-_')"
keep database_password "$(random 20)"
keep database_root_password "$(random 20)"
keep database_migrate_password "$(random 20)"
keep migrate_database_url "mysql://hawser_migrate:$(cat database_migrate_password)@mariadb:3306/hawser"
keep database_url "mysql://hawser:$(cat database_password)@mariadb:3306/hawser"
keep redis_password "$(random 20)"
keep redis_auth "requirepass $(cat redis_password)"
keep redis_url "redis://:$(cat redis_password)@redis:6379/0"
if [ ! -e tls_key ]; then
  openssl req -x509 -newkey rsa:2048 -nodes -days 365 -subj "/CN=$hostname" \
    -addext "subjectAltName=DNS:$hostname" -keyout tls_key -out tls_certificate 2>/dev/null
  chmod 644 tls_key
  echo "made tls_key and a self-signed tls_certificate for $hostname; replace both by your own"
fi
