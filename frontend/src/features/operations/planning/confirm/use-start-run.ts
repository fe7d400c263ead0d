import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { runQuery, useStartRun as useStartRunCall } from "@/api/resources/runs";
import type { Plan } from "@/api/types";
import { planOnePageLink } from "@/components/workflow/step-link";
import { useIsOnePage } from "@/components/workflow/workflow-view";
import { randomId } from "@/lib/random-id";

/** Starts the run of a plan and shows it: on its page, or below its plan on the one page. One key for the page: pressing the button twice starts one run. */
export function useStartRun(plan: Plan) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const isOnePage = useIsOnePage();
  const [idempotencyKey] = useState(randomId);
  const starting = useStartRunCall(plan);
  const start = async (values: { confirm: string; reason: string; override_calendar: string }) => {
    const run = await starting.mutateAsync({ digest: plan.digest, idempotencyKey, ...values });
    client.setQueryData(runQuery(run.id).queryKey, run);
    await navigate(
      isOnePage
        ? planOnePageLink(plan.id, "run")
        : { to: "/runs/$runId", params: { runId: run.id } },
    );
  };
  return { start, isPending: starting.isPending };
}
