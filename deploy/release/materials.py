"""Bills of materials (CycloneDX): locked Python packages, Node packages of the pages, and the images beneath."""

from __future__ import annotations

import json
import sys
import uuid
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

from deploy.release.bases import Base, as_component
from deploy.release.errors import ReleaseError
from deploy.release.version import VERSION
from deploy.services.process import ROOT, run

Bill = dict[str, Any]
_NAMESPACE = uuid.UUID("6a6f6d5c-9d2e-5f0e-9c0a-5b1d3c1f7a10")
"""Of serial numbers: the same bill has the same one."""


def python_bill(time: int) -> Bill:
    """The packages of requirements.txt with the hashes of all their files."""
    options = ["--of", "JSON", "--sv", "1.6", "--output-reproducible", "--pyproject", "pyproject.toml"]
    tool = [sys.executable, "-m", "cyclonedx_py", "requirements", "requirements.txt", *options]
    bill: Bill = json.loads(run(tool))
    for component in bill["components"]:
        # It repeats the line of requirements.txt, hashes included.
        component.pop("description", None)
    return _finished(bill, "hawser", time)


def pages_bill(time: int) -> Bill:
    """The packages of package-lock.json that are no tools.

    `npm sbom --omit dev` leaves out React itself and all else that tools need, too, so the lock's own marks decide.
    """
    lock = json.loads((ROOT / "package-lock.json").read_text())
    bill: Bill = json.loads(run(["npm", "sbom", "--sbom-format", "cyclonedx", "--package-lock-only"]))
    wanted = production_packages(lock)
    bill["components"] = [one for one in bill["components"] if (one["name"], one["version"]) in wanted]
    own = bill["metadata"]["component"]["bom-ref"]
    refs = {own, *(one["bom-ref"] for one in bill["components"])}
    bill["dependencies"] = [
        {"ref": one["ref"], "dependsOn": sorted(refs & set(one.get("dependsOn", [])))}
        for one in bill["dependencies"]
        if one["ref"] in refs
    ]
    return _finished(bill, "hawser-console", time)


def images_bill(bases: Sequence[Base], time: int) -> Bill:
    """The images that the console is built of and runs beside."""
    components = [as_component(one) for one in bases]
    bill: Bill = {"bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1, "components": components}
    bill["metadata"] = {"component": {"bom-ref": "hawser-images"}}
    return _finished(bill, "hawser-images", time)


def production_packages(lock: dict[str, Any]) -> set[tuple[str, str]]:
    """Name and version of each package of the lock that is not only there for tools."""
    return {
        (path.rpartition("node_modules/")[2], package["version"])
        for path, package in lock["packages"].items()
        if path and not package.get("dev") and not package.get("devOptional")
    }


def as_text(bill: Bill) -> str:
    """The file's text; a bill that breaks the schema of CycloneDX is refused."""
    text = json.dumps(bill, indent=2, sort_keys=True) + "\n"
    error = JsonStrictValidator(SchemaVersion.from_version(bill["specVersion"])).validate_str(text)
    if error is not None:
        raise ReleaseError(f"No release: a bill of materials breaks the schema of CycloneDX: {error}")
    return text


def moment(time: int) -> str:
    """A time as a bill states it."""
    return datetime.fromtimestamp(time, UTC).isoformat()


def _finished(bill: Bill, name: str, time: int) -> Bill:
    """The bill with the product's name, the commit's time, and a serial number that follows from its content."""
    bill["metadata"]["timestamp"] = moment(time)
    bill["metadata"]["component"] |= {"name": name, "type": "application", "version": VERSION}
    bill.pop("serialNumber", None)
    content = json.dumps(bill, sort_keys=True)
    return {**bill, "serialNumber": f"urn:uuid:{uuid.uuid5(_NAMESPACE, content)}"}
