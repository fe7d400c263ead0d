import { Button, Menu } from "@mantine/core";
import type { Link, LinkDetail } from "@/api/types";
import { castNow } from "@/components/cast";
import { Go, useGo } from "@/components/Go";
import { useMay } from "@/components/session";
import { WhyNot } from "@/components/WhyNot";
import { KINDS, type Kind, WORDS } from "@/lib/kinds";
import { asOf, formatAge } from "@/lib/time";
import { statusOf } from "@/lib/tone";
import { Chip } from "@/ui/Chip";
import { Statement } from "@/ui/Statement";
import { flowAddress } from "./proposal";

/** The acts that make sense to look at beside the primary one, in the order of the table. */
export function otherKinds(link: Link): Kind[] {
  const away = (link.readiness.failback?.state ?? "not_needed") !== "not_needed";
  return KINDS.filter((kind) => {
    if (kind === link.primary_action?.kind) return false;
    // Away from home the switchover is the way home, and says so.
    if (kind === "switchover" && away) return false;
    const answer = link.readiness[kind]?.state;
    return kind === "relocate" || (answer !== undefined && answer !== "not_needed");
  });
}

/** The other acts; each item only leads to the pages of its act. */
function Others({ link, kinds, words }: { link: LinkDetail; kinds: Kind[]; words: string }) {
  const go = useGo();
  return (
    <Menu position="bottom-end" shadow="md" width={330}>
      <Menu.Target>
        <Button variant="default">{words}</Button>
      </Menu.Target>
      <Menu.Dropdown>
        {kinds.map((kind) => {
          const status = statusOf("readiness", link.readiness[kind]?.state ?? "unknown");
          return (
            <Menu.Item
              key={kind}
              rightSection={<Chip tone={status.tone}>{status.word}</Chip>}
              onClick={() => go(flowAddress(link, kind))}
            >
              {WORDS[kind].order(castNow(kind, link))}…
            </Menu.Item>
          );
        })}
      </Menu.Dropdown>
    </Menu>
  );
}

function Actions({ link, ageS, stale }: { link: LinkDetail; ageS: number | null; stale: boolean }) {
  const mayPlan = useMay("plan");
  if (link.active_run)
    return (
      <Button component={Go} to={`/runs/${link.active_run.id}`}>
        Watch the run
      </Button>
    );
  if (!mayPlan) return null;
  const action = link.primary_action;
  const others = otherKinds(link);
  const because = stale
    ? `The facts are ${ageS === null ? "missing" : `${formatAge(ageS)} old`}; a plan needs facts no older than 5 s.`
    : null;
  return (
    <>
      {others.length > 0 && (
        <Others link={link} kinds={others} words={action?.kind ? "Other acts" : "Acts"} />
      )}
      {action?.kind && (
        <WhyNot because={because} to={flowAddress(link, action.kind)}>
          {action.label.replace(/(…|\.\.\.)?$/, "…")}
        </WhyNot>
      )}
    </>
  );
}

/** The sentence at the head of a link's page, with the one action that fits its state. */
export function LinkStatement({
  link,
  ageS,
  stale,
}: {
  link: LinkDetail;
  ageS: number | null;
  stale: boolean;
}) {
  const tone = stale ? "unknown" : statusOf("link", link.state).tone;
  return (
    <Statement
      tone={tone}
      live
      stale={stale}
      sentence={asOf(link.sentence, ageS)}
      detail={link.detail}
      actions={<Actions link={link} ageS={ageS} stale={stale} />}
    />
  );
}
