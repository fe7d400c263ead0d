import { useQuery } from "@tanstack/react-query";
import { useParams, useSearch } from "@tanstack/react-router";
import { linkQuery } from "@/api/resources/links";
import type { PlanKind } from "@/api/types";
import { kindOf } from "@/domain/operations";

/** What the first pages of the workflow share: the link, the operation, and what the address selects. */
export function useWorkflowParams(step: "situation" | "target" | "checks") {
  const from = `/shell/links/$linkId/$kind/${step}` as const;
  const { linkId, kind: name } = useParams({ from });
  const search = useSearch({ from });
  const query = useQuery(linkQuery(linkId));
  // The route accepts only known kinds.
  const kind: PlanKind = kindOf(name) ?? "relocate";
  return { linkId, search, query, kind };
}
