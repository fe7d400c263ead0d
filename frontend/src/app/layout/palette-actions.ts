import type { CurrentUser, Run } from "@/api/types";
import { operationLabel } from "@/domain/operations";
import { can } from "@/domain/permissions";
import { statusFor } from "@/domain/status";
import { otherOperations } from "@/features/links/detail/other-operations";
import type { PaletteLink, PaletteTarget } from "./palette-targets";

type User = Pick<CurrentUser, "permissions">;

const runTarget = (run: Pick<Run, "id" | "summary">, description: string): PaletteTarget => ({
  id: run.id,
  label: `Run: ${run.summary}`,
  description,
  keywords: run.id,
  link: { to: "/runs/$runId", params: { runId: run.id } },
});

/** The latest runs. */
export const runTargets = (runs: readonly Run[]): PaletteTarget[] =>
  runs.map((run) =>
    runTarget(run, `${run.link_name} · ${statusFor("run", run.state).word} · ${run.requested_by}`),
  );

/** The operations that fit the state of the link; each only opens the first page of the operation. */
function operationTargets(link: PaletteLink): PaletteTarget[] {
  if (link.active_run) return [];
  const first = link.primary_action?.kind;
  const kinds = [...(first ? [first] : []), ...otherOperations(link)];
  return kinds.map((kind) => ({
    id: `${link.id} operation ${kind}`,
    label: `${operationLabel(kind)}: ${link.name}…`,
    description:
      kind === first
        ? "Recommended now"
        : `Readiness: ${statusFor("readiness", link.readiness[kind]?.state ?? "unknown").word}`,
    keywords: "operation action plan",
    link: { to: "/links/$linkId/$kind/situation", params: { linkId: link.id, kind } },
  }));
}

const REGISTER: readonly PaletteTarget[] = [
  {
    id: "guided registration",
    label: "Register clusters and link, guided…",
    description: "Action",
    link: { to: "/registrations" },
  },
  {
    id: "register link",
    label: "Register link…",
    description: "Action",
    link: { to: "/links/new" },
  },
  {
    id: "register cluster",
    label: "Register cluster…",
    description: "Action",
    link: { to: "/clusters/new" },
  },
];

const CREATE_TOKEN: PaletteTarget = {
  id: "create token",
  label: "Create token…",
  description: "Action",
  keywords: "api script",
  link: { to: "/settings/tokens" },
};

const ADD_USER: PaletteTarget = {
  id: "add user",
  label: "Add user…",
  description: "Action",
  keywords: "person account role",
  link: { to: "/settings/users" },
};

/** What this user may begin in this state. */
export const actionTargets = (user: User, links: readonly PaletteLink[]): PaletteTarget[] => [
  ...(can(user.permissions, "plan") ? links.flatMap(operationTargets) : []),
  ...(can(user.permissions, "register") ? REGISTER : []),
  CREATE_TOKEN,
  ...(can(user.permissions, "manage_users") ? [ADD_USER] : []),
];
