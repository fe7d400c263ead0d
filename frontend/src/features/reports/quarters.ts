export interface Quarter {
  label: string;
  since: string;
  until: string;
}

/** The quarter of this index since year 0, in UTC. */
function quarter(index: number): Quarter {
  const start = (at: number) => new Date(Date.UTC(Math.floor(at / 4), (at % 4) * 3, 1));
  const whole = (at: number) => start(at).toISOString().replace(".000Z", "Z");
  return {
    label: `Q${(index % 4) + 1} ${Math.floor(index / 4)}`,
    since: whole(index),
    until: whole(index + 1),
  };
}

/** The current quarter and those before it, as far back as rehearsals are kept; the newest first. */
export function recentQuarters(nowMs: number): Quarter[] {
  const now = new Date(nowMs);
  const current = now.getUTCFullYear() * 4 + Math.floor(now.getUTCMonth() / 3);
  return [0, 1, 2, 3].map((back) => quarter(current - back));
}
