"""All kinds of steps by their code, and which of them send rows of applications."""

from __future__ import annotations

from backend.core.orphans.progress_marker import OrphanAction
from backend.core.steps.base import StepKind
from backend.core.steps.batch import BatchStepKind
from backend.core.steps.channels.change_source import ChangeSource
from backend.core.steps.channels.drain import Drain
from backend.core.steps.channels.gtid_position import GtidPosition
from backend.core.steps.channels.reset_channel import ResetChannel
from backend.core.steps.channels.resume import Resume
from backend.core.steps.channels.start import Start
from backend.core.steps.channels.stop import Stop
from backend.core.steps.hook import Hook
from backend.core.steps.orphans import OrphanStep
from backend.core.steps.positions.caught_up import CaughtUp, NoOrphans
from backend.core.steps.positions.divergence_point import RecordDivergence
from backend.core.steps.positions.locate import Locate
from backend.core.steps.positions.log_end import LocateLogEnd
from backend.core.steps.probe_objects import SCHEMA_SQL, TABLE_SQL, CreateProbeObject
from backend.core.steps.sides.attach import Attach
from backend.core.steps.sides.count_returned_writes import CountReturnedWrites
from backend.core.steps.sides.events import AlterEvent
from backend.core.steps.sides.fence import ADMIT, FENCE, OPEN, REJECT
from backend.core.steps.sides.node_maintenance import AllowStop, FreezeGcache, OpenMaintenance, ReadGcaches, SkipFreeze
from backend.core.steps.sides.passwords import (
    AddPassword,
    ChannelPassword,
    DropPassword,
    PreparePassword,
    UsePassword,
    VerifyPassword,
)
from backend.core.steps.sides.reconcile import Reconcile
from backend.core.steps.sides.record_state_uuid import RecordStateUuid
from backend.core.steps.sides.semi_sync import SemiSyncOff, SemiSyncOn, VerifyCommits
from backend.core.steps.sides.settings import SET, CompareSettings, SetSetting, VerifyHealth
from backend.core.steps.sides.swap_roles import SwapRoles
from backend.core.steps.sides.verify_fence import VerifyFence
from backend.core.steps.verification.channels_removed import ChannelsRemoved
from backend.core.steps.verification.equal_data import VerifyEqualData
from backend.core.steps.verification.probe import Probe
from backend.core.steps.verification.recheck import Recheck
from backend.core.steps.verification.verify import Verify

STEP_KINDS: dict[str, StepKind] = {
    "recheck": Recheck(),
    "drain": Drain(),
    "stop_channel": Stop(),
    "locate": Locate(),
    "locate_log_end": LocateLogEnd(),
    "reset_channel": ResetChannel(),
    "set_gtid_position": GtidPosition(),
    "change_source": ChangeSource(),
    "start_channel": Start(),
    "resume_channel": Resume(),
    "create_probe_schema": CreateProbeObject(SCHEMA_SQL),
    "create_probe_table": CreateProbeObject(TABLE_SQL),
    "probe": Probe(),
    "verify": Verify(),
    "verify_equal_data": VerifyEqualData(),
    "verify_channels_removed": ChannelsRemoved(),
    "hook": Hook(),
    "fence": FENCE,
    "reject_queries": REJECT,
    "unfence": OPEN,
    "accept_queries": ADMIT,
    "restore_queries": REJECT,
    "disable_event": AlterEvent(),
    "enable_event": AlterEvent(),
    "verify_fence": VerifyFence(),
    "count_returned_writes": CountReturnedWrites(),
    "verify_caught_up": CaughtUp(),
    "verify_no_orphans": NoOrphans(),
    "record_divergence": RecordDivergence(),
    "swap_roles": SwapRoles(),
    "reconcile": Reconcile(),
    "record_state_uuid": RecordStateUuid(),
    "attach": Attach(),
    "recheck_settings": CompareSettings("was"),
    SET: SetSetting(),
    "verify_node_health": VerifyHealth(),
    "verify_settings": CompareSettings("wanted"),
    "read_gcaches": ReadGcaches(),
    "open_maintenance": OpenMaintenance(),
    "skip_freeze": SkipFreeze(),
    "freeze_gcache": FreezeGcache(),
    "allow_stop": AllowStop(),
    "prepare_password": PreparePassword(),
    "add_password": AddPassword(),
    "verify_password": VerifyPassword(),
    "use_password": UsePassword(),
    "channel_password": ChannelPassword(),
    "drop_password": DropPassword(),
    "semi_sync_off": SemiSyncOff(),
    "semi_sync_on": SemiSyncOn(),
    "verify_commits": VerifyCommits(),
    "replay": OrphanStep(OrphanAction.REPLAY),
    "undo_orphans": OrphanStep(OrphanAction.UNDO),
}


def carries_rows(code: str) -> bool:
    """Whether the step's statements contain rows of applications: only users who may see orphans may see them."""
    return isinstance(STEP_KINDS.get(code), BatchStepKind)
