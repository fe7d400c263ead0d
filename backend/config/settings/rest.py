"""Settings of the REST framework, of the OpenAPI schema and of the caches."""

from __future__ import annotations

from backend.config.settings.console import HAWSER_VERSION
from backend.config.settings.openapi import OPENAPI_DESCRIPTION, OPENAPI_TAGS

CACHES = {
    "default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"},
    # Each version of a run. In this process only, since another process can build it from the database.
    "runs": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "LOCATION": "runs",
        "TIMEOUT": None,
        "OPTIONS": {"MAX_ENTRIES": 400},
    },
    # What a finished failover achieved; it never changes. See `backend.history.recovery`.
    "achieved": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "LOCATION": "achieved",
        "TIMEOUT": None,
        "OPTIONS": {"MAX_ENTRIES": 2000},
    },
    # Responses that many clients request at once; see `backend.api.response_cache`.
    "kept": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "LOCATION": "kept",
        "OPTIONS": {"MAX_ENTRIES": 60},
    },
}

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "backend.accounts.authentication.BearerAuthentication",
        "backend.accounts.authentication.ConsoleSessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["backend.common.rest.permissions.RolePermission"],
    "DEFAULT_PARSER_CLASSES": ["backend.common.rest.parsers.StrictJSONParser"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_SCHEMA_CLASS": "backend.common.rest.schema.ConsoleSchema",
    "DEFAULT_METADATA_CLASS": None,
    "EXCEPTION_HANDLER": "backend.common.rest.problems.exception_handler",
    "UNAUTHENTICATED_USER": "django.contrib.auth.models.AnonymousUser",
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}

SPECTACULAR_SETTINGS = {
    "OAS_VERSION": "3.1.1",
    "TITLE": "Hawser",
    "DESCRIPTION": OPENAPI_DESCRIPTION,
    "TAGS": OPENAPI_TAGS,
    "VERSION": HAWSER_VERSION,
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "COMPONENT_SPLIT_REQUEST": True,
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "ENUM_ADD_EXPLICIT_BLANK_NULL_CHOICE": True,
    "PREPROCESSING_HOOKS": ["backend.common.rest.schema.only_versioned"],
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "backend.common.rest.schema.add_problem_responses",
    ],
    "ENUM_NAME_OVERRIDES": {
        "AbsenceTimeStateEnum": "backend.api.maintenance_serializers.TIME_STATE",
        "ClusterProfileEnum": "backend.advice.serializers.PROFILE",
        "HostSettingJudgementEnum": "backend.advice.serializers.JUDGEMENT",
        "LinkStateEnum": "backend.clusters.serializers.links.LINK_STATE",
        "ReadinessStateEnum": "backend.clusters.serializers.links.READINESS_STATE",
        "AttentionEnum": "backend.api.fleet_serializers.ATTENTION",
        "RecoverySourceEnum": "backend.api.fleet_serializers.SOURCES",
        "ChannelStateEnum": "backend.clusters.serializers.links.CHANNEL_STATE",
        "ClusterStatusEnum": "backend.clusters.serializers.clusters.CLUSTER_STATUS",
        "PlanKindEnum": "backend.clusters.serializers.links.PLAN_KIND",
        "LinkSideEnum": "backend.runs.rest.serializers.plans.SIDES",
        "GroupKindEnum": "backend.runs.rest.serializers.plans.GROUP_KINDS",
        "AuditDamageEnum": "backend.audit.serializers.DAMAGE",
        "LabNodeStateEnum": "backend.api.serializers.LAB_NODE_STATE",
        "LabVerificationStateEnum": "backend.api.serializers.LAB_VERIFICATION_STATE",
        "RoleEnum": "backend.accounts.serializers.ROLES",
        "PermissionEnum": "backend.accounts.serializers.PERMISSION",
        "TlsModeEnum": "backend.clusters.serializers.clusters.TLS_MODE",
        "RunStateEnum": "backend.runs.rest.serializers.runs.RUN_STATE",
        "StepStateEnum": "backend.runs.rest.serializers.runs.STEP_STATE",
        "StatementStateEnum": "backend.runs.rest.serializers.runs.STATEMENT_STATE",
        "PlanStateEnum": "backend.runs.rest.serializers.plans.PLAN_STATE",
        "IneligibilityCodeEnum": "backend.clusters.serializers.nodes.INELIGIBLE",
        "AttestationOptionEnum": "backend.runs.rest.serializers.derived.ATTESTATION_OPTION",
        "StepEffectEnum": "backend.runs.rest.serializers.derived.STEP_EFFECT",
        "ProofFailureEnum": "backend.runs.rest.serializers.derived.PROOF_FAILURE",
        "PauseStateEnum": "backend.runs.rest.serializers.derived.PAUSE_STATE",
        "PauseEndEnum": "backend.runs.rest.serializers.derived.PAUSE_END",
        "DeclarationOperationEnum": "backend.registration.declaration.serializers.OPERATION",
        "DeclaredObjectEnum": "backend.registration.declaration.serializers.OBJECT",
        "DeclarationOutcomeEnum": "backend.registration.declaration.serializers.OUTCOME",
        "RegistrationSideEnum": "backend.registration.guide.serializers.SIDE",
        "RegistrationPartEnum": "backend.registration.guide.serializers.POINT_SIDE",
        "MemberStateEnum": "backend.registration.guide.serializers.MEMBER_STATE",
        "FoundLinkStateEnum": "backend.registration.guide.serializers.LINK_FOUND",
        "StoredAccountsEnum": "backend.registration.guide.serializers.STORED",
        "StatementResultEnum": "backend.registration.guide.serializers.RESULT",
        "SeverityEnum": "backend.clusters.serializers.clusters.SEVERITY",
        "RehearsedKindEnum": "backend.rehearsals.serializers.REHEARSED",
        "RehearsalStateEnum": "backend.rehearsals.serializers.REHEARSAL_STATE",
        "AutomationModeEnum": "backend.automation.models.MODES",
        "AutomationOutcomeEnum": "backend.automation.serializers.OUTCOMES",
        "HookPhaseEnum": "backend.hooks.serializers.PHASES",
        "CallPhaseEnum": "backend.hooks.serializers.CALL_PHASES",
        "DeliveryStateEnum": "backend.hooks.serializers.DELIVERY_STATE",
        "EvidenceFamilyEnum": "backend.runs.rest.serializers.plans.FAMILIES",
        "IncidentStateEnum": "backend.incidents.rest.serializers.INCIDENT_STATE",
        "IncidentItemStateEnum": "backend.incidents.rest.serializers.ITEM_STATE",
        "TouchedRoleEnum": "backend.incidents.rest.serializers.LINK_ROLE",
        "IncidentScopeEnum": "backend.incidents.rest.serializers.SCOPE_KIND",
        "AdviceRiskEnum": "backend.advice.serializers.RISK",
        "ClusterLayoutEnum": "backend.advice.serializers.LAYOUT",
        "OptionNoteEnum": "backend.advice.serializers.NOTE",
        "TakesEffectEnum": "backend.advice.serializers.TAKES_EFFECT",
        "NetworkToolEnum": "backend.network.serializers.TOOLS",
        "NetworkVerdictEnum": "backend.network.serializers.VERDICTS",
        "NetworkEffectEnum": "backend.network.serializers.EFFECTS",
        "CalibrationStateEnum": "backend.calibration.serializers.STATES",
        "LookupStateEnum": "backend.lookup.serializers.STATES",
    },
}
