"""Shapes of what the core derives for a shown plan or run: attestations, effects, proofs, write pause, time, roles."""

from __future__ import annotations

from rest_framework import serializers

from backend.clusters.serializers.clusters import FindingSerializer
from backend.clusters.serializers.links import ClusterRefSerializer
from backend.common.rest.serializers import ShapeSerializer
from backend.core.plans.attestations import ATTESTATION_OPTIONS
from backend.core.plans.step_effects import StepEffect
from backend.core.plans.step_proofs import ProofFailure
from backend.core.runner.write_pause import PauseEnd, PauseState

ATTESTATION_OPTION = list(ATTESTATION_OPTIONS)
STEP_EFFECT = [effect.value for effect in StepEffect]
PROOF_FAILURE = [failure.value for failure in ProofFailure]
PAUSE_STATE = [state.value for state in PauseState]
PAUSE_END = [end.value for end in PauseEnd]


class AttestationSerializer(ShapeSerializer):
    """What a person may attest about a finding, or attested, and the option of the plan that says so."""

    option = serializers.ChoiceField(
        choices=ATTESTATION_OPTION, help_text="The plan option that answers the finding; true, unless `node_id` is set."
    )
    node_id = serializers.CharField(
        allow_null=True, help_text="The node to add to the option's list (`attest_fenced`); else null."
    )
    node = serializers.CharField(allow_null=True, help_text="The name of that node.")
    label = serializers.CharField(help_text="The sentence that the person attests.")  # type: ignore[assignment]
    is_override = serializers.BooleanField(help_text="It overrides a safety check instead of telling a fact.")
    is_given = serializers.BooleanField(
        help_text="False: a new plan with the option would answer the finding. True: this plan was given it."
    )


class PlanFindingSerializer(FindingSerializer):
    """A check's answer in a plan; `attestation` is null where no user can attest to it."""

    attestation = AttestationSerializer(allow_null=True)


class WritePauseSerializer(ShapeSerializer):
    """How long the run kept applications from writing: from its first fence until a side took writes again."""

    started_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField(allow_null=True)
    duration_s = serializers.FloatField(allow_null=True, help_text="Null while there is no end.")
    state = serializers.ChoiceField(
        choices=PAUSE_STATE,
        help_text="`unknown`: the run ended, and neither opened the other side nor undid its fences.",
    )
    ended_by = serializers.ChoiceField(
        choices=PAUSE_END,
        allow_null=True,
        help_text="`opened`: the other side accepts writes. `reverted`: the run undid its fences.",
    )


class RolesAfterSerializer(ShapeSerializer):
    """The active and the standby side, as the run has left them so far."""

    active = ClusterRefSerializer()
    standby = ClusterRefSerializer()
    is_swapped = serializers.BooleanField(help_text="False: the roles are still those from before the run.")
    is_opened_by_run = serializers.BooleanField(
        help_text="The run opens nodes of the new active side; false: they were open already."
    )
