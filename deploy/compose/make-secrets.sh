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

# A CA for database, Redis and web alone. Its key is not kept: to renew the certificates, remove internal_ca, run this again.
make_internal_certificates() {
  local work name key="-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes"
  work=$(mktemp -d)
  openssl req -x509 $key -days 3650 -subj "/CN=Hawser internal CA" \
    -addext "basicConstraints=critical,CA:TRUE" -keyout "$work/ca.key" -out internal_ca 2>/dev/null
  for name in mariadb redis web; do
    openssl req -new $key -subj "/CN=$name" \
      -keyout "$work/$name.key" -out "$work/$name.csr" 2>/dev/null
    printf 'subjectAltName=DNS:%s,DNS:localhost,IP:127.0.0.1\n' "$name" >"$work/extensions"
    openssl x509 -req -in "$work/$name.csr" -days 3650 -extfile "$work/extensions" -CA internal_ca -CAkey "$work/ca.key" \
      -CAcreateserial -CAserial "$work/serial" -out "$work/$name.pem" 2>/dev/null
  done
  mv "$work/mariadb.pem" database_certificate && mv "$work/mariadb.key" database_key
  mv "$work/redis.pem" redis_certificate && mv "$work/redis.key" redis_key
  mv "$work/web.pem" web_certificate && mv "$work/web.key" web_key
  rm -r "$work"
  echo "made internal_ca and the certificates of database, Redis and web"
}
[ -e internal_ca ] && [ -e web_certificate ] || make_internal_certificates
ca=/etc/hawser/internal_ca.pem # where the console's containers have it

keep secret_key "$(random 40)"
keep credentials_key "$(openssl rand -base64 32 | tr '+/' '-_')"
keep audit_key "$(openssl rand -base64 32 | tr '+/' '-_')"
keep password_pepper "$(openssl rand -base64 32 | tr '+/' '-_')"
keep web_push_key "$(openssl rand -base64 32 | tr '+/' '-_')"
keep proxy_secret "$(random 32)"
keep proxy_header "proxy_set_header X-Hawser-Proxy \"$(cat proxy_secret)\";"
keep database_password "$(random 20)"
keep database_root_password "$(random 20)"
# One line a key, id;key: what MariaDB encrypts its files with. Without it they cannot be read again.
keep database_encryption_keys "1;$(random 32)"
keep database_migrate_password "$(random 20)"
keep migrate_database_url "mysql://hawser_migrate:$(cat database_migrate_password)@mariadb:3306/hawser?ssl_ca=$ca"
keep database_url "mysql://hawser:$(cat database_password)@mariadb:3306/hawser?ssl_ca=$ca"
keep redis_password "$(random 20)"
keep redis_auth "$(sed "s/PASSWORD/$(cat redis_password)/" ../conf/redis-acl.conf)"
keep redis_url "rediss://hawser:$(cat redis_password)@redis:6379/0?ssl_ca_certs=$ca"
if [ ! -e tls_key ]; then
  openssl req -x509 -newkey rsa:2048 -nodes -days 365 -subj "/CN=$hostname" \
    -addext "subjectAltName=DNS:$hostname" -keyout tls_key -out tls_certificate 2>/dev/null
  echo "made tls_key and a self-signed tls_certificate for $hostname; replace both by your own"
fi

# Inside a container a file keeps its owner of the host: each belongs to the account that its containers run under.
own() { chown "$1:$1" "${@:2}" && chmod 600 "${@:2}"; }
own 10001 password_pepper proxy_secret web_certificate web_key # web
own 10001 secret_key credentials_key audit_key web_push_key database_url migrate_database_url redis_url # web, worker, monitor, migrate
own 999 database_password database_root_password database_migrate_password database_certificate database_key # mariadb
own 999 database_encryption_keys # mariadb
own 999 redis_password redis_auth redis_certificate redis_key # redis
own 101 tls_certificate tls_key proxy_header # proxy
chmod 444 internal_ca # public, and read by all of them
