# Stands in for nginx:1.30: Debian's nginx, with its account number, in the foreground.
FROM hawser-base/debian:12
RUN groupadd --gid 101 nginx && useradd --uid 101 --gid 101 --no-create-home nginx \
 && apt-get update \
 && apt-get install -y --no-install-recommends nginx-light curl \
 && rm -rf /var/lib/apt/lists/* /var/lib/nginx/* \
 && chown nginx:nginx /var/lib/nginx /var/log/nginx
CMD ["nginx", "-g", "daemon off;"]
