import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { PagedQuery } from "../pages";
import { queryKeys } from "../query-keys";
import { send } from "../send";
import type { CreateUserRequest, UpdateUserRequest, User } from "../types";
import { useApiMutation } from "../use-api-mutation";
import type { RevokedToken } from "./tokens";

const PAGE = 50;
/** How many names a field offers for what was typed. */
const CHOICES = 20;

/** Persons or service accounts by name. */
export const usersQuery = (filter: { is_service: boolean; search: string }): PagedQuery<User> => ({
  queryKey: queryKeys.userList(filter),
  read: (cursor, signal) =>
    send("GET", "/api/v1/users", { query: { ...filter, cursor, limit: PAGE }, signal }),
});

/** The first persons whose name has the text in it. */
export const personsQuery = (search: string) =>
  queryOptions({
    queryKey: queryKeys.userChoices(search),
    queryFn: ({ signal }) =>
      send("GET", "/api/v1/users", {
        query: { is_service: false, search, limit: CHOICES },
        signal,
      }),
    // Those of the search before stay while one is answered: an option must not go away under a click.
    placeholderData: keepPreviousData,
  });

export const userSessionsQuery = (username: string) =>
  queryOptions({
    queryKey: queryKeys.userSessions(username),
    queryFn: ({ signal }) =>
      send("GET", "/api/v1/users/{username}/sessions", { path: { username }, signal }),
  });

export const userTokensQuery = (username: string) =>
  queryOptions({
    queryKey: queryKeys.userTokens(username),
    queryFn: ({ signal }) =>
      send("GET", "/api/v1/users/{username}/tokens", { path: { username }, signal }),
  });

export const useCreateUser = () =>
  useApiMutation(
    (body: CreateUserRequest) => send("POST", "/api/v1/users", { body }),
    [queryKeys.users, queryKeys.pendingApprovals],
  );

/** A changed role, password or state may end sessions and tokens, or wait for a second administrator. */
export const useUpdateUser = (username: string) =>
  useApiMutation(
    (body: UpdateUserRequest) =>
      send("PATCH", "/api/v1/users/{username}", { path: { username }, body }),
    [queryKeys.users, queryKeys.pendingApprovals, queryKeys.sessions, queryKeys.tokens],
  );

/** Lifts the lock that failed sign-ins put on the user. */
export const useUnlockUser = (username: string) =>
  useApiMutation(() => send("POST", "/api/v1/users/{username}/unlock", { path: { username } }));

export const useEndUserSession = (username: string) =>
  useApiMutation(
    (session_id: string) =>
      send("DELETE", "/api/v1/users/{username}/sessions/{session_id}", {
        path: { username, session_id },
      }),
    [queryKeys.userSessions(username)],
  );

export const useRevokeUserToken = (username: string) =>
  useApiMutation(
    ({ id, isCompromised }: RevokedToken) =>
      send("DELETE", "/api/v1/users/{username}/tokens/{token_id}", {
        path: { username, token_id: id },
        query: { is_compromised: isCompromised },
      }),
    [queryKeys.userTokens(username)],
  );
