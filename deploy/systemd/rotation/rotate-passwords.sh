#!/usr/bin/env bash
# New passwords for the console's accounts in its own MariaDB and Redis, on the host of both; run by the timer beside it.
# What is connected stays connected. Whoever connects within the next seconds is refused and tries again.
set -euo pipefail
secrets=${HAWSER_ETC:-/etc/hawser}/secrets redis_conf=${HAWSER_REDIS_CONF:-/etc/redis/redis.conf}
umask 077

# The same file with another password in its address; replaced at once, so that no process reads half of it.
readdress() {
  sed -E "s|^([a-z]+://[^:@/]*):[^@]*@|\1:$2@|" "$secrets/$1" >"$secrets/$1.new"
  mv "$secrets/$1.new" "$secrets/$1"
}
account_of() { sed -E 's|^[a-z]+://([^:@/]*):.*|\1|' "$secrets/$1"; }

for name in database_url migrate_database_url; do
  [ -e "$secrets/$name" ] || continue
  password=$(openssl rand -hex 24)
  # By standard input: what stands in a command line is read by every user of the host.
  printf "ALTER USER '%s'@'%s' IDENTIFIED BY '%s';\n" "$(account_of $name)" "${HAWSER_ACCOUNT_HOST:-%}" "$password" | mariadb
  readdress "$name" "$password"
done

password=$(openssl rand -hex 24)
sed -E "s|^(user hawser on) >[^ ]+|\1 >$password|" "$redis_conf" >"$redis_conf.new"
grep -q ">$password" "$redis_conf.new" || { rm "$redis_conf.new"; echo "no user hawser in $redis_conf" >&2; exit 1; }
cat "$redis_conf.new" >"$redis_conf" && rm "$redis_conf.new" # keeps owner and mode
readdress redis_url "$password"
systemctl restart redis-server

# One after the other: a run is released and continued by another worker, or by the same one a moment later.
for unit in hawser-web hawser-worker hawser-monitor; do systemctl restart "$unit"; done
