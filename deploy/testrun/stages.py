"""The stages of a test run, in their order. A failed stage does not stop the next one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from deploy.testrun import browser, fuzzing, other_servers, static_checks, suites
from deploy.testrun.counts import Counts
from deploy.testrun.workspace import Workspace

Run = Callable[[Workspace], Counts]


@dataclass(frozen=True)
class Stage:
    """A named stage."""

    name: str
    run: Run


STAGES = (
    Stage("lint", static_checks.lint),
    Stage("schema", static_checks.schema),
    Stage("core", suites.core),
    Stage("deploy", suites.deploy),
    Stage("catalogue", suites.catalogue),
    Stage("frontend", suites.frontend),
    Stage("build", static_checks.build),
    Stage("ui", browser.ui),
    Stage("api-mariadb", suites.api_mariadb),
    Stage("backend-mariadb", suites.backend_mariadb),
    Stage("backend-sqlite", suites.backend_sqlite),
    Stage("containers", suites.containers),
    Stage("ha", suites.ha),
    Stage("single-servers", suites.single_servers),
    Stage("variants", suites.variants),
    Stage("faults", suites.faults),
    Stage("sites", suites.sites),
    Stage("galera", suites.galera),
    Stage("e2e", browser.e2e),
)

# Run only if they are named.
FURTHER = (
    Stage("faults-whole", suites.faults_whole),
    Stage("scenarios-whole", suites.scenarios_whole),
    Stage("deploy-whole", suites.deploy_whole),
    Stage("containers-whole", suites.containers_whole),
    Stage("ha-whole", suites.ha_whole),
    Stage("bare", browser.bare),
    Stage("servers", other_servers.servers),
    Stage("servers-aside", other_servers.servers_aside),
    Stage("fuzz", fuzzing.fuzz),
)


def chosen(names: list[str]) -> list[Stage]:
    """Stages by name, in their own order; without names all of `make test`."""
    every = (*STAGES, *FURTHER)
    known = {stage.name for stage in every}
    unknown = [name for name in names if name not in known]
    if unknown:
        raise SystemExit(f"There is no stage {unknown[0]!r}. Choose from {', '.join(sorted(known))}")
    return [stage for stage in every if stage.name in names] if names else list(STAGES)
