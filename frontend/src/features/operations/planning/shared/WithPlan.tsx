import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { planQuery } from "@/api/resources/plans";
import type { Plan } from "@/api/types";
import { QueryBoundary } from "@/components/QueryBoundary";

/** Reads a plan by its ID and shows a page of it. */
export function WithPlan({
  planId,
  children,
}: {
  planId: string;
  children: (plan: Plan) => ReactNode;
}) {
  const query = useQuery(planQuery(planId));
  return (
    <QueryBoundary<Plan> query={query} label="the plan" heading="Plan">
      {children}
    </QueryBoundary>
  );
}
