import { queryOptions } from "@tanstack/react-query";
import { client, unwrap } from "../client";
import { queryKeys } from "../query-keys";
import { useApiMutation } from "../use-api-mutation";

/** The user's own sessions. */
export const sessionsQuery = () =>
  queryOptions({
    queryKey: queryKeys.sessions,
    queryFn: ({ signal }) => unwrap(client.GET("/api/v1/sessions", { signal })),
  });

export const useEndSession = () =>
  useApiMutation(
    (session_id: string) =>
      unwrap(client.DELETE("/api/v1/sessions/{session_id}", { params: { path: { session_id } } })),
    [queryKeys.sessions],
  );
