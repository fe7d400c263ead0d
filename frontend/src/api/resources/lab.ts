import { queryOptions } from "@tanstack/react-query";
import { client, unwrap } from "../client";
import { LIVE_MS, withTimeout } from "../polling";
import { queryKeys } from "../query-keys";
import type { LabNodeAction, LabSwitches } from "../types";
import { useApiMutation } from "../use-api-mutation";

export const labQuery = () =>
  queryOptions({
    queryKey: queryKeys.lab,
    queryFn: ({ signal }) => unwrap(client.GET("/api/v1/lab", { signal: withTimeout(signal) })),
    refetchInterval: LIVE_MS,
  });

export const labVerificationQuery = () =>
  queryOptions({
    queryKey: queryKeys.labVerification,
    queryFn: ({ signal }) =>
      unwrap(client.GET("/api/v1/lab/verify", { signal: withTimeout(signal) })),
    refetchInterval: (query) => (query.state.data?.state === "running" ? 1000 : false),
  });

export const useActOnLabNode = () =>
  useApiMutation(
    ({ name, action }: { name: string; action: LabNodeAction }) =>
      unwrap(
        client.POST("/api/v1/lab/nodes/{name}", { params: { path: { name } }, body: { action } }),
      ),
    [queryKeys.lab],
  );

export const useActOnLabSite = () =>
  useApiMutation(
    ({ site, action }: { site: string; action: "lose" | "start" }) =>
      unwrap(
        client.POST("/api/v1/lab/sites/{site}", { params: { path: { site } }, body: { action } }),
      ),
    [queryKeys.lab],
  );

export const useRebuildLabSite = () =>
  useApiMutation(
    ({ site, donor }: { site: string; donor: string }) =>
      unwrap(
        client.POST("/api/v1/lab/sites/{site}", {
          params: { path: { site } },
          body: { action: "rebuild", donor },
        }),
      ),
    [queryKeys.lab],
  );

export const useSwitchLabLoad = () =>
  useApiMutation(
    (body: LabSwitches) => unwrap(client.PATCH("/api/v1/lab/load", { body })),
    [queryKeys.lab],
  );

export const useRunLabLoad = () =>
  useApiMutation(
    (action: "start" | "stop") => unwrap(client.POST("/api/v1/lab/load", { body: { action } })),
    [queryKeys.lab],
  );

export const useVerifyLab = () =>
  useApiMutation(() => unwrap(client.POST("/api/v1/lab/verify")), [queryKeys.lab]);
