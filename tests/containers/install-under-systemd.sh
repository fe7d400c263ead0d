#!/usr/bin/env bash
# The steps of docs/how-to/install.md, "With systemd", on a fresh host: a release in /opt/hawser, nothing else done.
set -euo pipefail
cd /opt/hawser
install -D -m 0644 deploy/systemd/sysusers.conf /etc/sysusers.d/hawser.conf
systemd-sysusers
chown -R root:hawser /opt/hawser
chmod -R u=rwX,g=rX,o= /opt/hawser
cp deploy/systemd/*.service deploy/systemd/*.target /etc/systemd/system/
install -D -m 0640 deploy/systemd/hawser.env.example /etc/hawser/hawser.env

secrets=/etc/hawser/secrets
install -d -m 0700 "$secrets"
umask 077
keep() { printf '%s\n' "$2" >"$secrets/$1"; }
key() { openssl rand -base64 32 | tr '+/' '-_'; }
run_time=$(openssl rand -hex 20) migrate=$(openssl rand -hex 20) redis=$(openssl rand -hex 20)
keep secret_key "$(openssl rand -hex 40)"
keep credentials_key "$(key)"
keep audit_key "$(key)"
keep password_pepper "$(key)"
keep web_push_key off
keep database_url "mysql://hawser:$run_time@127.0.0.1:3306/hawser"
keep migrate_database_url "mysql://hawser_migrate:$migrate@127.0.0.1:3306/hawser"
keep redis_url "redis://hawser:$redis@127.0.0.1:6379/0"

systemctl start mariadb
mariadb <<SQL
CREATE DATABASE hawser CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
CREATE USER 'hawser'@'%' IDENTIFIED BY '$run_time';
CREATE USER 'hawser_migrate'@'%' IDENTIFIED BY '$migrate';
GRANT ALL PRIVILEGES ON \`hawser\`.* TO 'hawser_migrate'@'%' WITH GRANT OPTION;
SQL
sed "/^#/d; s/PASSWORD/$redis/" deploy/compose/conf/redis-acl.conf >>/etc/redis/redis.conf
systemctl restart redis-server

install -d /etc/hawser/tls
openssl req -x509 -newkey rsa:2048 -nodes -days 30 -subj /CN=hawser.example.net \
  -addext subjectAltName=DNS:hawser.example.net \
  -keyout /etc/hawser/tls/key.pem -out /etc/hawser/tls/certificate.pem 2>/dev/null
deploy/proxy/make-web-secrets.sh
install -m 0644 deploy/proxy/hawser.conf /etc/nginx/conf.d/hawser.conf
systemctl restart nginx

set -a; . /etc/hawser/hawser.env
for name in secret_key credentials_key audit_key password_pepper database_url migrate_database_url redis_url; do
  declare "HAWSER_${name^^}_FILE=$secrets/$name"
done; set +a
.venv/bin/python manage.py migrate --no-input >/dev/null
.venv/bin/python manage.py hawser_database_grants --apply
.venv/bin/python manage.py hawser_user anna --role admin </dev/null
systemctl daemon-reload
systemctl enable --now hawser.target hawser-web hawser-worker hawser-monitor
