/** Short names for the shapes that `schema.ts` generates from the server's OpenAPI document. */
import type { components } from "./schema";

type Schemas = components["schemas"];

export type AuditRecord = Schemas["AuditRecord"];
export type AuditVerdict = Schemas["AuditVerdict"];
export type Channel = Schemas["Channel"];
export type Cluster = Schemas["Cluster"];
export type ClusterDraft = Schemas["ClusterInRequest"];
export type Direction = Schemas["DirectionEnum"];
export type Evidence = Schemas["Evidence"];
export type FactChange = Schemas["ChangedFact"];
export type FieldError = Schemas["FieldError"];
export type Finding = Schemas["Finding"];
export type Group = Schemas["Group"];
export type HistoryEntry = Schemas["History"];
export type Lab = Schemas["Lab"];
export type LabNode = Schemas["LabNode"];
export type LabNodeAction = Schemas["LabNodeActionActionEnum"];
export type LabVerdict = Schemas["LabCheck"];
export type LagCurve = Schemas["Lag"];
export type LagMark = Schemas["Mark"];
export type LagPoint = Schemas["LagPoint"];
export type Link = Schemas["Link"];
export type LinkDetail = Schemas["LinkDetail"];
export type LinkDraft = Schemas["LinkInRequest"];
export type Located = Schemas["Located"];
export type Me = Schemas["Me"];
export type NewToken = Schemas["NewToken"];
export type Node = Schemas["Node"];
export type NodeChannel = Schemas["NodeChannel"];
export type Plan = Schemas["Plan"];
export type PlanKind = Schemas["PlanKindEnum"];
export type PlanOptions = Schemas["PlanOptionsRequest"];
export type PlanStep = Schemas["PlanStep"];
export type PlanWish = Schemas["PlanInRequest"];
export type Position = Schemas["Position"];
export type ProblemDocument = Schemas["Problem"];
export type Readiness = Schemas["Readiness"];
export type ReadinessReport = Schemas["ReadinessReport"];
export type Run = Schemas["Run"];
export type RunState = Schemas["RunStateEnum"];
export type RunStatement = Schemas["Statement"];
export type RunStep = Schemas["RunStep"];
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
