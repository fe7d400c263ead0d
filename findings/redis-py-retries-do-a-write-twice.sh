#!/usr/bin/env bash
# redis-py 8.1.0, Redis 7.0.15 (Debian 12): a command that gets no answer within `socket_timeout` is expected to raise
# TimeoutError. By default it is sent again on a new connection, up to ten times, whatever the command is. A server that
# was merely busy executes the first one too, although its connection is closed: one `incr` adds 2, one `rpush` appends
# twice, one `lpop` takes two items away and returns the second. A lock is refused to the client that has just got it:
# `acquire` returns False, and the key stays for its whole timeout. None of them raises anything.
# Seen: while the server was busy for 1.5 s and socket_timeout was 1 s: 2 for a first INCR, two items, "b" of a queue
# that began with "a", False for a lock whose key exists. With `Retry(NoBackoff(), 0)` INCR raises TimeoutError instead.
set -euo pipefail
version=5:7.0.15-1~deb12u10
client=8.1.0
folder=$(mktemp -d)
server=
trap '[ -z "$server" ] || { kill "$server"; wait "$server" || true; }; rm -rf "$folder"' EXIT
chmod 755 "$folder"
cd "$folder"
package=redis-tools=$version
apt-get -qq download "$package" 2>/dev/null || { apt-get -qq update && apt-get -qq download "$package"; }
dpkg -x redis-tools_*.deb root
python3 -m venv env
env/bin/pip -q --disable-pip-version-check install "redis==$client"

port=$(python3 -c 'import socket; print(socket.create_server(("127.0.0.1", 0)).getsockname()[1])')
cp root/usr/bin/redis-check-rdb redis-server # one binary, which goes by its name
timeout 120 ./redis-server --bind 127.0.0.1 --port "$port" --save '' >log 2>&1 &
server=$!
for _ in $(seq 50); do root/usr/bin/redis-cli -p "$port" ping >/dev/null 2>&1 && break || sleep 0.2; done

cat >probe.py <<'PYTHON'
import sys
import threading
import time

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

PORT = int(sys.argv[1])
BUSY = "local n, t = 0, redis.call('TIME') local e = t[1] * 1e6 + t[2] + 1.5e6 " \
       "repeat t = redis.call('TIME') until t[1] * 1e6 + t[2] >= e"
other = redis.Redis(port=PORT, socket_timeout=30)
other.rpush("queue", "a", "b", "c")


def while_busy(client, command):
    """What the command returns, or the name of its error, while the server is busy for 1.5 s."""
    client.ping()
    busy = threading.Thread(target=other.eval, args=(BUSY, 0))
    busy.start()
    time.sleep(0.2)
    try:
        return command(client)
    except redis.RedisError as error:
        return type(error).__name__
    finally:
        busy.join()


usual = redis.Redis(port=PORT, socket_timeout=1, decode_responses=True)
never = redis.Redis(port=PORT, socket_timeout=1, retry=Retry(NoBackoff(), 0))
print("server", other.info("server")["redis_version"], "client", redis.__version__)
print("incr", while_busy(usual, lambda client: client.incr("count")))
print("rpush", while_busy(usual, lambda client: client.rpush("list", "job")))
print("lpop", while_busy(usual, lambda client: client.lpop("queue")), "left", other.llen("queue"))
lock = usual.lock("lock", timeout=60, blocking=False)
print("lock", while_busy(usual, lambda _: lock.acquire()), "keys", other.exists("lock"))
print("without retries, incr", while_busy(never, lambda client: client.incr("other")))
PYTHON
env/bin/python probe.py "$port" | tee seen
diff -q <(tail -n +2 seen) - >/dev/null <<'SEEN' || { echo "the behaviour has changed"; exit 1; }
incr 2
rpush 2
lpop b left 1
lock False keys 1
without retries, incr TimeoutError
SEEN
