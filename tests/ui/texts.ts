/** Every text of the pages that these tests compare: change it here when a page changes it. */

/** The h1 of each page. */
export const HEADINGS = {
  signIn: /Hawser/,
  links: /^Links$/,
  createLink: /^New link$/,
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
  waiting: /^Pending approvals/,
  audit: /^Audit/,
  clusters: /^Clusters$/,
  createCluster: /^New cluster$/,
  lookup: /^Lookup/,
  account: /^Account/,
  lab: /^Lab$/,
  notFound: /^Not found$/,
};

/** What a list without rows says. */
export const EMPTY = {
  links: /No links are registered/,
  runs: /No runs match/,
  audit: /No record/,
  waiting: /No run needs/,
  orphans: /orphan/i,
};

export const TEXTS = {
  loading: "Loading",
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
  seePlan: /^View plan$/,
  goToConfirmation: /confirmation$/,
  reason: "Reason or ticket",
  confirmation: /^Type the link's name/,
  start: /^Move both channels/,
  seeResult: /^View result/,
  loadMore: /^Load more/,
  registerLink: /^Register link/,
  registerCluster: /^Register cluster/,
  checkCluster: /^Check .*: connection/,
  addWebhook: /^Add webhook/,
  requireApproval: /^Require approval/,
  rehearse: /^Rehearse relocate now/,
  approve: /^Approve/,
  abort: /^Abort/,
  resume: /^Recheck nodes and resume/,
  confirmChange: /^Confirm/,
  review: /^Record review/,
  changeRole: /^Change role/,
  saveHostAccounts: /^Save host accounts/,
  setPassword: /^Set password/,
  startNode: /^Start db-a1/,
  startSite: /^Start milan/,
  saveSettings: /^Save automatic/,
  saveSchedule: /^(Save schedule|Turn schedule off)/,
  scan: /^Scan again/,
  planReplay: /^Plan replay/,
  createUser: /^Add user/,
  findXid: /^Find transaction/,
};
