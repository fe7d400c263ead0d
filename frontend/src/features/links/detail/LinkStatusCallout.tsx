import { Button, Menu } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import type { Link, LinkDetail } from "@/api/types";
import { ButtonLink } from "@/components/ButtonLink";
import { DisabledReasonButton } from "@/components/DisabledReasonButton";
import { useCan } from "@/components/use-session";
import { describeStale } from "@/domain/freshness";
import { OPERATION_KINDS, OPERATIONS, type OperationKind } from "@/domain/operations";
import { currentParticipants } from "@/domain/participants";
import { statusFor } from "@/domain/status";
import { formatAge } from "@/lib/format/time";
import { Callout } from "@/ui/Callout";
import { StatusChip } from "@/ui/StatusChip";
import { operationLink } from "./suggested-relocation";

/** The acts that make sense to look at beside the primary one, in the order of the table. */
export function otherOperations(link: Link): OperationKind[] {
  const away = (link.readiness.failback?.state ?? "not_needed") !== "not_needed";
  return OPERATION_KINDS.filter((kind) => {
    if (kind === link.primary_action?.kind) return false;
    // Away from home the switchover is the way home, and says so.
    if (kind === "switchover" && away) return false;
    const answer = link.readiness[kind]?.state;
    return kind === "relocate" || (answer !== undefined && answer !== "not_needed");
  });
}

/** The other acts; each item only leads to the pages of its act. */
function Others({
  link,
  kinds,
  words,
}: {
  link: LinkDetail;
  kinds: OperationKind[];
  words: string;
}) {
  const navigate = useNavigate();
  return (
    <Menu position="bottom-end" shadow="md" width={330}>
      <Menu.Target>
        <Button variant="default">{words}</Button>
      </Menu.Target>
      <Menu.Dropdown>
        {kinds.map((kind) => {
          const status = statusFor("readiness", link.readiness[kind]?.state ?? "unknown");
          return (
            <Menu.Item
              key={kind}
              rightSection={<StatusChip tone={status.tone}>{status.word}</StatusChip>}
              onClick={() => void navigate(operationLink(link, kind))}
            >
              {OPERATIONS[kind].action(currentParticipants(kind, link))}…
            </Menu.Item>
          );
        })}
      </Menu.Dropdown>
    </Menu>
  );
}

function Actions({ link, ageS, stale }: { link: LinkDetail; ageS: number | null; stale: boolean }) {
  const mayPlan = useCan("plan");
  if (link.active_run)
    return (
      <ButtonLink to="/runs/$runId" params={{ runId: link.active_run.id }}>
        Watch the run
      </ButtonLink>
    );
  if (!mayPlan) return null;
  const action = link.primary_action;
  const others = otherOperations(link);
  const because = stale
    ? `The facts are ${ageS === null ? "missing" : `${formatAge(ageS)} old`}; a plan needs facts no older than 5 s.`
    : null;
  return (
    <>
      {others.length > 0 && (
        <Others link={link} kinds={others} words={action?.kind ? "Other acts" : "Acts"} />
      )}
      {action?.kind && (
        <DisabledReasonButton disabledReason={because} link={operationLink(link, action.kind)}>
          {action.label.replace(/(…|\.\.\.)?$/, "…")}
        </DisabledReasonButton>
      )}
    </>
  );
}

/** The sentence at the head of a link's page, with the one action that fits its state. */
export function LinkStatusCallout({
  link,
  ageS,
  stale,
}: {
  link: LinkDetail;
  ageS: number | null;
  stale: boolean;
}) {
  const status = statusFor("link", stale ? "unknown" : link.state);
  return (
    <Callout
      tone={status.tone}
      announcement={`${link.name}: ${status.word}`}
      stale={stale}
      title={describeStale(link.sentence, ageS)}
      description={link.detail}
      actions={<Actions link={link} ageS={ageS} stale={stale} />}
    />
  );
}
