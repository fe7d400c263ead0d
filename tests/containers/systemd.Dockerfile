# A host of Debian 12 with systemd as its first process and what docs/how-to/install.md asks for beside the console.
FROM hawser-base/debian:12
RUN apt-get update \
 && apt-get install -y --no-install-recommends systemd dbus python3 python3-venv python3-dev gcc pkg-config \
      libmariadb-dev mariadb-server redis-server nginx-light openssl curl \
 && rm -rf /var/lib/apt/lists/*
COPY requirements.txt /opt/hawser/
RUN python3 -m venv /opt/hawser/.venv \
 && /opt/hawser/.venv/bin/pip install --quiet --require-hashes -r /opt/hawser/requirements.txt
STOPSIGNAL SIGRTMIN+3
# In a container systemd leaves the propagation of mounts to the engine, and credentials are mounts of their own.
CMD ["sh", "-c", "mount --make-rshared / && exec /lib/systemd/systemd"]
