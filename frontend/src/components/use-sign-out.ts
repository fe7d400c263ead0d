import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { signOut } from "@/api/resources/session";
import type { CurrentUser } from "@/api/types";
import { leavePush } from "./push-registration";

/** Ends the session here, and where the user comes from a provider, there. */
export function useSignOut(): (user: CurrentUser) => Promise<void> {
  const client = useQueryClient();
  const navigate = useNavigate();
  return async (user) => {
    await leavePush();
    const atProvider = await signOut(user);
    client.clear();
    if (atProvider) window.location.assign(atProvider);
    else void navigate({ to: "/sign-in" });
  };
}
