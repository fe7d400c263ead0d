/** What can be changed, by name. Each is one call; what follows is the caller's business. */
import { client, told } from "./http";
import type {
  AutomaticStartWish,
  AutomationWish,
  ClusterDraft,
  HookChange,
  HookDraft,
  LabNodeAction,
  LabSwitches,
  LinkDraft,
  PlanWish,
  RehearsalWish,
  Run,
  ScheduleWish,
  TokenDraft,
  UserChange,
  UserDraft,
} from "./types";

const onChange = (change_id: string, comment: string) => ({
  params: { path: { change_id } },
  body: { comment },
});

const onRun = (run_id: string, comment: string) => ({
  params: { path: { run_id } },
  body: { comment },
});

export const commands = {
  signIn: (username: string, password: string) =>
    told(client.POST("/api/v1/session", { body: { username, password } })),
  signOut: () => told(client.DELETE("/api/v1/session")),
  changePassword: (current_password: string, new_password: string) =>
    told(client.POST("/api/v1/session/password", { body: { current_password, new_password } })),
  endSession: (session_id: string) =>
    told(client.DELETE("/api/v1/sessions/{session_id}", { params: { path: { session_id } } })),

  makePlan: (link_id: string, body: PlanWish) =>
    told(client.POST("/api/v1/links/{link_id}/plans", { params: { path: { link_id } }, body })),
  startRun: (
    plan_id: string,
    body: { digest: string; confirm: string; reason: string },
    idempotencyKey: string,
  ) =>
    told(
      client.POST("/api/v1/plans/{plan_id}/runs", {
        params: { path: { plan_id } },
        headers: { "Idempotency-Key": idempotencyKey },
        body,
      }),
    ),
  approveRun: (run: Run, comment: string) =>
    told(
      client.POST("/api/v1/runs/{run_id}/approve", {
        params: { path: { run_id: run.id } },
        body: { digest: run.plan_digest, comment },
      }),
    ),
  reviewRun: (run_id: string, comment: string) =>
    told(client.POST("/api/v1/runs/{run_id}/review", onRun(run_id, comment))),
  abortRun: (run: Run, comment: string) =>
    told(client.POST("/api/v1/runs/{run_id}/abort", onRun(run.id, comment))),
  resumeRun: (run: Run, comment: string) =>
    told(client.POST("/api/v1/runs/{run_id}/resume", onRun(run.id, comment))),

  scanOrphans: (link_id: string) =>
    told(client.POST("/api/v1/links/{link_id}/orphans/scan", { params: { path: { link_id } } })),

  rehearse: (link_id: string, body: RehearsalWish) =>
    told(
      client.POST("/api/v1/links/{link_id}/rehearsals", { params: { path: { link_id } }, body }),
    ),
  setSchedule: (link_id: string, body: ScheduleWish) =>
    told(
      client.PUT("/api/v1/links/{link_id}/rehearsal-schedule", {
        params: { path: { link_id } },
        body,
      }),
    ),

  createHook: (link_id: string, body: HookDraft) =>
    told(client.POST("/api/v1/links/{link_id}/hooks", { params: { path: { link_id } }, body })),
  changeHook: (hook_id: string, body: HookChange) =>
    told(client.PATCH("/api/v1/hooks/{hook_id}", { params: { path: { hook_id } }, body })),
  deleteHook: (hook_id: string) =>
    told(client.DELETE("/api/v1/hooks/{hook_id}", { params: { path: { hook_id } } })),
  testHook: (hook_id: string) =>
    told(client.POST("/api/v1/hooks/{hook_id}/test", { params: { path: { hook_id } } })),

  setAutomation: (link_id: string, body: AutomationWish) =>
    told(client.PUT("/api/v1/links/{link_id}/automation", { params: { path: { link_id } }, body })),
  setAutomaticStart: (link_id: string, body: AutomaticStartWish) =>
    told(
      client.PUT("/api/v1/links/{link_id}/automation/start", {
        params: { path: { link_id } },
        body,
      }),
    ),
  acknowledgeAutomation: (link_id: string, comment: string) =>
    told(
      client.POST("/api/v1/links/{link_id}/automation/acknowledge", {
        params: { path: { link_id } },
        body: { comment },
      }),
    ),

  registerCluster: (body: ClusterDraft) => told(client.POST("/api/v1/clusters", { body })),
  checkCluster: (cluster_id: string) =>
    told(client.POST("/api/v1/clusters/{cluster_id}/check", { params: { path: { cluster_id } } })),
  registerLink: (body: LinkDraft) => told(client.POST("/api/v1/links", { body })),
  setApproval: (link_id: string, requires_approval: boolean) =>
    told(
      client.PATCH("/api/v1/links/{link_id}", {
        params: { path: { link_id } },
        body: { requires_approval },
      }),
    ),

  createToken: (body: TokenDraft) => told(client.POST("/api/v1/tokens", { body })),
  deleteToken: (token_id: string) =>
    told(client.DELETE("/api/v1/tokens/{token_id}", { params: { path: { token_id } } })),
  createUser: (body: UserDraft) => told(client.POST("/api/v1/users", { body })),
  changeUser: (username: string, body: UserChange) =>
    told(client.PATCH("/api/v1/users/{username}", { params: { path: { username } }, body })),
  unlockUser: (username: string) =>
    told(client.POST("/api/v1/users/{username}/unlock", { params: { path: { username } } })),
  endSessionOf: (username: string, session_id: string) =>
    told(
      client.DELETE("/api/v1/users/{username}/sessions/{session_id}", {
        params: { path: { username, session_id } },
      }),
    ),
  revokeTokenOf: (username: string, token_id: string) =>
    told(
      client.DELETE("/api/v1/users/{username}/tokens/{token_id}", {
        params: { path: { username, token_id } },
      }),
    ),

  confirmChange: (change_id: string, comment: string) =>
    told(
      client.POST("/api/v1/protected-changes/{change_id}/confirm", onChange(change_id, comment)),
    ),
  rejectChange: (change_id: string, comment: string) =>
    told(client.POST("/api/v1/protected-changes/{change_id}/reject", onChange(change_id, comment))),

  labNode: (name: string, action: LabNodeAction) =>
    told(client.POST("/api/v1/lab/nodes/{name}", { params: { path: { name } }, body: { action } })),
  labRebuild: (site: string, donor: string) =>
    told(
      client.POST("/api/v1/lab/sites/{site}", {
        params: { path: { site } },
        body: { action: "rebuild", donor },
      }),
    ),
  labSite: (site: string, action: "lose" | "start") =>
    told(client.POST("/api/v1/lab/sites/{site}", { params: { path: { site } }, body: { action } })),
  labLoadSwitch: (body: LabSwitches) => told(client.PATCH("/api/v1/lab/load", { body })),
  labLoad: (action: "start" | "stop") =>
    told(client.POST("/api/v1/lab/load", { body: { action } })),
  labVerify: () => told(client.POST("/api/v1/lab/verify")),
};
