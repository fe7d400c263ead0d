/** Guided registrations on their way: just started, half done with open points, ready, and registered. */
import type { Registration, SideDraft } from "@/api/types";
import { ago, now } from "./clusters";
import { finding } from "./links";

const PROTECTS = {
  verify_identity:
    "Every connection is encrypted, and a server must show a certificate of your authority that bears its host name. No other server can answer in its place.",
  verify_ca:
    "Every connection is encrypted, and a server must show a certificate of your authority. Another server with a certificate of the same authority could answer in its place.",
  required:
    "Every connection is encrypted, and it is not checked who answers. An attacker who can redirect connections could answer in a server's place.",
  disabled:
    "Nothing is encrypted. An attacker on the network can read what Hawser reads, and could take over a session.",
} as const;

const emptySide = (): SideDraft => ({
  name: "",
  site: "",
  host: "",
  port: 3306,
  administrator: "",
  nodes: [],
  tls: { mode: "", ca: "", cert: "", key_reference: null, certificates: [] },
  accounts: {
    monitor: { user: "hawser_monitor", host: "" },
    operator: { user: "hawser_operator", host: "" },
    replication: { user: "hawser_repl", host: "" },
  },
  statements: { state: "", node: "", digest: "0".repeat(64), statements: [], own: [] },
  discovered: null,
  checked: null,
  cluster_id: null,
});

const sqlOf = (from: string): [role: string, sql: string, purpose: string][] => [
  [
    "monitor",
    `CREATE USER IF NOT EXISTS 'hawser_monitor'@'${from}' IDENTIFIED VIA mysql_native_password USING '***'`,
    "creates the monitor account",
  ],
  [
    "monitor",
    `GRANT PROCESS, BINLOG MONITOR, SLAVE MONITOR, REPLICATION SLAVE, REFERENCES ON *.* TO 'hawser_monitor'@'${from}'`,
    "open transactions and DDL of other sessions; reading the binary log; reading channels and relay logs",
  ],
  [
    "operator",
    `CREATE USER IF NOT EXISTS 'hawser_operator'@'${from}' IDENTIFIED VIA mysql_native_password USING '***'`,
    "creates the operator account",
  ],
  [
    "operator",
    `GRANT REPLICATION SLAVE ADMIN, RELOAD, READ_ONLY ADMIN ON *.* TO 'hawser_operator'@'${from}'`,
    "STOP SLAVE, START SLAVE, CHANGE MASTER; RESET SLAVE; SET GLOBAL read_only",
  ],
  [
    "replication",
    "CREATE USER IF NOT EXISTS 'hawser_repl'@'%' IDENTIFIED VIA mysql_native_password USING '***'",
    "creates the replication account",
  ],
  [
    "replication",
    "GRANT REPLICATION SLAVE ON *.* TO 'hawser_repl'@'%'",
    "what CHANGE MASTER logs in with",
  ],
];

const statements = (state: SideDraft["statements"]["state"], node: string) => ({
  state,
  node,
  digest: "1".repeat(64),
  statements: sqlOf("10.0.9.%").map(([role, sql, purpose]) => ({
    role,
    sql,
    purpose,
    result: state === "created" ? ("done" as const) : ("" as const),
    error: "",
  })),
  own: sqlOf("10.0.9.%").map(
    ([, sql]) => `${sql.replace(/IDENTIFIED VIA .*/, "IDENTIFIED BY 'choose a password'")};`,
  ),
});

const tlsFound = (hasCa: boolean) => ({
  mode: hasCa ? ("verify_identity" as const) : ("required" as const),
  sentence: `${hasCa ? "verify_identity" : "required"} works on every node that was reached.`,
  protects: PROTECTS[hasCa ? "verify_identity" : "required"],
  remedy: hasCa
    ? ""
    : "For verify_ca give the certificate of the authority that signed the servers' certificates. The servers read theirs from /etc/mysql/ca.pem.",
  modes: (["verify_identity", "verify_ca", "required", "disabled"] as const).map((mode) => ({
    mode,
    works: hasCa || !mode.startsWith("verify") ? true : null,
    reason: hasCa || !mode.startsWith("verify") ? "" : "no certificate of the authority was given",
    protects: PROTECTS[mode],
  })),
});

/** A cluster that was discovered: `letter` is in the names of its nodes. */
export const discoveredSide = (
  letter: "a" | "b",
  typed: Pick<SideDraft, "name" | "site" | "host" | "port" | "administrator" | "tls">,
): SideDraft => {
  const site = letter === "a" ? 1 : 2;
  const nodes = [1, 2, 3].map((index) => ({
    name: `db-${letter}${index}`,
    host: `10.${site}.0.1${index}`,
    port: 3306,
  }));
  return {
    ...emptySide(),
    ...typed,
    name: typed.name || (letter === "a" ? "milan" : "frankfurt"),
    nodes,
    tls: { ...typed.tls, mode: typed.tls.ca ? "verify_identity" : "required" },
    accounts: {
      monitor: { user: "hawser_monitor", host: "10.0.9.%" },
      operator: { user: "hawser_operator", host: "10.0.9.%" },
      replication: { user: "hawser_repl", host: "%" },
    },
    statements: statements("", `${typed.host}:${typed.port}`),
    discovered: {
      at: now(),
      may_create: true,
      members: nodes.map((node, index) => ({
        ...node,
        state: "connected",
        sentence: `${node.name} is a member: MariaDB 10.11.19, server_id ${site}${index + 1}.`,
        is_connected: true,
      })),
      tls: tlsFound(Boolean(typed.tls.ca)),
      settings: [],
    },
  };
};

const CERTIFICATE = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----";

/** A certificate that was typed, as the console reads it. */
export const certificate = (kind: "authority" | "client", subject: string) => ({
  kind,
  subject,
  fingerprint: "2".repeat(64),
  ends_at: "2027-06-01T00:00:00Z",
});

const typed = (letter: "a" | "b") => ({
  name: letter === "a" ? "milan" : "frankfurt",
  site: letter === "a" ? "Milan" : "Frankfurt",
  host: `db-${letter}1.example.net`,
  port: 3306,
  administrator: "root",
  tls: {
    mode: "verify_identity" as const,
    ca: CERTIFICATE,
    cert: "",
    key_reference: null,
    certificates: [certificate("authority", "CN=Site CA")],
  },
});

export const withAccounts = (side: SideDraft): SideDraft => ({
  ...side,
  statements: statements("created", `${side.host}:${side.port}`),
});

export const checkedSide = (side: SideDraft): SideDraft => ({
  ...side,
  checked: {
    at: now(),
    findings: side.nodes.map(({ name }) =>
      finding(
        "ok",
        "grants",
        `'hawser_monitor'@'10.0.9.%' on ${name} has the privileges it needs.`,
      ),
    ),
  },
});

const channel = (from_first: boolean) => ({
  name: "",
  from_first,
  source_name: from_first ? "db-a1" : "db-b1",
  source_host: from_first ? "db-a1.example.net" : "db-b1.example.net",
  source_port: 3306,
  replica_name: from_first ? "db-b1" : "db-a1",
  mode: "position binlog.000002:673",
  is_running: true,
  sentence: from_first
    ? "The default channel on db-b1 reads from db-a1 as db-a1.example.net:3306, by position binlog.000002:673, and runs."
    : "The default channel on db-a1 reads from db-b1 as db-b1.example.net:3306, by position binlog.000002:673, and runs.",
});

const linkedFound = {
  state: "linked" as const,
  sentence: "The clusters are linked: both directions have a channel.",
  channels: [channel(true), channel(false)],
  foreign: [],
  channel_name: "",
};

const unknownFound = {
  state: "unknown" as const,
  sentence:
    "It is unknown whether the clusters are linked: the channels of a cluster were not read.",
  channels: [],
  foreign: [],
  channel_name: null,
};

const DECLARATION = `clusters:
- name: milan
  site: Milan
  tls: {mode: verify_identity, ca_file: milan-ca.pem}
links:
- name: payments
  clusters: [milan, frankfurt]
`;

export const emptyRegistration = (id: string): Registration => ({
  id,
  owner: "operator-1",
  title: "a new link",
  link_id: null,
  created_at: now(),
  updated_at: now(),
  expires_at: ago(-7 * 86_400),
  first: emptySide(),
  second: emptySide(),
  link: {
    name: "",
    active: "",
    channel_name: null,
    create_probe: true,
    requires_approval: false,
    writes_on_both_sides: false,
    suggested_active: null,
    found: unknownFound,
    settings: [],
  },
  endpoints_digest: "",
  open_points: [],
  declaration: DECLARATION,
});

/** Stands for a digest: another text wherever addresses, TLS mode or certificates are others. */
const digestOfEndpoints = ({ first, second }: Registration) =>
  JSON.stringify(
    [first, second].map(({ host, port, administrator, nodes, tls }) => [
      [host, port, administrator, tls.mode, tls.ca, tls.cert],
      nodes.map((node) => [node.host, node.port]),
    ]),
  );

/** The steps that are missing, as the server derives them. */
function openPoints(draft: Registration): Registration["open_points"] {
  const sides = (["first", "second"] as const).flatMap((side) => {
    const one = draft[side];
    const shown = one.name || `The ${side} cluster`;
    const must = (code: string, sentence: string, remedy: string) => [
      { code, side, sentence, remedy, must: true },
    ];
    if (!one.discovered)
      return must("discover", `${shown} was not discovered.`, "Connect to one of its nodes.");
    if (!one.statements.state)
      return must(
        "accounts",
        `${shown} has no accounts.`,
        "Create the three accounts, or enter yours.",
      );
    if (!one.checked)
      return must("check", `The accounts of ${shown} were not checked.`, "Check the cluster.");
    return one.discovered.settings
      .filter(({ severity }) => severity === "blocker" || severity === "unknown")
      .map(({ node, variable, current, needed, statement, obstacle }) => ({
        code: "setting",
        side,
        sentence: `${node}: ${variable} is ${current ?? "unknown"}, needed: ${needed}.`,
        remedy: statement || obstacle,
        must: false,
      }));
  });
  const name = draft.link.name
    ? []
    : [
        {
          code: "link_name",
          side: "link" as const,
          sentence: "The link has no name.",
          remedy: "Enter a name.",
          must: true,
        },
      ];
  return [...sides, ...name].sort((one, other) => Number(other.must) - Number(one.must));
}

/** What follows from the parts of a registration. */
export const derived = (draft: Registration): Registration => ({
  ...draft,
  title:
    draft.link.name ||
    [draft.first.name, draft.second.name].filter(Boolean).join(" and ") ||
    "a new link",
  updated_at: now(),
  link: {
    ...draft.link,
    suggested_active: draft.first.discovered && draft.second.discovered ? "first" : null,
    found: draft.first.discovered && draft.second.discovered ? linkedFound : unknownFound,
  },
  endpoints_digest: digestOfEndpoints(draft),
  open_points: openPoints(draft),
});

/** The first cluster is discovered: one node is unreachable, settings must change. */
function half(): Registration {
  const first = discoveredSide("a", {
    ...typed("a"),
    tls: { ...emptySide().tls, mode: "required" },
  });
  const found = first.discovered;
  if (!found) throw new Error("it is discovered");
  const [one, two, three] = found.members;
  if (!one || !two || !three) throw new Error("a cluster has three members");
  const restart =
    "It takes effect with a restart. Restart one node after the other, and wait until each is Synced.";
  return derived({
    ...emptyRegistration("f_half"),
    first: {
      ...first,
      discovered: {
        ...found,
        members: [
          one,
          two,
          {
            ...three,
            state: "unreached",
            is_connected: false,
            sentence:
              "10.1.0.13:3306 could not be read: timed out. Correct its address, or start it. It is unknown whether its settings and channels are as needed.",
          },
        ],
        settings: [
          ...[one, two].map(({ name }) => ({
            node: name,
            variable: "binlog_format",
            current: "MIXED",
            needed: "ROW",
            severity: "blocker" as const,
            why: "Statements may have another effect on the other side.",
            statement: "SET GLOBAL binlog_format = ROW;",
            config: "binlog_format = ROW",
            obstacle: "Sessions that are open keep the old format until they connect again.",
          })),
          {
            node: one.name,
            variable: "log_slave_updates",
            current: "OFF",
            needed: "ON",
            severity: "blocker",
            why: "Its log lacks the writes of other nodes, and what its channels apply stays on it alone.",
            statement: "",
            config: "log_slave_updates = ON",
            obstacle: restart,
          },
          {
            node: three.name,
            variable: "all settings",
            current: null,
            needed: "as on the other nodes",
            severity: "unknown",
            why: "It was not read: timed out.",
            statement: "",
            config: "",
            obstacle: "Connect to the node first.",
          },
        ],
      },
    },
  });
}

function ready(id: string, link_id: string | null): Registration {
  const side = (letter: "a" | "b") =>
    checkedSide(withAccounts(discoveredSide(letter, typed(letter))));
  const empty = emptyRegistration(id);
  return derived({
    ...empty,
    link_id,
    first: side("a"),
    second: side("b"),
    link: { ...empty.link, name: "payments", active: "first" },
  });
}

export const guidedRegistrations = (): Registration[] => [
  derived(emptyRegistration("f_empty")),
  half(),
  ready("f_ready", null),
  ready("f_done", "l_payments"),
  { ...ready("f_foreign", null), owner: "nora" },
];
