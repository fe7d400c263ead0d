"""Further links of the demo: their nodes are one process that answers the monitor's polls, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping

from deploy.demo.options import Options
from deploy.services.net import free_net, port_open
from deploy.services.process import PYTHON, Child, ServiceError, run, wait_until

NODES, TRANSACTIONS_PER_S = 6, 2.0
PORT, FIRST = 3306, "1.1"
READY_LIMIT_S = 30.0


def start(options: Options, env: Mapping[str, str]) -> Child:
    """Starts the nodes and registers their links."""
    count, net = str(options.links - 1), free_net(hosts=[FIRST])
    serve = [PYTHON, "-m", "bench.fleet.stand_in.serve", net, count, str(NODES), str(TRANSACTIONS_PER_S), "--on"]
    child = Child("stand-ins", serve, options.logs / "stand-ins.log").start()
    if not wait_until(lambda: port_open(PORT, f"{net}.{FIRST}"), READY_LIMIT_S, child):
        child.stop()
        raise ServiceError(f"the nodes of the further links did not start:\n{child.tail()}")
    run([PYTHON, "bench/fleet/console.py", "register", net, count, str(NODES)], env=env)
    return child
