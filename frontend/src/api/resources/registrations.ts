import { type QueryKey, queryOptions, useQueryClient } from "@tanstack/react-query";
import { queryKeys, REGISTRATION_KEYS } from "../query-keys";
import { reading, send } from "../send";
import type {
  EnterAccountsRequest,
  Registration,
  RegistrationSide,
  UpdateRegistrationRequest,
} from "../types";
import { useApiMutation } from "../use-api-mutation";

export const registrationsQuery = () =>
  queryOptions({
    queryKey: queryKeys.registrations,
    queryFn: reading("/api/v1/registrations", {}),
  });

const onRegistration = (registration_id: string) => ({ path: { registration_id } });

export const registrationQuery = (registration_id: string) =>
  queryOptions({
    queryKey: queryKeys.registration(registration_id),
    queryFn: reading("/api/v1/registrations/{registration_id}", {
      ...onRegistration(registration_id),
    }),
    // Read once for each visit: what the forms show is what its digest stands for, and only steps of this page
    // change it.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

export const useStartRegistration = () =>
  useApiMutation(
    () => send("POST", "/api/v1/registrations", { body: {} }),
    [queryKeys.registrations],
  );

export const useDeleteRegistration = () =>
  useApiMutation(
    (registration_id: string) =>
      send("DELETE", "/api/v1/registrations/{registration_id}", {
        ...onRegistration(registration_id),
      }),
    [queryKeys.registrations],
  );

/** What a step names: where this page showed that the registration's passwords go. */
type Seen = Pick<Registration, "endpoints_digest">;

/** One step, after those that were begun before: its answer is the whole registration, and is shown at once. */
function useStep<In>(
  registration_id: string,
  call: (input: In, seen: Seen) => Promise<Registration>,
  invalidates: readonly QueryKey[] = [],
) {
  const cache = useQueryClient();
  const key = queryKeys.registration(registration_id);
  const step = async (input: In) => {
    const { endpoints_digest = "" } = cache.getQueryData<Registration>(key) ?? {};
    const answer = await call(input, { endpoints_digest });
    cache.setQueryData(key, answer);
    return answer;
  };
  return useApiMutation(step, invalidates, `registration ${registration_id}`);
}

export const useUpdateRegistration = (registration_id: string) =>
  useStep(registration_id, (body: UpdateRegistrationRequest, seen) =>
    send("PATCH", "/api/v1/registrations/{registration_id}", {
      ...onRegistration(registration_id),
      // Of a page that was left meanwhile nothing is shown any more; what was typed there is stored.
      body: seen.endpoints_digest ? { ...body, ...seen } : body,
    }),
  );

/** Makes the user the owner of a registration that another one began. */
export const useTakeOver = (registration_id: string) =>
  useStep(registration_id, () =>
    send("POST", "/api/v1/registrations/{registration_id}/takeover", {
      ...onRegistration(registration_id),
      body: {},
    }),
  );

/** The password of the administrator is sent with this call, and kept nowhere. */
export const useDiscover = (registration_id: string) =>
  useStep(registration_id, (body: { side: RegistrationSide; password: string }, seen) =>
    send("POST", "/api/v1/registrations/{registration_id}/discover", {
      ...onRegistration(registration_id),
      body: { ...body, ...seen },
    }),
  );

export const useCreateAccounts = (registration_id: string) =>
  useStep(
    registration_id,
    (body: { side: RegistrationSide; password: string; digest: string }, seen) =>
      send("POST", "/api/v1/registrations/{registration_id}/accounts", {
        ...onRegistration(registration_id),
        body: { ...body, ...seen },
      }),
  );

export const useEnterAccounts = (registration_id: string) =>
  useStep(registration_id, (body: EnterAccountsRequest, seen) =>
    send("PUT", "/api/v1/registrations/{registration_id}/accounts", {
      ...onRegistration(registration_id),
      body: { ...body, ...seen },
    }),
  );

export const useCheckSide = (registration_id: string) =>
  useStep(registration_id, (side: RegistrationSide, seen) =>
    send("POST", "/api/v1/registrations/{registration_id}/check", {
      ...onRegistration(registration_id),
      body: { side, ...seen },
    }),
  );

export const useRegister = (registration_id: string) =>
  useStep(
    registration_id,
    (accept_open: boolean, seen) =>
      send("POST", "/api/v1/registrations/{registration_id}/register", {
        ...onRegistration(registration_id),
        body: { accept_open, ...seen },
      }),
    REGISTRATION_KEYS,
  );
