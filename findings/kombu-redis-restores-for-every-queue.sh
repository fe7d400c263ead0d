#!/usr/bin/env bash
# kombu 5.7.0 (Celery's transport) with redis-py 8.1.0 on Redis 7.0.15 (Debian 12): `visibility_timeout` is an option of
# a connection, and is expected to say when the messages that *it* holds are given out again. But all connections to one
# Redis database keep what is not yet acknowledged in one place, whatever the queue, and each of them puts back what is
# older than its own timeout. So one consumer of another queue, set to a second, has a message doubled that is held by a
# worker with an hour.
# Seen: a message held under 3600 s is not delivered again within 8 s; once a second connection that consumes an empty
# queue of another name, under 1 s, reads beside it, the holder gets the same message again, and again.
set -euo pipefail
version=5:7.0.15-1~deb12u10
kombu=5.7.0
folder=$(mktemp -d)
server=
trap '[ -z "$server" ] || { kill "$server"; wait "$server" || true; }; rm -rf "$folder"' EXIT
chmod 755 "$folder"
cd "$folder"
package=redis-tools=$version
apt-get -qq download "$package" 2>/dev/null || { apt-get -qq update && apt-get -qq download "$package"; }
dpkg -x redis-tools_*.deb root
python3 -m venv env
env/bin/pip -q --disable-pip-version-check install "kombu[redis]==$kombu" "redis==8.1.0"

port=$(python3 -c 'import socket; print(socket.create_server(("127.0.0.1", 0)).getsockname()[1])')
cp root/usr/bin/redis-check-rdb redis-server # one binary, which goes by its name
timeout 120 ./redis-server --bind 127.0.0.1 --port "$port" --save '' >log 2>&1 &
server=$!
for _ in $(seq 50); do root/usr/bin/redis-cli -p "$port" ping >/dev/null 2>&1 && break || sleep 0.2; done

cat >probe.py <<'PYTHON'
import sys
import time

import kombu

URL = f"redis://127.0.0.1:{sys.argv[1]}/0"


def consumer(name, visibility_timeout, callback):
    """A connection of its own that consumes this queue."""
    connection = kombu.Connection(URL, transport_options={"visibility_timeout": visibility_timeout})
    queue = kombu.Queue(name, kombu.Exchange(name), routing_key=name)
    connection.Consumer([queue], callbacks=[callback]).consume()
    return connection, queue


def read(connection, seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            connection.drain_events(timeout=0.1)
        except TimeoutError:
            pass


held, strays = [], []  # nothing of them is acknowledged
holder, queue = consumer("reports", 3600, lambda _, message: held.append(message))
holder.Producer().publish({"report": 1}, exchange=queue.exchange, routing_key="reports")
read(holder, 8)
print("the holder alone:", len(held), "delivery")
beside, _ = consumer("mails", 1, lambda _, message: strays.append(message))
end = time.monotonic() + 60
while len(held) < 3 and time.monotonic() < end:
    read(holder, 0.2)
    read(beside, 0.2)
print("beside a consumer of another queue:", len(held), "deliveries,",
      len({message.properties["delivery_tag"] for message in held}), "message,",
      len(strays), "on the other queue")
PYTHON
echo "kombu $kombu, redis-server $(./redis-server --version | grep -oE 'v=[0-9.]+')"
env/bin/python probe.py "$port" | tee seen
diff -q seen - >/dev/null <<'SEEN' || { echo "the behaviour has changed"; exit 1; }
the holder alone: 1 delivery
beside a consumer of another queue: 3 deliveries, 1 message, 0 on the other queue
SEEN
