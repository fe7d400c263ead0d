import { Button, Menu } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { linksQuery } from "@/api/resources/links";
import type { Link, LinkDetail } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { ButtonLink } from "@/components/ButtonLink";
import { DisabledReasonButton } from "@/components/DisabledReasonButton";
import { useDataAge } from "@/components/use-data-age";
import { useCan } from "@/components/use-session";
import { describeStale, isStale } from "@/domain/freshness";
import { linksAtSite, lostSite } from "@/domain/incidents";
import { OPERATIONS, type OperationKind } from "@/domain/operations";
import { currentParticipants } from "@/domain/participants";
import { statusFor } from "@/domain/status";
import { formatAge } from "@/lib/format/time";
import { Callout } from "@/ui/Callout";
import { StatusChip } from "@/ui/StatusChip";
import { otherOperations } from "./other-operations";
import { operationLink } from "./suggested-relocation";

/** Where a site is lost that other links use, too: the way to one incident over all of them. */
function TouchedBySameLoss({ link }: { link: Link }) {
  const mayPlan = useCan("plan");
  const { data } = useQuery(linksQuery());
  const site = lostSite(link);
  const count = site === null ? 0 : linksAtSite(data?.results ?? [], site);
  if (!mayPlan || site === null || count < 2) return null;
  return (
    <p>
      {count} links are touched by the loss of {site}:{" "}
      <AppLink to="/incidents" search={{ site }}>
        open an incident
      </AppLink>
    </p>
  );
}

/** The other operations; each item only leads to the pages of its operation. */
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
        View run
      </ButtonLink>
    );
  if (!mayPlan) return null;
  const action = link.primary_action;
  const others = otherOperations(link);
  const because = stale
    ? `${ageS === null ? "No data yet." : `Data is ${formatAge(ageS)} old.`} A plan needs data that is at most 5 s old.`
    : null;
  return (
    <>
      {others.length > 0 && (
        <Others
          link={link}
          kinds={others}
          words={action?.kind ? "Other operations" : "Operations"}
        />
      )}
      {action?.kind && (
        <DisabledReasonButton disabledReason={because} link={operationLink(link, action.kind)}>
          {action.label.replace(/(…|\.\.\.)?$/, "…")}
        </DisabledReasonButton>
      )}
    </>
  );
}

/** The state of the link in a sentence, with the recommended operation. */
export function LinkStatusCallout({ link, readAt }: { link: LinkDetail; readAt: number }) {
  const age = useDataAge(link.age_s, readAt);
  const stale = isStale(age);
  const status = statusFor("link", stale ? "unknown" : link.state);
  return (
    <Callout
      tone={status.tone}
      announcement={`${link.name}: ${status.word}`}
      stale={stale}
      title={describeStale(link.sentence, age)}
      description={
        <>
          {link.detail}
          <TouchedBySameLoss link={link} />
        </>
      }
      actions={<Actions link={link} ageS={age} stale={stale} />}
    />
  );
}
