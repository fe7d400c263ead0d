import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { client, unwrap } from "../client";
import { withTimeout } from "../polling";
import { queryKeys } from "../query-keys";
import type { ConcurrencyGiven } from "../types";

/** What these delays do to commits. */
export const concurrencyQuery = (given: ConcurrencyGiven) =>
  queryOptions({
    queryKey: queryKeys.concurrency(given),
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/api/v1/concurrency", {
          params: { query: given },
          signal: withTimeout(signal),
        }),
      ),
    placeholderData: keepPreviousData,
  });
