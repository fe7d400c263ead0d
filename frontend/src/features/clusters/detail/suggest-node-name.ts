const NUMBERED = /^(.*?)(\d+)$/;
const IP_ADDRESS = /^[\d.]+$|:/;

/** The next number after the names that end in one: db-a1, db-a3 -> db-a4. */
function nextNumbered(names: readonly string[], fallback: string): string {
  const numbered = names.flatMap((name) => {
    const [, stem = "", number] = NUMBERED.exec(name) ?? [];
    return number === undefined ? [] : [{ stem, number: Number(number) }];
  });
  const stem = numbered[0]?.stem ?? `${fallback}-`;
  const last = Math.max(0, ...numbered.map(({ number }) => number));
  return `${stem}${Math.max(last, names.length) + 1}`;
}

/** A name for a member that only has an address: its host name, else the next number of the cluster's names. */
export function suggestNodeName(host: string, names: readonly string[], cluster: string): string {
  const [label = ""] = host.split(".");
  if (!IP_ADDRESS.test(host) && label !== "" && !names.includes(label)) return label;
  return nextNumbered(names, cluster);
}
