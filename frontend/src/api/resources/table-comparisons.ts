import { queryOptions } from "@tanstack/react-query";
import type { PagedQuery } from "../pages";
import { LIVE_MS, ONCE, SLOW_MS, withTimeout } from "../polling";
import { queryKeys } from "../query-keys";
import { reading, send } from "../send";
import type {
  ChangeComparisonRequest,
  ComparedTable,
  ComparedTableState,
  ComparisonRequest,
  ComparisonScheduleRequest,
  RowDifference,
} from "../types";
import { useApiMutation } from "../use-api-mutation";

/** The newest comparisons of a link; one may be begun by the schedule. */
export const tableComparisonsQuery = (link_id: string) =>
  queryOptions({
    queryKey: queryKeys.tableComparisonList(link_id),
    queryFn: reading("/api/v1/links/{link_id}/table-comparisons", { path: { link_id } }),
    refetchInterval: SLOW_MS,
  });

export const tableComparisonQuery = (link_id: string, comparison_id: string) =>
  queryOptions({
    queryKey: queryKeys.tableComparison(link_id, comparison_id),
    queryFn: ({ signal }) =>
      send("GET", "/api/v1/table-comparisons/{comparison_id}", {
        path: { comparison_id },
        signal: withTimeout(signal),
      }),
    refetchInterval: (query) => (query.state.data?.state === "running" ? LIVE_MS : SLOW_MS),
  });

export const comparedTablesQuery = (
  link_id: string,
  comparison_id: string,
  state: ComparedTableState | undefined,
): PagedQuery<ComparedTable> => ({
  queryKey: queryKeys.comparedTables(link_id, comparison_id, state),
  read: (cursor, signal) =>
    send("GET", "/api/v1/table-comparisons/{comparison_id}/tables", {
      path: { comparison_id },
      query: { state, cursor },
      signal: withTimeout(signal),
    }),
  refetchInterval: SLOW_MS,
});

export const rowDifferencesQuery = (
  link_id: string,
  comparison_id: string,
  table: string | undefined,
): PagedQuery<RowDifference> => ({
  queryKey: queryKeys.rowDifferences(link_id, comparison_id, table),
  read: (cursor, signal) =>
    send("GET", "/api/v1/table-comparisons/{comparison_id}/differences", {
      path: { comparison_id },
      query: { table, cursor },
      signal: withTimeout(signal),
    }),
  refetchInterval: SLOW_MS,
});

/** What the logs tell of a row: read when a user asks for it. */
export const rowWritersQuery = (comparison_id: string, difference: number) =>
  queryOptions({
    queryKey: queryKeys.rowWriters(comparison_id, difference),
    queryFn: ({ signal }) =>
      send("GET", "/api/v1/table-comparisons/{comparison_id}/row-writers", {
        path: { comparison_id },
        query: { difference },
        signal,
      }),
    ...ONCE,
  });

export const useStartComparison = (link_id: string) =>
  useApiMutation(
    (body: ComparisonRequest) =>
      send("POST", "/api/v1/links/{link_id}/table-comparisons", { path: { link_id }, body }),
    [queryKeys.tableComparisons(link_id)],
  );

export const useChangeComparison = (link_id: string, comparison_id: string) =>
  useApiMutation(
    (state: NonNullable<ChangeComparisonRequest["state"]>) =>
      send("PATCH", "/api/v1/table-comparisons/{comparison_id}", {
        path: { comparison_id },
        body: { state },
      }),
    [queryKeys.tableComparisons(link_id)],
  );

export const comparisonScheduleQuery = (link_id: string) =>
  queryOptions({
    queryKey: queryKeys.comparisonSchedule(link_id),
    queryFn: reading("/api/v1/links/{link_id}/table-comparison-schedule", { path: { link_id } }),
  });

export const useSetComparisonSchedule = (link_id: string) =>
  useApiMutation(
    (body: ComparisonScheduleRequest) =>
      send("PUT", "/api/v1/links/{link_id}/table-comparison-schedule", { path: { link_id }, body }),
    [queryKeys.comparisonSchedule(link_id)],
  );
