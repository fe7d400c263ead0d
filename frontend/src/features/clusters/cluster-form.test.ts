import { describe, expect, it } from "vitest";
import { parseNodes } from "@/domain/node-lines";
import { emptyForm, toRequest } from "./cluster-form";

describe("the form of a new cluster", () => {
  it("test_nodes__with_and_without_port__read", () => {
    expect(parseNodes("db-a1 10.0.1.1\n\n  db-a2 10.0.1.2:3307 ")).toEqual([
      { name: "db-a1", host: "10.0.1.1", port: 3306 },
      { name: "db-a2", host: "10.0.1.2", port: 3307 },
    ]);
  });
  it.each(["", "db-a1", "db-a1 host:port"])("test_nodes__%j__refused_as_a_whole", (text) =>
    expect(parseNodes(text)).toBeNull(),
  );
  it("test_draft__no_certificate__not_sent_as_empty", () =>
    expect(toRequest(emptyForm()).tls).toEqual({ mode: "verify_identity" }));
});
