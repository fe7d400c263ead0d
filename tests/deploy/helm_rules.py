"""What every pod of the chart must be: a rule that is broken is returned as a sentence, and an unknown never passes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

Object = dict[str, Any]
USER = 10001
PROCESSES = ("web", "worker", "monitor", "migrate")
# In compose a file of its own adds them: docs/how-to/sign-in-by-provider.md.
OF_SIGN_IN = {"oidc_client_secret", "ldap_bind_password"}


def pods(objects: list[Object]) -> dict[str, Object]:
    """The specification of each pod by its process."""
    kinds = [one for one in objects if one["kind"] in {"Deployment", "Job"}]
    return {one["metadata"]["labels"]["app.kubernetes.io/component"]: one["spec"]["template"]["spec"] for one in kinds}


def weaknesses(pod: Object) -> list[str]:
    """Every right that the pod has and does not need."""
    return [*_of_pod(pod), *(found for container in _containers(pod) for found in _of_container(container))]


def _containers(pod: Object) -> list[Object]:
    return [*pod.get("initContainers", []), *pod["containers"]]


def _of_pod(pod: Object) -> Iterator[str]:
    context = pod.get("securityContext", {})
    if context.get("runAsNonRoot") is not True or context.get("runAsUser") != USER or context.get("runAsGroup") != USER:
        yield f"runs as another user than {USER}"
    if context.get("seccompProfile") != {"type": "RuntimeDefault"}:
        yield "has no seccomp profile"
    if pod.get("automountServiceAccountToken") is not False:
        yield "has a token of the cluster"
    for name in ("hostNetwork", "hostPID", "hostIPC", "shareProcessNamespace"):
        if pod.get(name):
            yield f"has {name}"
    for volume in pod.get("volumes", []):
        if not {"emptyDir", "projected", "configMap"} & set(volume):
            yield f"has a volume of another kind: {volume['name']}"
        if volume.get("projected", {}).get("defaultMode", 0o440) & 0o337:
            yield f"others can read {volume['name']}"


def _of_container(container: Object) -> Iterator[str]:
    context = container.get("securityContext", {})
    if context.get("allowPrivilegeEscalation") is not False or context.get("privileged"):
        yield "can gain privileges"
    if context.get("readOnlyRootFilesystem") is not True:
        yield "can write to its root"
    if context.get("capabilities") != {"drop": ["ALL"]}:
        yield "has capabilities"
    if "memory" not in container.get("resources", {}).get("limits", {}):
        yield "has no limit of memory"
    for variable in container["env"]:
        if "valueFrom" in variable and "fieldRef" not in variable["valueFrom"]:
            yield f"has a secret in its environment: {variable['name']}"


def secrets_of(pod: Object) -> dict[str, str]:
    """Path of each secret below /run/secrets/hawser, and the Secret that it comes from."""
    (volume,) = [volume for volume in pod["volumes"] if volume["name"] == "secrets"]
    sources = volume["projected"]["sources"]
    return {item["path"]: one["secret"]["name"] for one in sources for item in one["secret"]["items"]}


def folder_of_files(pod: Object) -> str:
    """The Secret that the pod has as the folder /run/secrets/files; empty for none."""
    found = [volume["projected"]["sources"] for volume in pod["volumes"] if volume["name"] == "files"]
    mounts = [one["mountPath"] for one in pod["containers"][0]["volumeMounts"] if one["name"] == "files"]
    assert mounts == ["/run/secrets/files"] * len(found)
    return found[0][0]["secret"]["name"] if found else ""
