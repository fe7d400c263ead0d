/** This browser's copy of how things are shown: used until the server's answer is there, and signed out. */

const KEY = "hawser.preferences";

/** The stored copy as it was written; null where there is none. */
export function readLocalPreferences(): unknown {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "null");
  } catch {
    return null; // Storage may be forbidden or damaged; the defaults then hold for the visit.
  }
}

export function saveLocalPreferences(preferences: unknown): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(preferences));
  } catch {
    return; // Same: the copy is missing at the next visit.
  }
}
