#!/usr/bin/env python3
"""Measures the network between two database hosts as replication uses it, and prints one JSON document.

On one host:    hawser-network-probe serve --listen ADDRESS --port PORT
On the other:   hawser-network-probe run --connect ADDRESS --port PORT --link ID --from NODE --to NODE

Both need the same token, in the environment variable HAWSER_PROBE_TOKEN or in the file of --token-file.
The server answers no client without it, takes one run, and ends. With --console the result is sent to the console;
it is printed in any case. Needs Python 3.6 or later on Linux, and nothing else.
"""

import argparse
import collections
import hashlib
import hmac
import json
import math
import os
import platform
import select
import socket
import ssl
import struct
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from typing import Any, Deque, Dict, List, NamedTuple, Optional, Tuple

FORMAT = "hawser-network-probe"
VERSION = 1
TOKEN_VARIABLE = "HAWSER_PROBE_TOKEN"
LEAST_TOKEN_CHARS = 16

HANDSHAKE_TIMEOUT_S = 5.0
IO_TIMEOUT_S = 60.0
SESSION_S = 300.0
"""A server ends a session after this time, whatever the client asks for."""
MAX_REFUSED = 20
MAX_FRAME_BYTES = 16384
MAX_MESSAGE_BYTES = 4 * 2**20
MAX_SECONDS = 8.0
LEAST_TRANSACTIONS = 20
MAX_TRANSACTIONS = 200000
CHUNK_BYTES = 65536
CLOCK_SAMPLES = 20
EXCHANGE_SHARE, STREAM_SHARE = 12, 5
"""Each exchange takes at most one part in 12 of the bytes of a run, and each stream one in 5."""

KB = 1024
ROUND_TRIP = (64, 64, 1)
EXCHANGES = (
    (32 * KB, 32 * KB, 1),
    (32 * KB, 32 * KB, 7),
    (120 * KB, 64 * KB, 7),
    (1024 * KB, 32 * KB, 1),
    (1024 * KB, 32 * KB, 7),
)
"""Bytes of the request, of the response, and requests in flight: `netperf -b 6` keeps 7 in flight."""

IP_MTU, IPV6_MTU = 14, 24
TCP_CONGESTION, TCP_INFO = 13, 11
TOTAL_RETRANS_AT, SEGS_OUT_AT = 100, 136
"""Offsets in `struct tcp_info` of Linux."""
SETTINGS = (
    "net/ipv4/tcp_available_congestion_control",
    "net/ipv4/tcp_rmem",
    "net/ipv4/tcp_wmem",
    "net/ipv4/tcp_mtu_probing",
    "net/ipv4/tcp_slow_start_after_idle",
    "net/core/rmem_max",
    "net/core/wmem_max",
    "net/core/netdev_max_backlog",
)
Data = Dict[str, Any]


class ProbeError(Exception):
    """Ends the program with a sentence."""


# ------------------------------------------------------------------------------------------- the connection


class Connection:
    """A TCP connection that counts its bytes and has an end in time."""

    def __init__(self, sock: socket.socket, max_bytes: int, seconds: float) -> None:
        self.sock = sock
        self.left = max_bytes
        self.deadline = time.monotonic() + seconds
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def spend(self, count: int) -> None:
        """Count bytes of either way; ends the session beyond its limits."""
        self.left -= count
        if self.left < 0:
            raise ProbeError("the limit of bytes (--max-mib) is reached")
        if time.monotonic() > self.deadline:
            raise ProbeError("the limit of time is reached")

    def read(self, count: int) -> bytes:
        """Exactly so many bytes."""
        parts = []
        while count:
            part = self.sock.recv(min(count, 2**18))
            if not part:
                raise ProbeError("the other host closed the connection")
            self.spend(len(part))
            parts.append(part)
            count -= len(part)
        return b"".join(parts)

    def skip(self, count: int) -> None:
        """Read so many bytes and forget them."""
        while count:
            count -= len(self.read(min(count, 2**18)))

    def write(self, data: bytes) -> None:
        """Send all of it."""
        self.spend(len(data))
        self.sock.sendall(data)

    def send_frame(self, message: Data) -> None:
        """Send a control message."""
        body = json.dumps(message).encode()
        self.write(struct.pack(">I", len(body)) + body)

    def read_frame(self) -> Data:
        """The other host's next control message."""
        (length,) = struct.unpack(">I", self.read(4))
        if length > MAX_FRAME_BYTES:
            raise ProbeError("the other host does not speak this protocol")
        try:
            message = json.loads(self.read(length).decode())
        except (ValueError, RecursionError):
            raise ProbeError("the other host does not speak this protocol")
        if not isinstance(message, dict):
            raise ProbeError("the other host does not speak this protocol")
        if "error" in message:
            raise ProbeError("the other host reports: {}".format(str(message["error"])[:200]))
        return message

    def ask(self, **message: Any) -> Data:
        """Send a control message and read the answer."""
        self.send_frame(message)
        return self.read_frame()


def proof(token: str, role: str, first: str, second: str) -> str:
    """What only a holder of the token can answer to the other host's nonce."""
    message = f"{FORMAT} peer {role} {first} {second}".encode("utf-8", "replace")
    return hmac.new(token.encode(), message, hashlib.sha256).hexdigest()


def nonce() -> str:
    """A random value that was never used before."""
    return os.urandom(16).hex()


def is_proof(given: Any, expected: str) -> bool:
    """Compare in constant time."""
    return isinstance(given, str) and hmac.compare_digest(given.encode("utf-8", "replace"), expected.encode())


# ------------------------------------------------------------------------------------------- facts of a host


def host_facts(sock: socket.socket) -> Data:
    """Name, congestion control of this connection, and the kernel's network settings."""
    settings = {}
    for name in SETTINGS:
        try:
            with open("/proc/sys/" + name) as file:
                settings[name.replace("/", ".")] = plain(" ".join(file.read().split()))
        except (OSError, UnicodeDecodeError):
            continue
    return {"name": plain(platform.node()), "congestion_control": congestion_control(sock), "settings": settings}


def plain(text: str) -> str:
    """Printable ASCII, short."""
    return "".join(one for one in text if " " <= one <= "~")[:255]


def congestion_control(sock: socket.socket) -> str:
    """The algorithm of this connection; empty where the kernel does not tell."""
    try:
        return plain(sock.getsockopt(socket.IPPROTO_TCP, TCP_CONGESTION, 16).split(b"\0")[0].decode("ascii"))
    except (OSError, UnicodeDecodeError):
        return ""


def segments(sock: socket.socket) -> Optional[Tuple[int, int]]:
    """Segments sent and retransmitted so far; None where the kernel does not tell."""
    try:
        info = sock.getsockopt(socket.IPPROTO_TCP, TCP_INFO, 256)
    except OSError:
        return None
    if len(info) < SEGS_OUT_AT + 4:
        return None
    (resent,), (sent,) = (struct.unpack_from("=I", info, at) for at in (TOTAL_RETRANS_AT, SEGS_OUT_AT))
    return sent, resent


def path_mtu(sock: socket.socket) -> Optional[int]:
    """The path MTU that the kernel knows for this connection."""
    is_v6 = sock.family == socket.AF_INET6 and "." not in sock.getpeername()[0]
    protocol, option = (socket.IPPROTO_IPV6, IPV6_MTU) if is_v6 else (socket.IPPROTO_IP, IP_MTU)
    try:
        return sock.getsockopt(protocol, option)
    except OSError:
        return None


class Volume:
    """Bytes over time, judged without the first quarter, in which TCP still grows its window."""

    def __init__(self) -> None:
        self.points = [(time.monotonic(), 0)]

    def add(self, count: int) -> None:
        """Count bytes that have arrived."""
        self.points.append((time.monotonic(), self.points[-1][1] + count))

    def mbit_s(self) -> Optional[float]:
        """The rate; None where too little arrived to tell one."""
        began, end = self.points[0][0], self.points[-1][0]
        grown = began + (end - began) / 4
        start = next(point for point in self.points if point[0] >= grown)
        seconds, count = end - start[0], self.points[-1][1] - start[1]
        return round(count * 8 / seconds / 1e6, 3) if seconds > 0 and count > 0 else None


# ------------------------------------------------------------------------------------------- the server


def serve(options: argparse.Namespace) -> int:
    """Wait for one client that has the token, answer its run, and end."""
    family = socket.AF_INET6 if ":" in options.listen else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind((options.listen, options.port))
    listener.listen(4)
    say(f"listening on {options.listen} port {listener.getsockname()[1]} for {options.wait:.0f} s")
    until, refused = time.monotonic() + options.wait, 0
    while True:
        left = until - time.monotonic()
        if left <= 0:
            raise ProbeError("no client came in time; nothing was measured")
        listener.settimeout(left)
        try:
            sock, peer = listener.accept()
        except socket.timeout:
            continue
        with sock:
            sock.settimeout(HANDSHAKE_TIMEOUT_S)
            connection = Connection(sock, options.max_mib * 2**20, SESSION_S)
            if is_client(connection, options.token):
                listener.close()
                say(f"measuring with {peer[0]}")
                answer_all(connection)
                say("done")
                return 0
        refused += 1
        say(f"refused {peer[0]}: it does not have the token")
        if refused >= MAX_REFUSED:
            raise ProbeError(f"{refused} connections without the token came; nothing was measured")


def is_client(connection: Connection, token: str) -> bool:
    """Prove the token to each other; a stranger learns nothing but a random number."""
    mine = nonce()
    try:
        hello = connection.ask(protocol=VERSION, nonce=mine)
        theirs = str(hello.get("nonce"))
        if not is_proof(hello.get("proof"), proof(token, "client", mine, theirs)):
            return False
        connection.send_frame({"proof": proof(token, "server", theirs, mine)})
    except (OSError, ProbeError):
        return False
    return True


def answer_all(connection: Connection) -> None:
    """Answer what the client asks for, until it ends."""
    connection.sock.settimeout(IO_TIMEOUT_S)
    answers = {"clock": answer_clock, "exchange": answer_exchange, "receive": answer_receive, "send": answer_send}
    try:
        while True:
            asked = connection.read_frame()
            what = asked.get("do")
            if what == "end":
                connection.send_frame({"ok": True})
                return
            if what == "facts":
                connection.send_frame({"host": host_facts(connection.sock), "segments": segments(connection.sock)})
            elif what in answers:
                answers[what](connection, asked)
            else:
                raise ProbeError("unknown request; use the same script on both hosts")
    except ProbeError as error:
        try:
            connection.send_frame({"error": str(error)})
        except (OSError, ProbeError):
            pass
        raise


def answer_clock(connection: Connection, _asked: Data) -> None:
    """When the request arrived and when the answer leaves, by this host's clock."""
    arrived = time.time()
    connection.send_frame({"arrived": arrived, "leaves": time.time()})


def answer_exchange(connection: Connection, asked: Data) -> None:
    """Answer requests of one size with responses of one size, until a request of length 0."""
    size = bounded(asked, "request_bytes", 4, MAX_MESSAGE_BYTES)
    response = os.urandom(bounded(asked, "response_bytes", 1, MAX_MESSAGE_BYTES))
    connection.send_frame({"ok": True})
    while True:
        (length,) = struct.unpack(">I", connection.read(4))
        if length == 0:
            return
        if length != size:
            raise ProbeError("a request does not have the size that was agreed")
        connection.skip(size - 4)
        connection.write(response)


def answer_receive(connection: Connection, _asked: Data) -> None:
    """Take a stream and tell its rate."""
    connection.send_frame({"ok": True})
    connection.send_frame({"mbit_s": take_stream(connection)})


def answer_send(connection: Connection, asked: Data) -> None:
    """Send a stream."""
    send_stream(connection, bounded(asked, "seconds", 0, MAX_SECONDS), bounded(asked, "bytes", 1, 2**40))


def bounded(asked: Data, name: str, least: float, most: float) -> Any:
    """A number of the request, within its limits."""
    value = asked.get(name)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not least <= value <= most:
        raise ProbeError(f"{name} must be between {least} and {most}")
    return value


def send_stream(connection: Connection, seconds: float, max_bytes: int) -> None:
    """Chunks of random bytes, each with its length, and a length of 0 at the end."""
    chunk = struct.pack(">I", CHUNK_BYTES) + os.urandom(CHUNK_BYTES)
    until, left = time.monotonic() + seconds, max_bytes
    while time.monotonic() < until and left > 0:
        connection.write(chunk)
        left -= len(chunk)
    connection.write(struct.pack(">I", 0))


def take_stream(connection: Connection) -> Optional[float]:
    """Read what `send_stream` sends; Mbit/s."""
    volume = None
    while True:
        (length,) = struct.unpack(">I", connection.read(4))
        if length == 0:
            return volume.mbit_s() if volume else None
        if length > CHUNK_BYTES:
            raise ProbeError("a chunk is larger than agreed")
        volume = volume or Volume()
        connection.skip(length)
        volume.add(length + 4)


# ------------------------------------------------------------------------------------------- the client


def run(options: argparse.Namespace) -> int:
    """Measure, print the document, and send it where a console is named."""
    if options.console:
        check_console(options.console)
    sock = connect(options)
    with sock:
        connection = Connection(sock, options.max_mib * 2**20, SESSION_S)
        introduce(connection, options.token)
        result = measure(connection, options)
    result["signature"] = signature_of(result, options.token)
    print(json.dumps(result, indent=2, sort_keys=True))
    sys.stdout.flush()
    return upload(options, result) if options.console else 0


def connect(options: argparse.Namespace) -> socket.socket:
    """A connection to the serving host."""
    source = (options.bind, 0) if options.bind else None
    try:
        sock = socket.create_connection((options.connect, options.port), HANDSHAKE_TIMEOUT_S, source)
    except OSError as error:
        raise ProbeError(
            f"cannot connect to {options.connect} port {options.port} ({error}). "
            "Start the script there with serve, and let the firewall pass this port"
        )
    sock.settimeout(IO_TIMEOUT_S)
    return sock


def introduce(connection: Connection, token: str) -> None:
    """Prove the token to the server, and let it prove that it has it, too."""
    mine = nonce()
    theirs = str(connection.read_frame().get("nonce"))
    try:
        answer = connection.ask(nonce=mine, proof=proof(token, "client", theirs, mine))
    except (OSError, ProbeError):
        raise ProbeError("the other host refused the token. Use the same token on both hosts")
    if not is_proof(answer.get("proof"), proof(token, "server", mine, theirs)):
        raise ProbeError("the other host does not have the token. Nothing was measured")


def measure(connection: Connection, options: argparse.Namespace) -> Data:
    """The whole document without its signature."""
    started, began = time.gmtime(), time.monotonic()
    offset_ms, error_ms = clock_offset(connection)
    total = options.max_mib * 2**20
    round_trip, *exchanges = [
        exchange(connection, one, options.seconds, total // EXCHANGE_SHARE) for one in (ROUND_TRIP, *EXCHANGES)
    ]
    facts = connection.ask(do="facts")
    sent, resent = total_segments(segments(connection.sock), facts.get("segments"))
    sent_mbit_s, received_mbit_s = throughput(connection, options.seconds, total // STREAM_SHARE)
    mtu = path_mtu(connection.sock)
    connection.ask(do="end")
    return {
        "format": FORMAT,
        "version": VERSION,
        "link_id": options.link,
        "from_node": options.from_node,
        "to_node": options.to_node,
        "from_host": host_facts(connection.sock),
        "to_host": facts.get("host"),
        "to_address": connection.sock.getpeername()[0],
        "started_at": time.strftime("%Y-%m-%dT%H:%M:%S+0000", started),
        "seconds": round(time.monotonic() - began, 3),
        "round_trip": round_trip,
        "exchanges": exchanges,
        "sent_mbit_s": sent_mbit_s,
        "received_mbit_s": received_mbit_s,
        "segments": sent,
        "retransmitted_percent": round(100 * resent / sent, 4) if sent else None,
        "path_mtu_bytes": mtu,
        "clock_offset_ms": offset_ms,
        "clock_error_ms": error_ms,
    }


def total_segments(near: Optional[Tuple[int, int]], far: Any) -> Tuple[Optional[int], int]:
    """Of both hosts, for the exchanges only: a stream at full speed always loses some."""
    if near is None or not isinstance(far, list) or len(far) != 2:
        return None, 0
    return near[0] + int(far[0]), near[1] + int(far[1])


def clock_offset(connection: Connection) -> Tuple[float, float]:
    """How far the other clock is ahead, in ms, by the formula of NTP, and the most that this can be wrong."""
    samples = []
    for _ in range(CLOCK_SAMPLES):
        left = time.time()
        answer = connection.ask(do="clock")
        back = time.time()
        arrived, leaves = float(answer["arrived"]), float(answer["leaves"])
        delay = (back - left) - (leaves - arrived)
        samples.append((delay, ((arrived - left) + (leaves - back)) / 2))
    delay, offset = min(samples)
    return round(offset * 1000, 4), round(max(0.0, delay) * 500, 4)


class Requests(NamedTuple):
    """Times of a finished exchange."""

    times: List[float]
    seconds: float


def exchange(connection: Connection, sizes: Tuple[int, int, int], seconds: float, max_bytes: int) -> Data:
    """Requests and responses of one size, some of them in flight at a time."""
    request_bytes, response_bytes, in_flight = sizes
    connection.ask(do="exchange", request_bytes=request_bytes, response_bytes=response_bytes)
    done = Exchanger(connection, sizes).run(seconds, max_bytes)
    connection.write(struct.pack(">I", 0))
    count = len(done.times)
    rate = count / done.seconds
    result: Data = {
        "request_bytes": request_bytes,
        "response_bytes": response_bytes,
        "in_flight": in_flight,
        "transactions": count,
        "seconds": round(done.seconds, 3),
        "rate_per_s": round(rate, 3),
        "sent_mbit_s": round(rate * request_bytes * 8 / 1e6, 3),
        "received_mbit_s": round(rate * response_bytes * 8 / 1e6, 3),
    }
    result.update(percentiles(done.times))
    return result


class Exchanger:
    """Keeps requests in flight; sends and receives at the same time, so that neither host waits for the other."""

    def __init__(self, connection: Connection, sizes: Tuple[int, int, int]) -> None:
        self.connection = connection
        self.request_bytes, self.response_bytes, self.in_flight = sizes
        self.request = memoryview(struct.pack(">I", self.request_bytes) + os.urandom(self.request_bytes - 4))
        self.begun: Deque[float] = collections.deque()
        self.times: List[float] = []
        self.unsent = self.missing = 0

    def run(self, seconds: float, max_bytes: int) -> Requests:
        """Until time or bytes are used up and enough were measured, at most five times as long."""
        sock, start = self.connection.sock, time.monotonic()
        most = min(MAX_TRANSACTIONS, max_bytes // (self.request_bytes + self.response_bytes))
        sock.settimeout(0.0)
        try:
            while True:
                spent = time.monotonic() - start
                is_enough = len(self.times) >= LEAST_TRANSACTIONS or spent >= 5 * seconds
                if is_enough and (spent >= seconds or len(self.times) >= most):
                    if self.times and not self.begun:
                        break
                elif len(self.begun) < self.in_flight and not self.unsent:
                    self.unsent = self.request_bytes
                    self.begun.append(time.monotonic())
                self.move(sock)
        finally:
            sock.settimeout(IO_TIMEOUT_S)
        return Requests(self.times, time.monotonic() - start)

    def move(self, sock: socket.socket) -> None:
        """Send and receive what the socket takes and has."""
        readable, writable, _ = select.select([sock], [sock] if self.unsent else [], [], IO_TIMEOUT_S)
        if not readable and not writable:
            raise ProbeError(f"the other host did not answer for {IO_TIMEOUT_S:.0f} s")
        if writable:
            sent = sock.send(self.request[self.request_bytes - self.unsent :])
            self.connection.spend(sent)
            self.unsent -= sent
        if readable:
            self.take(sock.recv(2**18))

    def take(self, part: bytes) -> None:
        """Count received bytes; each whole response ends the oldest request."""
        if not part:
            raise ProbeError("the other host closed the connection")
        self.connection.spend(len(part))
        self.missing += len(part)
        while self.missing >= self.response_bytes:
            if not self.begun:
                raise ProbeError("the other host sent more than was asked for")
            self.missing -= self.response_bytes
            self.times.append((time.monotonic() - self.begun.popleft()) * 1000)


def percentiles(times_ms: List[float]) -> Data:
    """By nearest rank; one that too few transactions could support is null."""
    ordered = sorted(times_ms)

    def rank(share: float, least: int) -> Optional[float]:
        return round(ordered[math.ceil(share * len(ordered)) - 1], 4) if len(ordered) >= least else None

    return {
        "min_ms": round(ordered[0], 4),
        "mean_ms": round(sum(ordered) / len(ordered), 4),
        "p50_ms": rank(0.5, 1),
        "p95_ms": rank(0.95, 20),
        "p99_ms": rank(0.99, 100),
        "max_ms": round(ordered[-1], 4),
    }


def throughput(connection: Connection, seconds: float, max_bytes: int) -> Tuple[Optional[float], Optional[float]]:
    """Mbit/s to the other host and back, by one TCP connection, as the receiver counts it."""
    connection.ask(do="receive")
    send_stream(connection, seconds, max_bytes)
    there = connection.read_frame().get("mbit_s")
    connection.send_frame({"do": "send", "seconds": seconds, "bytes": max_bytes})
    return there, take_stream(connection)


def signature_of(result: Data, token: str) -> str:
    """As the console computes it: HMAC-SHA256 over the document with sorted names and without blanks."""
    signed = {name: value for name, value in result.items() if name != "signature"}
    message = json.dumps(signed, sort_keys=True, separators=(",", ":")).encode()
    return hmac.new((FORMAT + " result " + token).encode(), message, hashlib.sha256).hexdigest()


# ------------------------------------------------------------------------------------------- the console


def check_console(address: str) -> None:
    """The token must not travel in plain text."""
    parts = urllib.parse.urlsplit(address)
    if parts.scheme != "https" and parts.hostname not in ("127.0.0.1", "::1", "localhost"):
        raise ProbeError("--console must begin with https://, because the token is sent to it")


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """A console does not redirect this call; the token must reach no other host."""

    def redirect_request(self, *_args: Any) -> None:
        """Follow none."""


def upload(options: argparse.Namespace, result: Data) -> int:
    """Send the document; says what the console answers."""
    body = json.dumps({"token": options.token, "result": result}).encode()
    request = urllib.request.Request(
        options.console.rstrip("/") + "/api/v1/network-results",
        body,
        {"Content-Type": "application/json", "Accept": "application/json"},
    )
    context = ssl.create_default_context(cafile=options.ca_file)
    opener = urllib.request.build_opener(NoRedirect(), urllib.request.HTTPSHandler(context=context))
    try:
        opener.open(request, timeout=30).close()
    except urllib.error.HTTPError as error:
        raise ProbeError(f"the console refused the result: {refusal(error)}")
    except (OSError, ValueError) as error:
        raise ProbeError(f"the console did not take the result ({error}). Paste the JSON on its page")
    say("the console stored the result")
    return 0


def refusal(error: urllib.error.HTTPError) -> str:
    """The sentence of the console, or its status."""
    try:
        return plain(str(json.loads(error.read(65536).decode())["detail"]))
    except (ValueError, KeyError, TypeError, OSError):
        return f"status {error.code}"


# ------------------------------------------------------------------------------------------- the command line


def say(sentence: str) -> None:
    """To the person at the terminal; standard output is for the document."""
    sys.stderr.write(sentence + "\n")
    sys.stderr.flush()


def token_of(options: argparse.Namespace) -> str:
    """From the environment or a file; never an argument, which every user of the host could read."""
    if options.token_file:
        try:
            with open(options.token_file) as file:
                token = file.read().strip()
        except OSError as error:
            raise ProbeError(f"cannot read the token: {error}")
    else:
        token = os.environ.get(TOKEN_VARIABLE, "").strip()
    if len(token) < LEAST_TOKEN_CHARS or not all("!" <= one <= "~" for one in token):
        raise ProbeError(
            f"set {TOKEN_VARIABLE} or --token-file to the token that the console showed, or to any secret of "
            f"{LEAST_TOKEN_CHARS} characters or more, the same on both hosts"
        )
    return token


def parser() -> argparse.ArgumentParser:
    """The command line."""
    top = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    top.add_argument("--version", action="version", version=f"{FORMAT} {VERSION}")
    commands = top.add_subparsers(dest="command", metavar="serve|run")
    commands.required = True
    server = commands.add_parser("serve", help="answer one run from another host")
    server.add_argument("--listen", required=True, help="the address to listen on; no other address is opened")
    server.add_argument("--wait", type=seconds_of(3600), default=600.0, help="seconds to wait for the other host")
    client = commands.add_parser("run", help="measure to a host that serves")
    client.add_argument("--connect", required=True, help="the address of the serving host")
    client.add_argument("--bind", default="", help="the own address to measure from")
    client.add_argument("--link", required=True, help="the id of the link in the console")
    client.add_argument("--from", dest="from_node", required=True, help="the id of this host's node")
    client.add_argument("--to", dest="to_node", required=True, help="the id of the other host's node")
    client.add_argument("--seconds", type=seconds_of(MAX_SECONDS), default=2.0, help="seconds of each measurement")
    client.add_argument("--console", default="", help="https address of the console that gets the result")
    client.add_argument("--ca-file", default=None, help="certificates to trust for the console")
    for one in (server, client):
        one.add_argument("--port", type=int, required=True, help="TCP port of the serving host")
        one.add_argument("--token-file", default="", help="file with the token")
        one.add_argument("--max-mib", type=mib_of, default=1024, help="MiB in all, both ways, after which a run ends")
    return top


def seconds_of(most: float) -> Any:
    """Seconds on the command line."""

    def take(text: str) -> float:
        value = float(text)
        if not 0.05 <= value <= most:
            raise argparse.ArgumentTypeError(f"must be between 0.05 and {most:g}")
        return value

    return take


def mib_of(text: str) -> int:
    """MiB on the command line."""
    value = int(text)
    if not 256 <= value <= 65536:
        raise argparse.ArgumentTypeError("must be between 256 and 65536")
    return value


def main() -> int:
    """Run a command; an error is one sentence."""
    options = parser().parse_args()
    try:
        options.token = token_of(options)
        return serve(options) if options.command == "serve" else run(options)
    except KeyboardInterrupt:
        say("ended by the keyboard; nothing was stored")
    except (ProbeError, OSError) as error:
        say(f"error: {error}")
    return 1


if __name__ == "__main__":
    sys.exit(main())
