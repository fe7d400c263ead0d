import { Problem } from "@/api/problem";

/** The text of a refused sign-in, whether it concerns the credentials, and when to try again. */
export interface Refusal {
  text: string;
  ofPassword: boolean;
  retryAfterS: number | null;
}

export const isFactorNeeded = (error: unknown): boolean =>
  error instanceof Problem && error.code === "second_factor_needed";

/** The refusal that the form shows for an error. */
export function refusalOf(error: unknown): Refusal {
  if (!(error instanceof Problem))
    return {
      text: error instanceof Error ? error.message : String(error),
      ofPassword: false,
      retryAfterS: null,
    };
  if (isFactorNeeded(error))
    return { text: "Reading how you can go on.", ofPassword: false, retryAfterS: null };
  if (error.status === 401)
    return {
      text: "Incorrect name or password. Sign-in attempts are recorded in the audit log.",
      ofPassword: true,
      retryAfterS: null,
    };
  return {
    text: error.detail || error.title,
    ofPassword: false,
    retryAfterS: error.retryAfterS,
  };
}
