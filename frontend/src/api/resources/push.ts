import { queryOptions } from "@tanstack/react-query";
import { client, unwrap } from "../client";
import { queryKeys } from "../query-keys";
import type { PushSubscriptionRequest } from "../types";
import { useApiMutation } from "../use-api-mutation";

export const readPush = (signal?: AbortSignal) =>
  unwrap(client.GET("/api/v1/push", signal ? { signal } : {}));

/** The public key of the console, and the user's browsers that get messages. */
export const pushQuery = () =>
  queryOptions({ queryKey: queryKeys.push, queryFn: ({ signal }) => readPush(signal) });

/** Adds a browser; the same endpoint again changes what it is told of. */
export const addPushBrowser = (body: PushSubscriptionRequest) =>
  unwrap(client.POST("/api/v1/push/subscriptions", { body }));

export const removePushBrowser = (subscription_id: string) =>
  unwrap(
    client.DELETE("/api/v1/push/subscriptions/{subscription_id}", {
      params: { path: { subscription_id } },
    }),
  );

/** Any change of the user's browsers. */
export const useChangePush = () =>
  useApiMutation((change: () => Promise<unknown>) => change(), [queryKeys.push]);

export const useTestPush = () =>
  useApiMutation(
    (subscription_id: string) =>
      unwrap(
        client.POST("/api/v1/push/subscriptions/{subscription_id}/test", {
          params: { path: { subscription_id } },
        }),
      ),
    [queryKeys.push],
  );
