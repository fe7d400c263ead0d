# Stands in for mariadb:10.11: Debian's server of that line, its account number, and an entry point that does what
# compose relies on: the database and the first account from files, then the scripts of /docker-entrypoint-initdb.d.
FROM hawser-base/debian:12
RUN groupadd --gid 999 mysql && useradd --uid 999 --gid 999 --home-dir /var/lib/mysql mysql \
 && apt-get update \
 && apt-get install -y --no-install-recommends mariadb-server \
 && rm -rf /var/lib/apt/lists/* /var/lib/mysql /etc/mysql/mariadb.conf.d/50-server.cnf \
 && install -d -o mysql -g mysql /var/lib/mysql /run/mysqld
COPY --chmod=755 mariadb-entrypoint.sh /usr/local/bin/docker-entrypoint.sh
COPY --chmod=755 mariadb-healthcheck.sh /usr/local/bin/healthcheck.sh
EXPOSE 3306
ENTRYPOINT ["docker-entrypoint.sh"]
CMD ["mariadbd"]
