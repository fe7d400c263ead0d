"""The passwords of a run that rotates them: stored by the console, tried on the nodes, hashed for the statements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from backend.audit import services as audit
from backend.clusters import rotation
from backend.common.transaction_retry import retry_on_rollback
from backend.core.plan import Step
from backend.core.ports import NodeError
from backend.core.topology import Reach
from backend.gateway.account_statements import native_hash
from backend.gateway.connection.errors import ConnectError
from backend.gateway.connection.session import Session
from backend.gateway.gateway import NodeGateway
from backend.gateway.parallel_reads import side_by_side
from backend.operations.runs.execution.store import RunStore


class RunPasswords:
    """Implements `core.rotation.Passwords`; a worker whose run was taken over stores nothing."""

    def __init__(self, store: RunStore, gateway: NodeGateway) -> None:
        self._store = store
        self._gateway = gateway

    @retry_on_rollback
    def prepare(self, role: str, cluster_ids: Sequence[str]) -> None:
        """Store the new password, once."""
        with self._store.guard():
            rotation.rotation_prepare(run_id=self._store.run_id, role=role, cluster_ids=cluster_ids)

    @retry_on_rollback
    def use_new(self, role: str, cluster_ids: Sequence[str]) -> None:
        """Connect with the new one, and say so in the audit log."""
        with self._store.guard():
            self._use(role, cluster_ids, is_new=True)

    @retry_on_rollback
    def use_old(self, role: str, cluster_ids: Sequence[str]) -> None:
        """Connect with the old one."""
        with self._store.guard():
            self._use(role, cluster_ids, is_new=False)

    @retry_on_rollback
    def forget_old(self, role: str, cluster_ids: Sequence[str]) -> None:
        """Only the new one is stored."""
        with self._store.guard():
            rotation.rotation_end(run_id=self._store.run_id, role=role, cluster_ids=cluster_ids)

    def logins(self, role: str, node_ids: Sequence[str], *, is_new: bool) -> Mapping[str, bool | None]:
        """Try it on every node at once."""
        tried = side_by_side(partial(self._login, role, is_new=is_new), node_ids)
        return dict(zip(node_ids, tried, strict=True))

    def _use(self, role: str, cluster_ids: Sequence[str], *, is_new: bool) -> None:
        run_id = self._store.run_id
        if not rotation.rotation_use(run_id=run_id, role=role, cluster_ids=cluster_ids, is_new=is_new):
            return
        run = self._store.run()
        audit.record(
            actor=run.requested_by,
            action="worker:credential:rotate",
            link_id=run.link_id,
            run_id=run_id,
            facts={"role": role, "clusters": list(cluster_ids), "password": "new" if is_new else "old"},
        )

    def _login(self, role: str, node_id: str, *, is_new: bool) -> bool | None:
        access = self._gateway.access(node_id)
        user, old, new = rotation.rotation_passwords(role=role, cluster_id=access.ref.cluster_id)
        password = new if is_new else old
        if not password:
            return False
        endpoint = replace(access.operator, user=user, password=password, newest=None)
        session = Session(access.ref.name, endpoint, read_only=True)
        try:
            session.open()
        except ConnectError as error:
            return False if error.reach is Reach.REFUSED else None
        except NodeError:
            return None
        finally:
            session.close()
        return True


def rotation_secrets(step: Step) -> Mapping[str, str]:
    """What fills the marks of a statement: hashes for ALTER USER, the password itself only for a channel.

    A password that is not stored fills none: the writer refuses the statement, instead of setting an empty password.
    """
    role, cluster_id = step.params["rotation"]["role"], step.params["rotation"]["cluster_ids"][0]
    _, old, new = rotation.rotation_passwords(role=role, cluster_id=cluster_id)
    if step.code == "channel_password":
        return {"replication_new": new}
    known = {f"{role}_new": new, f"{role}_old": old}
    return {name: native_hash(password) for name, password in known.items() if password}
