import { queryOptions } from "@tanstack/react-query";
import { queryKeys } from "../query-keys";
import { send } from "../send";
import type { PushSubscriptionRequest } from "../types";
import { useApiMutation } from "../use-api-mutation";

export const readPush = (signal?: AbortSignal) =>
  send("GET", "/api/v1/push", signal ? { signal } : {});

/** The public key of the console, and the user's browsers that get messages. */
export const pushQuery = () =>
  queryOptions({ queryKey: queryKeys.push, queryFn: ({ signal }) => readPush(signal) });

/** Adds a browser; the same endpoint again changes what it is told of. */
export const addPushBrowser = (body: PushSubscriptionRequest) =>
  send("POST", "/api/v1/push/subscriptions", { body });

export const removePushBrowser = (subscription_id: string) =>
  send("DELETE", "/api/v1/push/subscriptions/{subscription_id}", { path: { subscription_id } });

/** Any change of the user's browsers. */
export const useChangePush = () =>
  useApiMutation((change: () => Promise<unknown>) => change(), [queryKeys.push]);

export const useTestPush = () =>
  useApiMutation(
    (subscription_id: string) =>
      send("POST", "/api/v1/push/subscriptions/{subscription_id}/test", {
        path: { subscription_id },
      }),
    [queryKeys.push],
  );
