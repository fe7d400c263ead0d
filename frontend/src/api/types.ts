/** Short names for the shapes that `schema.ts` generates from the server's OpenAPI document. */
import type { components, paths } from "@/api/generated/schema";

type Schemas = components["schemas"];

export type Advice = Schemas["Advice"];
export type AdviceList = Schemas["AdviceList"];
export type AdviceRisk = Schemas["AdviceRiskEnum"];
export type ClusterConfiguration = Schemas["Configuration"];
export type ClusterProfile = Exclude<Schemas["ClusterLayoutEnum"], "unknown">;
export type ConfigurationChange = Schemas["ConfigurationChange"];
export type ConfigurationNode = Schemas["ConfigurationNode"];
export type ConfigurationRow = Schemas["ConfigurationRow"];
export type HostComparison = Schemas["HostComparison"];
export type HostSettingRow = Schemas["HostSettingRow"];
export type HostSettings = Schemas["HostSettings"];
export type CompareHostSettingsRequest = Schemas["HostSettingsInRequest"];
export type DismissAdviceRequest = Schemas["DismissalInRequest"];
export type Approval = Schemas["Approval"];
export type AbsenceTime = Schemas["AbsenceTime"];
export type AbsentNode = Schemas["NodeAbsenceEntry"];
export type AuditRecord = Schemas["AuditRecord"];
export type AuditVerdict = Schemas["AuditVerdict"];
export type AuditWalk = Schemas["AuditWalk"];
export type Automation = Schemas["Automation"];
export type AutomaticStart = Schemas["AutomaticStart"];
export type AutomaticStartRequest = Schemas["AutomaticStartInRequest"];
export type AutomationRequest = Schemas["AutomationInRequest"];
export type ApplyCapacity = Schemas["ApplyCapacity"];
export type DirectionCapacity = Schemas["DirectionCapacity"];
export type Bandwidth = Schemas["Bandwidth"];
export type Channel = Schemas["Channel"];
export type ChannelError = Schemas["ChannelError"];
export type Cluster = Schemas["Cluster"];
export type ClusterRef = Schemas["ClusterRef"];
export type CreateClusterRequest = Schemas["ClusterInRequest"];
export type AddNodeRequest = Schemas["NodeAddRequest"];
export type ReplaceAccountRequest = Schemas["CredentialReplaceRequest"];
export type UpdateClusterRequest = Schemas["PatchedClusterUpdateRequest"];
export type UpdateNodeRequest = Schemas["PatchedNodeUpdateRequest"];
export type Calibration = Schemas["Calibration"];
export type CalibrationRequest = Schemas["CalibrationInRequest"];
export type ComparedTable = Schemas["ComparedTable"];
export type ComparedTableState = Schemas["ComparedTableStateEnum"];
export type ChangeComparisonRequest = Schemas["PatchedComparisonChangeRequest"];
export type ComparisonRequest = Schemas["ComparisonInRequest"];
export type ComparisonSchedule = Schemas["ComparisonSchedule"];
export type ComparisonScheduleRequest = Schemas["ComparisonScheduleInRequest"];
export type RowDifference = Schemas["RowDifference"];
export type RowWriters = Schemas["RowWriters"];
export type RowWriter = Schemas["RowWriter"];
export type LoggedRowChange = Schemas["LoggedRowChange"];
export type TableComparison = Schemas["TableComparison"];
export type ClusterConcurrency = Schemas["ClusterConcurrency"];
export type Concurrency = Schemas["Concurrency"];
export type ConcurrencyGiven = paths["/api/v1/concurrency"]["get"]["parameters"]["query"];
export type Delivery = Schemas["Delivery"];
export type Destination = Schemas["Destination"];
export type DestinationService = Schemas["DestinationServiceEnum"];
export type CreateDestinationRequest = Schemas["DestinationInRequest"];
export type DestinationSettings = Schemas["DestinationSettingsInRequest"];
export type UpdateDestinationRequest = Schemas["PatchedDestinationChangeRequest"];
export type DonorAdvice = Schemas["Donor"];
export type Direction = Schemas["DirectionEnum"];
export type DirectionAccount = Schemas["DirectionAccount"];
export type Evidence = Schemas["Evidence"];
export type FactChange = Schemas["ChangedFact"];
export type FieldError = Schemas["FieldError"];
export type Finding = Schemas["Finding"];
export type Group = Schemas["Group"];
export type HistoryEntry = Schemas["History"];
export type Hook = Schemas["Hook"];
export type UpdateHookRequest = Schemas["PatchedHookChangeRequest"];
export type CreateHookRequest = Schemas["HookInRequest"];
export type HookPhase = Schemas["HookPhaseEnum"];
export type ConfirmIncidentRequest = Schemas["ConfirmInRequest"];
export type Incident = Schemas["Incident"];
export type IncidentBrief = Schemas["IncidentBrief"];
export type IncidentItem = Schemas["IncidentItem"];
export type IncidentItemState = Schemas["IncidentItemStateEnum"];
export type IncidentState = Schemas["IncidentStateEnum"];
export type OpenIncidentRequest = Schemas["IncidentInRequest"];
export type OrderIncidentRequest = Schemas["OrderInRequest"];
export type PlanIncidentRequest = Schemas["PlansInRequest"];
export type Lab = Schemas["Lab"];
export type LabNode = Schemas["LabNode"];
export type LabNodeAction = Schemas["LabNodeActionActionEnum"];
export type CopiedNode = Schemas["CopiedNode"];
export type LabSwitches = Schemas["PatchedLabLoadSwitchRequest"];
export type LabVerdict = Schemas["LabVerification"];
export type LagCurve = Schemas["Lag"];
export type LagEvent = Schemas["LagEvent"];
export type LagPoint = Schemas["LagPoint"];
export type Link = Schemas["Link"];
export type LinkDetail = Schemas["LinkDetail"];
export type CreateLinkRequest = Schemas["LinkInRequest"];
export type PauseLinkRequest = Schemas["LinkPauseRequest"];
export type SwapLinkNamesRequest = Schemas["LinkSwapRequest"];
export type UpdateLinkRequest = Schemas["PatchedLinkUpdateRequest"];
export type Heartbeat = Schemas["Heartbeat"];
export type HeartbeatRequest = Schemas["HeartbeatInRequest"];
export type LinkHeartbeat = Schemas["LinkHeartbeat"];
export type Network = Schemas["Network"];
export type NetworkDemand = NonNullable<
  paths["/api/v1/links/{link_id}/network"]["get"]["parameters"]["query"]
>;
export type NetworkExchange = Schemas["NetworkExchange"];
export type NetworkMeasurement = Schemas["NetworkMeasurement"];
export type NetworkNode = Schemas["NetworkNode"];
export type NetworkScript = Schemas["NetworkScript"];
export type NetworkVerdict = Schemas["NetworkVerdict"];
export type PasteNetworkRequest = Schemas["NetworkPasteInRequest"];
export type ProbeToken = Schemas["ProbeToken"];
export type ProbeTokenRequest = Schemas["ProbeTokenInRequest"];
export type Lookup = Schemas["Lookup"];
export type LookupAnswer = Schemas["LookupAnswer"];
export type LookupNeighbour = Schemas["LookupNeighbour"];
export type LookupNodeLocation = Schemas["LookupNodeLocation"];
export type LookupRow = Schemas["LookupRow"];
export type LookupRows = Schemas["LookupRows"];
export type LookupSide = Schemas["LookupSide"];
export type LookupTransaction = Schemas["LookupTransaction"];
export type LinkRow = Schemas["LinkRow"];
export type AttentionCode = Schemas["AttentionEnum"];
export type Fleet = Schemas["Fleet"];
export type RowChannel = Schemas["RowChannel"];
export type SavedView = Schemas["LinkView"];
export type CurrentUser = Schemas["Me"];
export type SecondFactors = Schemas["SecondFactors"];
export type Passkey = Schemas["Passkey"];
export type TotpSecret = Schemas["TotpSecret"];
/** The account of a user at a provider or directory. */
export type ProviderIdentity = Schemas["Identity"];
export type SignInRequest = Schemas["SignInRequest"];
export type PasswordChangeRequest = Schemas["PasswordChangeRequest"];
/** What the provider sent the browser back with. */
export type ProviderAnswer = Schemas["CallbackRequest"];
export type SignInMethods = Schemas["SignInMethods"];
export type AcceptableServer = Schemas["AcceptableServer"];
export type AcceptedServer = Schemas["AcceptedServer"];
export type ServerAcceptance = Schemas["ServerAcceptance"];
export type Membership = Schemas["Membership"];
export type NewHistory = Schemas["NewHistory"];
export type ReplacedNode = Schemas["ReplacedNode"];
export type NodeMaintenance = Schemas["NodeMaintenance"];
export type NodeAbsence = Schemas["NodeAbsence"];
export type StateTransfer = Schemas["StateTransfer"];
export type TransferJoiner = Schemas["Joiner"];
export type TransferGiven = NonNullable<
  paths["/api/v1/clusters/{cluster_id}/state-transfer"]["get"]["parameters"]["query"]
>;
export type Node = Schemas["Node"];
export type NodeChannel = Schemas["NodeChannel"];
export type Orphan = Schemas["Orphan"];
export type OrphanRow = Schemas["OrphanRow"];
export type Orphans = Schemas["Orphans"];
export type OrphanTable = Schemas["OrphanTable"];
export type Preferences = Schemas["Preferences"];
export type RoleTable = Schemas["RoleList"];
export type Plan = Schemas["Plan"];
export type PlanKind = Schemas["PlanKindEnum"];
export type PlanOptions = Schemas["PlanOptionsRequest"];
export type PlanStep = Schemas["PlanStep"];
export type PlanRequest = Schemas["PlanInRequest"];
export type Position = Schemas["Position"];
export type ProblemDocument = Schemas["Problem"];
export type ProtectedChange = Schemas["ProtectedChange"];
export type Push = Schemas["Push"];
export type PushBrowser = Schemas["PushSubscription"];
export type PushSubscriptionRequest = Schemas["PushSubscriptionInRequest"];
export type PushTest = Schemas["PushTest"];
export type Readiness = Schemas["Readiness"];
export type ReadinessReport = Schemas["ReadinessReport"];
export type Rehearsal = Schemas["Rehearsal"];
export type RehearsalRequest = Schemas["RehearsalInRequest"];
export type RehearsedKind = Schemas["RehearsedKindEnum"];
export type Registration = Schemas["Draft"];
export type RegistrationBrief = Schemas["DraftBrief"];
export type RegistrationPart = Schemas["OpenPoint"]["side"];
export type RegistrationSide = Schemas["RegistrationSideEnum"];
export type OpenPoint = Schemas["OpenPoint"];
export type SideDraft = Schemas["DraftSide"];
export type SettingChange = Schemas["DraftSetting"];
export type TlsTrial = Schemas["DraftTlsMode"];
export type UpdateRegistrationRequest = Schemas["PatchedDraftUpdateRequest"];
export type EnterAccountsRequest = Omit<Schemas["DraftEnterAccountsRequest"], "endpoints_digest">;
export type UpdateSideRequest = Schemas["DraftSideInRequest"];
export type Report = Schemas["Report"];
export type ReportBlock = Schemas["Block"];
export type ReportDocument = Schemas["Document"];
export type Run = Schemas["Run"];
export type RunState = Schemas["RunStateEnum"];
export type RunStatement = Schemas["Statement"];
export type RunStep = Schemas["RunStep"];
export type Schedule = Schemas["Schedule"];
export type ScheduleRequest = Schemas["ScheduleInRequest"];
export type Session = Schemas["Session"];
export type Switch = Schemas["Switch"];
export type TimelineEntry = Schemas["TimelineEntry"];
export type TimelineKind = Schemas["TimelineEntryKindEnum"];
export type TouchedLink = Schemas["TouchedLink"];
export type Token = Schemas["Token"];
export type Team = Schemas["Team"];
export type TeamMember = Schemas["TeamMember"];
export type CreateTeamRequest = Schemas["TeamInRequest"];
export type UpdateTeamRequest = Schemas["PatchedTeamUpdateRequest"];
export type RoleAssignment = Schemas["RoleAssignment"];
export type AssignRoleRequest = Schemas["RoleAssignmentInRequest"];
export type RoleScope = Schemas["RoleScopeEnum"];
export type TopologyRow = Schemas["TopologyRow"];
export type CreateTokenRequest = Schemas["TokenCreateRequest"];
export type UnreviewedException = Schemas["UnreviewedException"];
export type User = Schemas["User"];
export type UpdateUserRequest = Schemas["PatchedUserUpdateRequest"];
export type CreateUserRequest = Schemas["UserCreateRequest"];
export type Verification = Schemas["Verification"];
export type ApprovalRule = Schemas["ApprovalRule"];
export type ApprovalRuleRequest = Schemas["ApprovalRuleInRequest"];
export type ChangeCalendar = Schemas["ChangeCalendar"];
export type ChangeFreeze = Schemas["Freeze"];
export type ChangeWindow = Schemas["Window"];
export type FreezeRequest = Schemas["FreezeInRequest"];
export type WindowRequest = Schemas["WindowInRequest"];
export type RunDecision = Schemas["RunDecision"];
export type Waiting = Schemas["Waiting"];
export type WaitingRun = Schemas["WaitingRun"];
export type DirectionProof = Schemas["DirectionProof"];
export type LinkProof = Schemas["LinkProof"];
export type ProofPeriod = Schemas["ProofPeriod"];
export type SettleSettingsRequest = Schemas["UnsafeSettlementInRequest"];
export type SettleTransactionsRequest = Schemas["SettlementInRequest"];
export type Unaccounted = Schemas["Unaccounted"];
export type UnaccountedTransaction = Schemas["UnaccountedTransaction"];
export type UnsafeSetting = Schemas["UnsafeSetting"];

/** What may be lost: a site, or a node by its id. */
export type TouchedScope = { site: string } | { node: string };

/** The reason of a change that has no other input. */
export interface ReasonOnly {
  reason: string;
}

/** A page of a list, with the cursor of the next one. */
export interface Page<T> {
  results: T[];
  next: string | null;
}

/** A time of the lag curve: so many minutes up to now, or from one time to another. */
export type LagSpan = { minutes: number } | { from: string; to: string };

/** What a list is asked for; where a page begins is not said here. */
type Filter<P extends keyof paths> = paths[P] extends {
  get: { parameters: { query?: infer Query } };
}
  ? Omit<NonNullable<Query>, "cursor" | "limit">
  : never;

/** What a transaction is looked up by; all of it must hold. */
export type LookupCriteria = Filter<"/api/v1/links/{link_id}/lookup">;
/** Where a transaction begins in the binary log of a node. */
export type LookupPosition = NonNullable<
  paths["/api/v1/links/{link_id}/lookup/rows"]["get"]["parameters"]["query"]
>;

export type AuditFilter = Filter<"/api/v1/audit">;
export type HistoryFilter = Filter<"/api/v1/history">;
export type RunFilter = Filter<"/api/v1/runs">;

/** A period; without it a report is about the last quarter. */
export type Period = Pick<HistoryFilter, "since" | "until">;
