import { queryOptions } from "@tanstack/react-query";
import { client, unwrap } from "../client";
import { queryKeys } from "../query-keys";

export type ExplainedKind = "findings" | "problems";

/** What a code of a finding or a problem means; it changes only with the version of the console. */
export const explanationQuery = (kind: ExplainedKind, code: string) =>
  queryOptions({
    queryKey: queryKeys.explanation(kind, code),
    queryFn: ({ signal }) => {
      const given = { params: { path: { code } }, signal };
      return kind === "findings"
        ? unwrap(client.GET("/api/v1/explanations/findings/{code}", given))
        : unwrap(client.GET("/api/v1/explanations/problems/{code}", given));
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
