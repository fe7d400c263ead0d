/** What can be changed, by name. Each is one call; what follows is the caller's business. */
import { client, unwrap } from "./client";
import type {
  AutomaticStartRequest,
  AutomationRequest,
  CreateClusterRequest,
  CreateHookRequest,
  CreateLinkRequest,
  CreateTokenRequest,
  CreateUserRequest,
  LabNodeAction,
  LabSwitches,
  PlanRequest,
  RehearsalRequest,
  Run,
  ScheduleRequest,
  UpdateHookRequest,
  UpdateUserRequest,
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
    unwrap(client.POST("/api/v1/session", { body: { username, password } })),
  signOut: () => unwrap(client.DELETE("/api/v1/session")),
  changePassword: (current_password: string, new_password: string) =>
    unwrap(client.POST("/api/v1/session/password", { body: { current_password, new_password } })),
  endSession: (session_id: string) =>
    unwrap(client.DELETE("/api/v1/sessions/{session_id}", { params: { path: { session_id } } })),

  makePlan: (link_id: string, body: PlanRequest) =>
    unwrap(client.POST("/api/v1/links/{link_id}/plans", { params: { path: { link_id } }, body })),
  startRun: (
    plan_id: string,
    body: { digest: string; confirm: string; reason: string },
    idempotencyKey: string,
  ) =>
    unwrap(
      client.POST("/api/v1/plans/{plan_id}/runs", {
        params: { path: { plan_id } },
        headers: { "Idempotency-Key": idempotencyKey },
        body,
      }),
    ),
  approveRun: (run: Run, comment: string) =>
    unwrap(
      client.POST("/api/v1/runs/{run_id}/approve", {
        params: { path: { run_id: run.id } },
        body: { digest: run.plan_digest, comment },
      }),
    ),
  reviewRun: (run_id: string, comment: string) =>
    unwrap(client.POST("/api/v1/runs/{run_id}/review", onRun(run_id, comment))),
  abortRun: (run: Run, comment: string) =>
    unwrap(client.POST("/api/v1/runs/{run_id}/abort", onRun(run.id, comment))),
  resumeRun: (run: Run, comment: string) =>
    unwrap(client.POST("/api/v1/runs/{run_id}/resume", onRun(run.id, comment))),

  scanOrphans: (link_id: string) =>
    unwrap(client.POST("/api/v1/links/{link_id}/orphans/scan", { params: { path: { link_id } } })),

  rehearse: (link_id: string, body: RehearsalRequest) =>
    unwrap(
      client.POST("/api/v1/links/{link_id}/rehearsals", { params: { path: { link_id } }, body }),
    ),
  setSchedule: (link_id: string, body: ScheduleRequest) =>
    unwrap(
      client.PUT("/api/v1/links/{link_id}/rehearsal-schedule", {
        params: { path: { link_id } },
        body,
      }),
    ),

  createHook: (link_id: string, body: CreateHookRequest) =>
    unwrap(client.POST("/api/v1/links/{link_id}/hooks", { params: { path: { link_id } }, body })),
  changeHook: (hook_id: string, body: UpdateHookRequest) =>
    unwrap(client.PATCH("/api/v1/hooks/{hook_id}", { params: { path: { hook_id } }, body })),
  deleteHook: (hook_id: string) =>
    unwrap(client.DELETE("/api/v1/hooks/{hook_id}", { params: { path: { hook_id } } })),
  testHook: (hook_id: string) =>
    unwrap(client.POST("/api/v1/hooks/{hook_id}/test", { params: { path: { hook_id } } })),

  setAutomation: (link_id: string, body: AutomationRequest) =>
    unwrap(
      client.PUT("/api/v1/links/{link_id}/automation", { params: { path: { link_id } }, body }),
    ),
  setAutomaticStart: (link_id: string, body: AutomaticStartRequest) =>
    unwrap(
      client.PUT("/api/v1/links/{link_id}/automation/start", {
        params: { path: { link_id } },
        body,
      }),
    ),
  acknowledgeAutomation: (link_id: string, comment: string) =>
    unwrap(
      client.POST("/api/v1/links/{link_id}/automation/acknowledge", {
        params: { path: { link_id } },
        body: { comment },
      }),
    ),

  registerCluster: (body: CreateClusterRequest) =>
    unwrap(client.POST("/api/v1/clusters", { body })),
  checkCluster: (cluster_id: string) =>
    unwrap(
      client.POST("/api/v1/clusters/{cluster_id}/check", { params: { path: { cluster_id } } }),
    ),
  registerLink: (body: CreateLinkRequest) => unwrap(client.POST("/api/v1/links", { body })),
  setApproval: (link_id: string, requires_approval: boolean) =>
    unwrap(
      client.PATCH("/api/v1/links/{link_id}", {
        params: { path: { link_id } },
        body: { requires_approval },
      }),
    ),

  createToken: (body: CreateTokenRequest) => unwrap(client.POST("/api/v1/tokens", { body })),
  deleteToken: (token_id: string) =>
    unwrap(client.DELETE("/api/v1/tokens/{token_id}", { params: { path: { token_id } } })),
  createUser: (body: CreateUserRequest) => unwrap(client.POST("/api/v1/users", { body })),
  changeUser: (username: string, body: UpdateUserRequest) =>
    unwrap(client.PATCH("/api/v1/users/{username}", { params: { path: { username } }, body })),
  unlockUser: (username: string) =>
    unwrap(client.POST("/api/v1/users/{username}/unlock", { params: { path: { username } } })),
  endSessionOf: (username: string, session_id: string) =>
    unwrap(
      client.DELETE("/api/v1/users/{username}/sessions/{session_id}", {
        params: { path: { username, session_id } },
      }),
    ),
  revokeTokenOf: (username: string, token_id: string) =>
    unwrap(
      client.DELETE("/api/v1/users/{username}/tokens/{token_id}", {
        params: { path: { username, token_id } },
      }),
    ),

  confirmChange: (change_id: string, comment: string) =>
    unwrap(
      client.POST("/api/v1/protected-changes/{change_id}/confirm", onChange(change_id, comment)),
    ),
  rejectChange: (change_id: string, comment: string) =>
    unwrap(
      client.POST("/api/v1/protected-changes/{change_id}/reject", onChange(change_id, comment)),
    ),

  labNode: (name: string, action: LabNodeAction) =>
    unwrap(
      client.POST("/api/v1/lab/nodes/{name}", { params: { path: { name } }, body: { action } }),
    ),
  labRebuild: (site: string, donor: string) =>
    unwrap(
      client.POST("/api/v1/lab/sites/{site}", {
        params: { path: { site } },
        body: { action: "rebuild", donor },
      }),
    ),
  labSite: (site: string, action: "lose" | "start") =>
    unwrap(
      client.POST("/api/v1/lab/sites/{site}", { params: { path: { site } }, body: { action } }),
    ),
  labLoadSwitch: (body: LabSwitches) => unwrap(client.PATCH("/api/v1/lab/load", { body })),
  labLoad: (action: "start" | "stop") =>
    unwrap(client.POST("/api/v1/lab/load", { body: { action } })),
  labVerify: () => unwrap(client.POST("/api/v1/lab/verify")),
};
