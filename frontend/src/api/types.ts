/** Short names for the shapes that `schema.ts` generates from the server's OpenAPI document. */
import type { components } from "./schema";

type Schemas = components["schemas"];

export type AuditRecord = Schemas["AuditRecord"];
export type AuditVerdict = Schemas["AuditVerdict"];
export type Automation = Schemas["Automation"];
export type AutomaticStart = Schemas["AutomaticStart"];
export type AutomaticStartWish = Schemas["AutomaticStartInRequest"];
export type AutomationWish = Schemas["AutomationInRequest"];
export type Channel = Schemas["Channel"];
export type ChannelError = Schemas["ChannelError"];
export type Cluster = Schemas["Cluster"];
export type ClusterDraft = Schemas["ClusterInRequest"];
export type Delivery = Schemas["Delivery"];
export type Direction = Schemas["DirectionEnum"];
export type Evidence = Schemas["Evidence"];
export type FactChange = Schemas["ChangedFact"];
export type FieldError = Schemas["FieldError"];
export type Finding = Schemas["Finding"];
export type Group = Schemas["Group"];
export type HistoryEntry = Schemas["History"];
export type Hook = Schemas["Hook"];
export type HookChange = Schemas["PatchedHookChangeRequest"];
export type HookDraft = Schemas["HookInRequest"];
export type HookPhase = Schemas["HookPhaseEnum"];
export type Lab = Schemas["Lab"];
export type LabNode = Schemas["LabNode"];
export type LabNodeAction = Schemas["LabNodeActionActionEnum"];
export type CopiedNode = Schemas["CopiedNode"];
export type LabSwitches = Schemas["PatchedLabLoadSwitchRequest"];
export type LabVerdict = Schemas["LabVerification"];
export type LagCurve = Schemas["Lag"];
export type LagMark = Schemas["EventMark"];
export type LagPoint = Schemas["LagPoint"];
export type Link = Schemas["Link"];
export type LinkDetail = Schemas["LinkDetail"];
export type LinkDraft = Schemas["LinkInRequest"];
export type Located = Schemas["Located"];
export type Me = Schemas["Me"];
export type NewToken = Schemas["NewToken"];
export type Node = Schemas["Node"];
export type NodeChannel = Schemas["NodeChannel"];
export type Orphan = Schemas["Orphan"];
export type OrphanRow = Schemas["OrphanRow"];
export type Orphans = Schemas["Orphans"];
export type OrphanTable = Schemas["OrphanTable"];
export type Plan = Schemas["Plan"];
export type PlanKind = Schemas["PlanKindEnum"];
export type PlanOptions = Schemas["PlanOptionsRequest"];
export type PlanStep = Schemas["PlanStep"];
export type PlanWish = Schemas["PlanInRequest"];
export type Position = Schemas["Position"];
export type ProblemDocument = Schemas["Problem"];
export type Readiness = Schemas["Readiness"];
export type ReadinessReport = Schemas["ReadinessReport"];
export type Rehearsal = Schemas["Rehearsal"];
export type RehearsalWish = Schemas["RehearsalInRequest"];
export type RehearsedKind = Schemas["RehearsedKindEnum"];
export type Run = Schemas["Run"];
export type RunState = Schemas["RunStateEnum"];
export type RunStatement = Schemas["Statement"];
export type RunStep = Schemas["RunStep"];
export type Schedule = Schemas["Schedule"];
export type ScheduleWish = Schemas["ScheduleInRequest"];
export type Token = Schemas["Token"];
export type TokenDraft = Schemas["TokenCreateRequest"];
export type User = Schemas["User"];
export type UserChange = Schemas["PatchedUserUpdateRequest"];
export type UserDraft = Schemas["UserCreateRequest"];
export type Verification = Schemas["Verification"];

/** A page of a list, with the cursor of the next one. */
export interface Page<T> {
  results: T[];
  next: string | null;
}
