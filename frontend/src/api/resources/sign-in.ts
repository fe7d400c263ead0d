import { queryOptions } from "@tanstack/react-query";
import { queryKeys } from "../query-keys";
import { reading, send } from "../send";
import type { ProviderAnswer } from "../types";
import { useApiMutation } from "../use-api-mutation";

/** The ways to sign in, and whether the provider answers. */
export const signInMethodsQuery = () =>
  queryOptions({
    queryKey: queryKeys.signInMethods,
    queryFn: reading("/api/v1/sign-in/methods", {}),
    refetchInterval: 30_000,
  });

/** Begins a sign-in; the answer names the address at the provider. */
export const useBeginAtProvider = () =>
  useApiMutation(() => send("POST", "/api/v1/sign-in/oidc", {}), []);

/** Finishes the sign-in. A query, so that it is sent once however often the page is drawn. */
export const finishAtProvider = (answer: ProviderAnswer) =>
  queryOptions({
    queryKey: queryKeys.providerAnswer(answer),
    queryFn: () => send("POST", "/api/v1/sign-in/oidc/callback", { body: answer }),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
