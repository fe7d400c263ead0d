/** The worlds that a page can be looked at in, by name: `/mock/reset?scenario=NAME`. */
import type { LinkDetail, Run } from "@/api/types";
import { labStates } from "./seeds/lab-states";
import { broken, calm, needsOperator, stoppedOnRow, unseen } from "./seeds/links";
import { manyLinks } from "./seeds/many-links";
import { paused } from "./seeds/registration";
import { failedOver, failedOverAlone, partitioned, siteLost } from "./seeds/site-links";
import {
  anotherLog,
  bothStopped,
  eventsLeft,
  fenceUndone,
  foreignOrigins,
  givenBack,
  halfFenced,
  judgedSettings,
  knownDefects,
  semiSynchronous,
  split,
  unaccounted,
  unregisteredChannel,
  unsafeSetting,
} from "./seeds/unsound-links";
import { untried } from "./seeds/untried";

/** What a link's state depends on: for how long a node has been lost, the runs, and what was settled. */
export interface Moment {
  lostForS: number;
  run: (id: string) => Run;
  settled: ReadonlySet<string>;
}

interface Scenario {
  links: ((moment: Moment) => LinkDetail)[];
  /** A console without anything: no cluster, no plan, no run, nothing that waits. */
  isEmpty?: true;
  /** The user has yet to add the second factor that the role needs. */
  mustAddFactor?: true;
  /** The user's last proof is too old for a change. */
  hasOldProof?: true;
  /** The user has an initial password and has agreed to nothing. */
  isFirst?: true;
}

/** The same link under the name that the page of all scenarios shows it by. */
const named = (id: string, name: string, link: LinkDetail): LinkDetail => ({ ...link, id, name });
const nodeLost = ({ lostForS }: Moment) => broken(lostForS);

export const SCENARIOS = {
  everything: {
    links: [
      nodeLost,
      calm,
      () => named("l_billing", "billing", siteLost(23)),
      () => named("l_ledger", "ledger", failedOver()),
      stoppedOnRow,
      unseen,
    ],
  },
  empty: { links: [], isEmpty: true },
  "must-add-factor": { links: [], mustAddFactor: true },
  "old-proof": { links: [() => named("l_payments", "payments", calm())], hasOldProof: true },
  "first-steps": { links: [], isFirst: true },
  /** The user came from a provider; or it does not answer. */
  provider: { links: [calm] },
  "provider-down": { links: [calm] },
  calm: { links: [() => named("l_payments", "payments", calm())] },
  "node-lost": { links: [nodeLost] },
  "site-lost": { links: [({ lostForS }) => siteLost(lostForS)] },
  "failed-over": { links: [failedOverAlone] },
  returned: { links: [failedOver] },
  partition: { links: [partitioned] },
  unknown: { links: [() => named("l_payments", "payments", unseen())] },
  /** Links that an operator has to know more of: seeds/unsound-links.ts. */
  split: { links: [split] },
  "half-fenced": { links: [halfFenced] },
  "fence-undone": { links: [fenceUndone] },
  "another-log": { links: [anotherLog] },
  "unregistered-channel": { links: [unregisteredChannel] },
  "foreign-origins": { links: [foreignOrigins] },
  "judged-settings": { links: [judgedSettings] },
  "known-defects": { links: [knownDefects] },
  "semi-synchronous": { links: [semiSynchronous] },
  events: { links: [eventsLeft] },
  unaccounted: { links: [({ settled }) => unaccounted(settled)] },
  "unsafe-settings": { links: [({ settled }) => unsafeSetting(settled)] },
  "both-stopped": { links: [bothStopped] },
  "stopped-on-row": { links: [() => named("l_payments", "payments", stoppedOnRow())] },
  "needs-operator": { links: [({ run }) => needsOperator(run("r_needs_operator"))] },
  "given-back": { links: [({ run }) => givenBack(run("r_given_back"))] },
  "waiting-approval": {
    links: [
      ({ run }) => ({
        ...named("l_payments", "payments", calm()),
        active_run: run("r_waiting"),
      }),
    ],
  },
  /** Changes of the registered clusters: seeds/registration.ts. */
  membership: { links: [() => named("l_payments", "payments", calm()), calm] },
  untried: { links: [() => untried(named("l_payments", "payments", calm()))] },
  rebuilt: { links: [() => named("l_payments", "payments", calm())] },
  /** The picture of a link, in every state of the lab. */
  "lab-states": { links: labStates },
  "twelve-links": { links: manyLinks(12) },
  "two-hundred-links": { links: manyLinks(200) },
  "five-hundred-links": { links: manyLinks(500) },
  maintenance: { links: [() => paused(named("l_payments", "payments", calm()))] },
} satisfies Record<string, Scenario>;

/** The scenario of this name; everything at once where there is none. */
export const scenarioOf = (name: string): Scenario =>
  Object.entries<Scenario>(SCENARIOS).find(([key]) => key === name)?.[1] ?? SCENARIOS.everything;
