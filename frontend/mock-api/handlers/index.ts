/** All handlers, one file for each resource of the API. */
import type { RequestHandler } from "msw";
import type { Database } from "../db";
import { acceptanceHandlers } from "./acceptance";
import { adviceHandlers } from "./advice";
import { approvalRuleHandlers } from "./approval-rules";
import { auditHandlers } from "./audit";
import { automationHandlers } from "./automation";
import { bandwidthHandlers } from "./bandwidth";
import { calibrationHandlers } from "./calibration";
import { changeCalendarHandlers } from "./change-calendar";
import { clusterChangeHandlers } from "./cluster-changes";
import { clusterHandlers } from "./clusters";
import { destinationHandlers } from "./destinations";
import { explanationHandlers } from "./explanations";
import { guidedHandlers } from "./guided";
import { healthHandlers } from "./health";
import { historyHandlers } from "./history";
import { hookHandlers } from "./hooks";
import { incidentHandlers } from "./incidents";
import { labHandlers } from "./lab";
import { linkChangeHandlers } from "./link-changes";
import { linkHandlers } from "./links";
import { lookupHandlers } from "./lookup";
import { networkHandlers } from "./network";
import { nodeChangeHandlers } from "./node-changes";
import { nodeMaintenanceHandlers } from "./node-maintenance";
import { orphanHandlers } from "./orphans";
import { planHandlers } from "./plans";
import { pushHandlers } from "./push";
import { rehearsalHandlers } from "./rehearsals";
import { reportHandlers } from "./reports";
import { runHandlers } from "./runs";
import { secondFactorHandlers } from "./second-factors";
import { sessionHandlers } from "./session";
import { signInHandlers } from "./sign-in";
import { tableComparisonHandlers } from "./table-comparisons";
import { teamHandlers } from "./teams";
import { tokenHandlers } from "./tokens";
import { unaccountedHandlers } from "./unaccounted";
import { userHandlers } from "./users";
import { waitingHandlers } from "./waiting";

export const handlersFor = (db: Database): RequestHandler[] => [
  ...adviceHandlers(db),
  ...approvalRuleHandlers(db),
  ...auditHandlers(),
  ...automationHandlers(),
  ...acceptanceHandlers(db),
  ...bandwidthHandlers(db),
  ...changeCalendarHandlers(db),
  ...clusterChangeHandlers(db),
  ...clusterHandlers(db),
  ...destinationHandlers(),
  ...explanationHandlers(),
  ...guidedHandlers(db),
  ...healthHandlers(),
  ...historyHandlers(db),
  ...hookHandlers(),
  ...incidentHandlers(db),
  ...labHandlers(db),
  ...linkChangeHandlers(db),
  ...linkHandlers(db),
  ...lookupHandlers(),
  ...calibrationHandlers(db),
  ...networkHandlers(),
  ...nodeChangeHandlers(db),
  ...nodeMaintenanceHandlers(db),
  ...orphanHandlers(),
  ...planHandlers(db),
  ...pushHandlers(db),
  ...rehearsalHandlers(),
  ...reportHandlers(),
  ...runHandlers(db),
  ...secondFactorHandlers(db),
  ...sessionHandlers(db),
  ...signInHandlers(db),
  ...tableComparisonHandlers(db),
  ...teamHandlers(db),
  ...tokenHandlers(db),
  ...unaccountedHandlers(db),
  ...userHandlers(db),
  ...waitingHandlers(db),
];
