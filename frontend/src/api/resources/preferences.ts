import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { queryKeys } from "../query-keys";
import { send } from "../send";
import type { CurrentUser, Preferences } from "../types";
import { sessionQuery } from "./session";

type Change = Partial<Preferences>;

/** The preferences that the session carries; undefined signed out. Reads nothing itself. */
export const useStoredPreferences = (): Preferences | undefined =>
  useQuery({ ...sessionQuery(), enabled: false }).data?.preferences;

/** The user agrees to what is kept of persons. */
export const useAcceptNotice = () =>
  useMutation({
    mutationFn: () =>
      send("PATCH", "/api/v1/account/preferences", { body: { notice_accepted: true } }),
  });

/** Shows a change at once, so that a navigation that follows meets it, and stores it; shows the old values again where that fails. */
export function useUpdatePreferences() {
  const queries = useQueryClient();
  const show = useCallback(
    (change: Change) =>
      queries.setQueryData<CurrentUser | null>(
        queryKeys.session,
        (user) => user && { ...user, preferences: { ...user.preferences, ...change } },
      ),
    [queries],
  );
  const { mutate } = useMutation({
    mutationFn: (body: Change) =>
      // The user may leave the page right after the click: the browser sends it to its end.
      send("PATCH", "/api/v1/account/preferences", { body, keepalive: true }),
    onMutate: async (change) => {
      await queries.cancelQueries({ queryKey: queryKeys.session });
      show(change);
    },
    onSuccess: show,
    onError: () => queries.invalidateQueries({ queryKey: queryKeys.session }),
  });
  return useCallback(
    (change: Change, options: { onError: (error: Error) => void }) => {
      show(change);
      mutate(change, options);
    },
    [show, mutate],
  );
}
