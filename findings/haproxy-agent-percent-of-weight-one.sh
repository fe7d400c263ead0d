#!/usr/bin/env bash
# HAProxy 2.6.12 (Debian 12): an agent that answers an agent-check with a percentage sets a server's weight in
# proportion to the configured one, and a server without `weight` has 1. That product is rounded down: of a weight of 1
# every answer below 100% makes 0, which is no traffic at all, though the server is up and its agent said that it is
# nearly idle. So an agent tried with one weight behaves otherwise with another, and with the default one it knows all
# or nothing.
# Seen: answered "99%", the server with weight 100 has 99, and the one with the default weight has 0 and is given none
# of ten connections while both are UP; alone in its backend it serves nobody. "199%" gives 199 and 1.
set -euo pipefail
version=2.6.12-1+deb12u4
folder=$(mktemp -d)
pids=()
trap 'for pid in "${pids[@]}"; do kill "$pid"; wait "$pid" || true; done; rm -rf "$folder"' EXIT
chmod 755 "$folder"
cd "$folder"
package=haproxy=$version
apt-get -qq download "$package" 2>/dev/null || { apt-get -qq update && apt-get -qq download "$package"; }
dpkg -x haproxy_*.deb root

cat >answering.py <<'PYTHON'
import socketserver
import threading
from pathlib import Path


def serve(answer):
    class Handler(socketserver.BaseRequestHandler):
        def handle(self):
            self.request.sendall(answer())

    server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever).start()
    return str(server.server_address[1])


ports = [serve(lambda: Path("answer").read_bytes()), serve(lambda: b"one\n"), serve(lambda: b"hundred\n")]
Path("ports.new").write_text(" ".join(ports) + "\n")
Path("ports.new").rename("ports")
PYTHON
echo "100%" >answer
timeout 90 python3 answering.py &
pids+=($!)
for _ in $(seq 50); do [ -e ports ] && break || sleep 0.1; done
read -r agent one hundred <ports
both=$(python3 -c 'import socket; print(socket.create_server(("127.0.0.1", 0)).getsockname()[1])')
alone=$(python3 -c 'import socket; print(socket.create_server(("127.0.0.1", 0)).getsockname()[1])')
cat >haproxy.cfg <<CONFIG
global
  stats socket $folder/stats level admin
defaults
  mode tcp
  timeout client 5s
  timeout server 5s
  timeout connect 2s
  timeout queue 1s
  default-server check inter 200ms agent-check agent-port $agent agent-inter 200ms
listen both
  bind 127.0.0.1:$both
  server one 127.0.0.1:$one
  server hundred 127.0.0.1:$hundred weight 100
listen alone
  bind 127.0.0.1:$alone
  server one 127.0.0.1:$one
CONFIG
timeout 90 root/usr/sbin/haproxy -f haproxy.cfg >log 2>&1 &
pids+=($!)

cat >ask.py <<'PYTHON'
import socket
import sys
import time

# The argument says what to ask: the port of a proxy for ten connections, or the weights until they are these two.
def stats():
    with socket.socket(socket.AF_UNIX) as control:
        control.connect("stats")
        control.sendall(b"show stat\n")
        text = b"".join(iter(lambda: control.recv(65536), b"")).decode()
    rows = [line.split(",") for line in text.lstrip("# ").splitlines() if line]
    return {row[1]: dict(zip(rows[0], row)) for row in rows if row[0] == "both"}


def connection(port):
    with socket.create_connection(("127.0.0.1", port), timeout=5) as client:
        return client.recv(100).decode().strip() or "nobody"


if sys.argv[1] == "weights":
    end, now = time.monotonic() + 15, None
    while now != sys.argv[2] and time.monotonic() < end:
        time.sleep(0.2)
        try:
            now = " ".join(f"{name} {stats()[name]['status']} {stats()[name]['weight']}" for name in ("one", "hundred"))
        except OSError:
            continue
    print(now)
else:
    found = [connection(int(sys.argv[1])) for _ in range(10)]
    print(" ".join(f"{name} {found.count(name)}" for name in sorted(set(found))))
PYTHON
"$folder/root/usr/sbin/haproxy" -v | head -n 1
at_first=$(python3 ask.py weights "one UP 1 hundred UP 100")
echo "100%: $at_first"
echo "99%" >answer
at_99=$(python3 ask.py weights "one UP 0 hundred UP 99")
shared=$(python3 ask.py "$both")
by_itself=$(python3 ask.py "$alone")
echo "99%: $at_99; ten connections: $shared; ten to the one alone: $by_itself"
echo "199%" >answer
at_199=$(python3 ask.py weights "one UP 1 hundred UP 199")
echo "199%: $at_199"
[ "$at_first" = "one UP 1 hundred UP 100" ] && [ "$at_99" = "one UP 0 hundred UP 99" ] &&
  [ "$shared" = "hundred 10" ] && [ "$by_itself" = "nobody 10" ] && [ "$at_199" = "one UP 1 hundred UP 199" ] ||
  { echo "the behaviour has changed"; exit 1; }
