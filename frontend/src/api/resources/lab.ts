import { queryOptions } from "@tanstack/react-query";
import { LIVE_MS, withTimeout } from "../polling";
import { queryKeys } from "../query-keys";
import { reading, send } from "../send";
import type { LabNodeAction, LabSwitches } from "../types";
import { useApiMutation } from "../use-api-mutation";

export const labQuery = () =>
  queryOptions({
    queryKey: queryKeys.lab,
    queryFn: reading("/api/v1/lab", {}),
    refetchInterval: LIVE_MS,
  });

export const labVerificationQuery = () =>
  queryOptions({
    queryKey: queryKeys.labVerification,
    queryFn: ({ signal }) => send("GET", "/api/v1/lab/verify", { signal: withTimeout(signal) }),
    refetchInterval: (query) => (query.state.data?.state === "running" ? 1000 : false),
  });

export const useActOnLabNode = () =>
  useApiMutation(
    ({ name, action }: { name: string; action: LabNodeAction }) =>
      send("POST", "/api/v1/lab/nodes/{name}", { path: { name }, body: { action } }),
    [queryKeys.lab],
  );

export const useActOnLabSite = () =>
  useApiMutation(
    ({ site, action }: { site: string; action: "lose" | "start" }) =>
      send("POST", "/api/v1/lab/sites/{site}", { path: { site }, body: { action } }),
    [queryKeys.lab],
  );

export const useRebuildLabSite = () =>
  useApiMutation(
    ({ site, donor }: { site: string; donor: string }) =>
      send("POST", "/api/v1/lab/sites/{site}", {
        path: { site },
        body: { action: "rebuild", donor },
      }),
    [queryKeys.lab],
  );

export const useSwitchLabLoad = () =>
  useApiMutation(
    (body: LabSwitches) => send("PATCH", "/api/v1/lab/load", { body }),
    [queryKeys.lab],
  );

export const useRunLabLoad = () =>
  useApiMutation(
    (action: "start" | "stop") => send("POST", "/api/v1/lab/load", { body: { action } }),
    [queryKeys.lab],
  );

export const useVerifyLab = () =>
  useApiMutation(() => send("POST", "/api/v1/lab/verify", {}), [queryKeys.lab]);
