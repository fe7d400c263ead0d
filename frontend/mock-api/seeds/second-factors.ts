/** The second factors of the user of the API from memory. */
import type { SecondFactors } from "@/api/types";
import { now } from "./clusters";

export const noFactors = (): SecondFactors => ({
  app: null,
  passkeys: [],
  recovery_codes_left: 0,
  is_required: false,
});

/** A square with a frame, where the server draws a QR code. */
export const QR_CODE =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'%3E%3Cpath fill='%23fff' d='M0 0h9v9H0z'/%3E%3Cpath d='M1 1h3v3H1zM5 1h3v3H5zM1 5h3v3H1z'/%3E%3C/svg%3E";

export const CODES = Array.from({ length: 10 }, (_, index) => `abcd-efgh-ijkl-mno${index % 8}`).map(
  (code, index) => `${code.slice(0, -2)}${String.fromCharCode(97 + index)}${code.slice(-1)}`,
);

export const newApp = () => ({ created_at: now(), last_used_at: now() });

export const newPasskey = (name: string) => ({
  id: `j_${name.toLowerCase().replace(/[^a-z]/g, "a")}`,
  name,
  rp_id: "localhost",
  created_at: now(),
  last_used_at: null,
});
