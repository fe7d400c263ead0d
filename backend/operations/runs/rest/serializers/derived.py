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


class StepEffectSerializer(ShapeSerializer):
    """What a step changes, also where no statement shows it."""

    kind = serializers.ChoiceField(choices=STEP_EFFECT, help_text="What the step acts on; `reads` changes nothing.")
    sentence = serializers.CharField()


class StepProofSerializer(ShapeSerializer):
    """What the run proves in a step; equal claims on several steps are one proof."""

    claim = serializers.CharField(help_text="What holds once the step is done.")
    method = serializers.CharField(help_text="How that is shown.")
    on_failure = serializers.ChoiceField(
        choices=PROOF_FAILURE,
        help_text="What becomes of the run where the proof fails: `reverted` undoes its steps and ends it, "
        "`needs_operator` stops it where it is.",
    )


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


class StepTimeSerializer(ShapeSerializer):
    """Where the time of an ended step went, from the end of the one before; the five parts are its `total_s`."""

    index = serializers.IntegerField()
    total_s = serializers.FloatField()
    servers_s = serializers.FloatField(
        help_text="Waiting for the database servers: connections, reads, statements, and what the step waits to see."
    )
    database_s = serializers.FloatField(help_text="Waiting for the console's own database while storing the step.")
    processor_wait_s = serializers.FloatField(
        help_text="The worker was ready to continue and had no processor: its host was busy with other work."
    )
    computing_s = serializers.FloatField(help_text="Processor time of the worker.")
    other_s = serializers.FloatField(help_text="Not measured: undo, earlier attempts, and time without a worker.")
    server_trips = serializers.IntegerField(
        allow_null=True,
        help_text="Round trips to the database servers, some at the same time; null where they were not counted.",
    )


class TimeSpentSerializer(ShapeSerializer):
    """Where the time of a run went, from its confirmation until its end or its last ended step."""

    total_s = serializers.FloatField()
    waiting_approval_s = serializers.FloatField(help_text="From the confirmation until the approval before the start.")
    queued_s = serializers.FloatField(help_text="From then until a worker started the run.")
    servers_s = serializers.FloatField(help_text="Sum over the steps, as each of the following.")
    database_s = serializers.FloatField()
    processor_wait_s = serializers.FloatField()
    computing_s = serializers.FloatField()
    other_s = serializers.FloatField(
        help_text="Not measured: the start and end of the run, undo, earlier attempts, and time without a worker."
    )
    steps = StepTimeSerializer(many=True)


class RolesAfterSerializer(ShapeSerializer):
    """The active and the standby side, as the run has left them so far."""

    active = ClusterRefSerializer()
    standby = ClusterRefSerializer()
    is_swapped = serializers.BooleanField(help_text="False: the roles are still those from before the run.")
    is_opened_by_run = serializers.BooleanField(
        help_text="The run opens nodes of the new active side; false: they were open already."
    )
