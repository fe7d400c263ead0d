import { queryOptions } from "@tanstack/react-query";
import { queryKeys } from "../query-keys";
import { send } from "../send";
import { useApiMutation } from "../use-api-mutation";

/** The user's own sessions. */
export const sessionsQuery = () =>
  queryOptions({
    queryKey: queryKeys.sessions,
    queryFn: ({ signal }) => send("GET", "/api/v1/sessions", { signal }),
  });

export const useEndSession = () =>
  useApiMutation(
    (session_id: string) =>
      send("DELETE", "/api/v1/sessions/{session_id}", { path: { session_id } }),
    [queryKeys.sessions],
  );
