/** A tokeniser for showing SQL, not for understanding it: text in = text out, only coloured. */

export type TokenKind = "keyword" | "string" | "number" | "comment" | "plain";
export interface Token {
  kind: TokenKind;
  text: string;
}

const KEYWORDS = new Set(
  (
    "ALTER AND AS BEGIN BY CHANGE CHANNEL COMMIT CREATE DATABASE DELETE DROP FOR FROM FLUSH GLOBAL GRANT IDENTIFIED IF " +
    "IGNORE_SERVER_IDS DO_DOMAIN_IDS IGNORE_DOMAIN_IDS REPLACE IN INDEX INSERT INTO KEY KILL LIMIT LOGS MASTER MASTER_HOST MASTER_PORT MASTER_LOG_FILE MASTER_LOG_POS " +
    "MASTER_USER MASTER_PASSWORD MASTER_USE_GTID MASTER_CONNECT_RETRY MASTER_SSL MASTER_DELAY MASTER_HEARTBEAT_PERIOD " +
    "MASTER_SSL_VERIFY_SERVER_CERT MASTER_SSL_CA NOT NULL ON OR ORDER PRIMARY RESET ROLLBACK SELECT SESSION SET SHOW SLAVE REPLICA SOURCE START " +
    "STATEMENT STATUS STOP TABLE TO TRANSACTION UNTIL UPDATE USE VALUES VARIABLES WHERE WITH ALL BINLOG EVENTS POSITION SQL_THREAD IO_THREAD"
  ).split(" "),
);

const PATTERN =
  /(?<comment>--[^\n]*|#[^\n]*|\/\*[\s\S]*?\*\/)|(?<string>'(?:[^'\\]|\\.|'')*'|"(?:[^"\\]|\\.)*")|(?<number>\b\d+(?:\.\d+)?\b)|(?<word>[A-Za-z_][A-Za-z0-9_$]*)/g;

function wordKind(word: string): TokenKind {
  const upper = word.toUpperCase();
  return KEYWORDS.has(upper) || upper.startsWith("MASTER_") ? "keyword" : "plain";
}

function kindOf(groups: Record<string, string | undefined>): TokenKind {
  if (groups.comment !== undefined) return "comment";
  if (groups.string !== undefined) return "string";
  if (groups.number !== undefined) return "number";
  return wordKind(groups.word ?? "");
}

/** Split SQL into coloured pieces; joining the pieces gives the input back, byte for byte. */
export function tokenizeSql(sql: string): Token[] {
  const tokens: Token[] = [];
  const push = (kind: TokenKind, text: string) => {
    const last = tokens.at(-1);
    if (last?.kind === kind && kind === "plain") last.text += text;
    else if (text) tokens.push({ kind, text });
  };
  let end = 0;
  for (const match of sql.matchAll(PATTERN)) {
    push("plain", sql.slice(end, match.index));
    push(kindOf(match.groups ?? {}), match[0]);
    end = match.index + match[0].length;
  }
  push("plain", sql.slice(end));
  return tokens;
}
