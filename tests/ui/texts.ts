/** Every text of the pages that these tests compare: change it here when a page changes it. */

/** The h1 of each page. */
export const HEADINGS = {
  signIn: /Hawser/,
  links: /^Links$/,
  createLink: /Register a link|Create a link/,
  link: /^(payments|ledger|stock|orders)$/,
  orphans: /of ledger$/,
  noOrphans: /of orders$/,
  rehearsals: /^Rehearsals/,
  settings: /^Settings/,
  relocate: /^Relocate payments/,
  switchover: /^Switch .* over/,
  failover: /^Fail .* over/,
  reprotect: /^Reprotect ledger/,
  runs: /^Runs$/,
  waiting: /^Waiting/,
  audit: /^Audit/,
  clusters: /^Clusters$/,
  createCluster: /Register a cluster|Create a cluster/,
  lookup: /^Lookup/,
  account: /^Account/,
  lab: /^Lab$/,
  notFound: /^Not found$/,
};

/** What a list without rows says. */
export const EMPTY = {
  links: /No link is/,
  runs: /No run/,
  audit: /No record/,
  waiting: /No run waits/,
  orphans: /orphan/i,
};

export const TEXTS = {
  loading: "Reading",
  tryAgain: "Try again",
  runEnded: /Both channels run on db-a2/,
  planExpired: /expired/,
  wrongPassword: /password/,
  retryIn: /again/i,
};

/** Names of buttons, links and fields. */
export const CONTROLS = {
  name: "Name",
  password: "Password",
  signIn: "Sign in",
  relocate: /^Relocate the link off db-a1/,
  chooseTarget: /^Choose/,
  check: /^Check db-a2/,
  seeProof: /proof$/,
  seePlan: /^See the plan/,
  goToConfirmation: /confirmation$/,
  reason: "Reason or ticket",
  confirmation: /^Type the link's name/,
  start: /^Move both channels/,
  seeResult: /^See the result/,
  loadMore: /^Load more/,
  registerLink: /^Register a link/,
  registerCluster: /^Register a cluster/,
  checkCluster: /^Check connection/,
  addWebhook: /^Add a webhook/,
  requireApproval: /approval of every run/,
  rehearse: /^Rehearse a relocate/,
  approve: /^Approve/,
  abort: /^Abort/,
  resume: /^Look at the nodes again/,
  confirmChange: /^Confirm/,
  review: /^Record the review/,
  scan: /^Scan again/,
  planReplay: /^Plan a replay/,
  createUser: /^Add this person/,
  findXid: /^Find it/,
};
