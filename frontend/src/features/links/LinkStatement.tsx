import { Button } from "@mantine/core";
import type { Link } from "@/api/types";
import { Go } from "@/components/Go";
import { useMay } from "@/components/session";
import { WhyNot } from "@/components/WhyNot";
import { formatAge } from "@/lib/time";
import { statusOf } from "@/lib/tone";
import { Statement } from "@/ui/Statement";
import { flowAddress } from "./proposal";

function Actions({ link, ageS, stale }: { link: Link; ageS: number | null; stale: boolean }) {
  const mayPlan = useMay("plan");
  if (link.active_run)
    return (
      <Button component={Go} to={`/runs/${link.active_run.id}`}>
        Watch the run
      </Button>
    );
  if (!mayPlan) return null;
  const action = link.primary_action;
  const because = stale
    ? `The facts are ${ageS === null ? "missing" : `${formatAge(ageS)} old`}; a plan needs facts no older than 5 s.`
    : null;
  if (!action?.kind)
    return (
      <WhyNot variant="default" because={because} to={flowAddress(link, "relocate")}>
        Relocate…
      </WhyNot>
    );
  return (
    <WhyNot because={because} to={flowAddress(link, action.kind)}>
      {action.label.replace(/(…|\.\.\.)?$/, "…")}
    </WhyNot>
  );
}

/** The sentence at the head of a link's page, with the one action that fits its state. */
export function LinkStatement({
  link,
  ageS,
  stale,
}: {
  link: Link;
  ageS: number | null;
  stale: boolean;
}) {
  const tone = stale ? "unknown" : statusOf("link", link.state).tone;
  return (
    <Statement
      tone={tone}
      live
      stale={stale}
      sentence={
        stale
          ? `Not known now. ${ageS === null ? "Nothing was read yet." : `Last read ${formatAge(ageS)} ago: ${link.sentence}`}`
          : link.sentence
      }
      detail={link.detail}
      actions={<Actions link={link} ageS={ageS} stale={stale} />}
    />
  );
}
