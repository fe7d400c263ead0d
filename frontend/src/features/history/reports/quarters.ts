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

const indexOf = (nowMs: number) => {
  const now = new Date(nowMs);
  return now.getUTCFullYear() * 4 + Math.floor(now.getUTCMonth() / 3);
};

/** The current quarter and those before it, as far back as rehearsals are kept; the newest first. */
export const recentQuarters = (nowMs: number): Quarter[] =>
  [0, 1, 2, 3].map((back) => quarter(indexOf(nowMs) - back));

/** The period of a report that names none: the last whole quarter. */
export const lastQuarter = (nowMs: number): Quarter => quarter(indexOf(nowMs) - 1);
