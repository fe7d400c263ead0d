import { describe, expect, it } from "vitest";
import { tokenizeSql } from "./sql-tokenizer";

const joined = (sql: string) =>
  tokenizeSql(sql)
    .map((token) => token.text)
    .join("");
const kinds = (sql: string) =>
  tokenizeSql(sql)
    .filter((token) => token.kind !== "plain")
    .map((token) => [token.kind, token.text]);

describe("sqlTokens", () => {
  it.each([
    "CHANGE MASTER TO\n  MASTER_HOST='127.0.1.2', MASTER_PORT=3306",
    "SELECT 'it''s', \"a\\\"b\" -- tail\n; /* block */ # hash",
    "unterminated 'string",
    "",
    "Grüße ⇄ 12.5 `quoted name`",
  ])("test_tokens__%j__join_to_the_input", (sql) => expect(joined(sql)).toBe(sql));

  it("test_tokens__change_master__keywords_strings_numbers", () => {
    expect(kinds("MASTER_HOST='db-a2', MASTER_LOG_POS=884120377")).toEqual([
      ["keyword", "MASTER_HOST"],
      ["string", "'db-a2'"],
      ["keyword", "MASTER_LOG_POS"],
      ["number", "884120377"],
    ]);
  });

  it("test_tokens__keyword_inside_a_string__stays_a_string", () => {
    expect(kinds("'STOP SLAVE'")).toEqual([["string", "'STOP SLAVE'"]]);
  });

  it("test_tokens__escaped_quote__does_not_end_the_string", () => {
    expect(kinds("'a\\'b' SET")).toEqual([
      ["string", "'a\\'b'"],
      ["keyword", "SET"],
    ]);
  });
});
