"""All rules of the console outside the core."""

from __future__ import annotations

from tests.backend.seeded_bugs.access_rules import ACCESS_RULES
from tests.backend.seeded_bugs.account_rules import ACCOUNT_RULES
from tests.backend.seeded_bugs.approval_rules import APPROVAL_RULES
from tests.backend.seeded_bugs.audit_rules import AUDIT_RULES
from tests.backend.seeded_bugs.backup_rules import BACKUP_RULES
from tests.backend.seeded_bugs.boundary_rules import BOUNDARY_RULES
from tests.backend.seeded_bugs.certificate_rules import CERTIFICATE_RULES
from tests.backend.seeded_bugs.declaration_rules import DECLARATION_RULES
from tests.backend.seeded_bugs.destination_rules import DESTINATION_RULES
from tests.backend.seeded_bugs.factor_rules import FACTOR_RULES
from tests.backend.seeded_bugs.fallen_rules import FALLEN_RULES
from tests.backend.seeded_bugs.incident_rules import INCIDENT_RULES
from tests.backend.seeded_bugs.log_rules import LOG_RULES
from tests.backend.seeded_bugs.maintenance_rules import MAINTENANCE_RULES
from tests.backend.seeded_bugs.monitor_rules import MONITOR_RULES
from tests.backend.seeded_bugs.ownership_rules import OWNERSHIP_RULES
from tests.backend.seeded_bugs.person_rules import PERSON_RULES
from tests.backend.seeded_bugs.proof_rules import PROOF_RULES
from tests.backend.seeded_bugs.push_rules import PUSH_RULES
from tests.backend.seeded_bugs.registration_rules import REGISTRATION_RULES
from tests.backend.seeded_bugs.removed_channel_rules import REMOVED_CHANNEL_RULES
from tests.backend.seeded_bugs.returned_rules import RETURNED_RULES
from tests.backend.seeded_bugs.run_rules import RUN_RULES
from tests.backend.seeded_bugs.secret_rules import SECRET_RULES
from tests.backend.seeded_bugs.setting_rules import SETTING_RULES
from tests.backend.seeded_bugs.sign_in_rules import SIGN_IN_RULES
from tests.backend.seeded_bugs.snapshot_rules import SNAPSHOT_RULES
from tests.backend.seeded_bugs.stranger_rules import STRANGER_RULES
from tests.backend.seeded_bugs.stream_rules import STREAM_RULES

RULES = (
    *ACCESS_RULES,
    *RUN_RULES,
    *INCIDENT_RULES,
    *MONITOR_RULES,
    *LOG_RULES,
    *STREAM_RULES,
    *SNAPSHOT_RULES,
    *PROOF_RULES,
    *OWNERSHIP_RULES,
    *MAINTENANCE_RULES,
    *RETURNED_RULES,
    *REGISTRATION_RULES,
    *SECRET_RULES,
    *DECLARATION_RULES,
    *CERTIFICATE_RULES,
    *REMOVED_CHANNEL_RULES,
    *STRANGER_RULES,
    *PERSON_RULES,
    *FALLEN_RULES,
    *APPROVAL_RULES,
    *FACTOR_RULES,
    *PUSH_RULES,
    *DESTINATION_RULES,
    *BOUNDARY_RULES,
    *AUDIT_RULES,
    *SETTING_RULES,
    *BACKUP_RULES,
    *SIGN_IN_RULES,
    *ACCOUNT_RULES,
)
