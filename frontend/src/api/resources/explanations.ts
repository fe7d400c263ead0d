import { queryOptions } from "@tanstack/react-query";
import { queryKeys } from "../query-keys";
import { send } from "../send";

export type ExplainedKind = "findings" | "problems";

/** What a code of a finding or a problem means; it changes only with the version of the console. */
export const explanationQuery = (kind: ExplainedKind, code: string) =>
  queryOptions({
    queryKey: queryKeys.explanation(kind, code),
    queryFn: ({ signal }) =>
      kind === "findings"
        ? send("GET", "/api/v1/explanations/findings/{code}", { path: { code }, signal })
        : send("GET", "/api/v1/explanations/problems/{code}", { path: { code }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
