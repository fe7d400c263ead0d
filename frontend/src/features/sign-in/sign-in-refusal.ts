import { Problem } from "@/api/problem";

/** What a refused sign-in says, whether it is about what was typed, and when it may be tried again. */
export interface Refusal {
  text: string;
  ofPassword: boolean;
  retryAfterS: number | null;
}

export function refusalOf(error: unknown): Refusal {
  if (!(error instanceof Problem))
    return {
      text: error instanceof Error ? error.message : String(error),
      ofPassword: false,
      retryAfterS: null,
    };
  if (error.status === 401)
    return {
      text: "Name or password is not right. Each attempt is in the audit record.",
      ofPassword: true,
      retryAfterS: null,
    };
  return {
    text: error.detail || error.title,
    ofPassword: false,
    retryAfterS: error.retryAfterS,
  };
}
