# Stands in for redis:8.2-bookworm: Debian's redis-server, with its account number and folder.
FROM hawser-base/debian:12
RUN groupadd --gid 999 redis && useradd --uid 999 --gid 999 --home-dir /data redis \
 && apt-get update \
 && apt-get install -y --no-install-recommends redis-server \
 && rm -rf /var/lib/apt/lists/* \
 && install -d -o redis -g redis /data
WORKDIR /data
