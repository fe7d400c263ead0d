"""All kinds of steps by their code, and which of them carry business data."""

from __future__ import annotations

from backend.core.orphans.marker import Way
from backend.core.steps.base import StepKind
from backend.core.steps.clean import Clean
from backend.core.steps.diverge import Diverge
from backend.core.steps.fence import ADMIT, FENCE, OPEN, REJECT
from backend.core.steps.gtid_position import GtidPosition
from backend.core.steps.hook import Hook
from backend.core.steps.locate import Locate
from backend.core.steps.locate_end import LocateEnd
from backend.core.steps.many import ManyKind
from backend.core.steps.orphans import OrphanStep
from backend.core.steps.point import Point
from backend.core.steps.probing import Probe
from backend.core.steps.prove_fence import ProveFence
from backend.core.steps.recheck import Recheck
from backend.core.steps.roles import Attach, Reconcile, SwapRoles
from backend.core.steps.same_end import NoOrphans, SameEnd
from backend.core.steps.start import Start
from backend.core.steps.stop import Drain, Stop
from backend.core.steps.verify import Verify

KINDS: dict[str, StepKind] = {
    "recheck": Recheck(),
    "drain": Drain(),
    "stop": Stop(),
    "locate": Locate(),
    "locate_end": LocateEnd(),
    "clean": Clean(),
    "gtid_position": GtidPosition(),
    "point": Point(),
    "start": Start(),
    "probe": Probe(),
    "verify": Verify(),
    "hook": Hook(),
    "fence": FENCE,
    "reject": REJECT,
    "open": OPEN,
    "admit": ADMIT,
    "readmit": REJECT,
    "prove_fence": ProveFence(),
    "same_end": SameEnd(),
    "no_orphans": NoOrphans(),
    "diverge": Diverge(),
    "swap_roles": SwapRoles(),
    "reconcile": Reconcile(),
    "attach": Attach(),
    "replay": OrphanStep(Way.REPLAY),
    "undo_orphans": OrphanStep(Way.UNDO),
}


def carries_rows(code: str) -> bool:
    """Whether the step's statements hold rows of applications: only who may see orphans may see them."""
    return isinstance(KINDS.get(code), ManyKind)
