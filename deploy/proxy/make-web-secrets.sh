#!/usr/bin/env bash
# Makes what proxy and web know each other by, on a host with systemd: a CA, a certificate of web, and a secret of the
# proxy. Run it as root; with names or addresses of more hosts for the sample of two hosts, then copy the files there.
# usage: deploy/proxy/make-web-secrets.sh [NAME|ADDRESS...]
set -euo pipefail
folder=${HAWSER_ETC:-/etc/hawser}
umask 077
mkdir -p "$folder/secrets"
work=$(mktemp -d)
key="-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes"
names="DNS:web,DNS:localhost,IP:127.0.0.1"
for name in "$@"; do
  case $name in *[!0-9.]*) names+=",DNS:$name" ;; *) names+=",IP:$name" ;; esac
done
# The key of the CA is not kept: run this again, and no certificate of before is accepted any more.
openssl req -x509 $key -days 397 -subj "/CN=Hawser internal CA of web" -addext "basicConstraints=critical,CA:TRUE" \
  -keyout "$work/ca.key" -out "$work/ca.pem" 2>/dev/null
openssl req -new $key -subj "/CN=web" -keyout "$work/web.key" -out "$work/web.csr" 2>/dev/null
printf 'subjectAltName=%s\n' "$names" >"$work/extensions"
openssl x509 -req -in "$work/web.csr" -days 397 -extfile "$work/extensions" -CA "$work/ca.pem" -CAkey "$work/ca.key" \
  -CAcreateserial -CAserial "$work/serial" -out "$work/web.pem" 2>/dev/null
secret=$(openssl rand -hex 32)
printf '%s\n' "$secret" >"$work/secret"
printf 'proxy_set_header X-Hawser-Proxy "%s";\n' "$secret" >"$work/header"
install -m 0600 "$work/web.pem" "$folder/secrets/web_certificate"
install -m 0600 "$work/web.key" "$folder/secrets/web_key"
install -m 0600 "$work/secret" "$folder/secrets/proxy_secret"
install -m 0600 "$work/header" "$folder/proxy_header.conf"
install -m 0644 "$work/ca.pem" "$folder/web_ca.pem"
rm -r "$work"
echo "made web_ca.pem, proxy_header.conf, secrets/web_certificate, secrets/web_key and secrets/proxy_secret in $folder"
