/** Passkeys (WebAuthn) by the browser's own JSON functions: Chromium 129, Firefox 119, Safari 18.4 or later. */

/** Whether this browser can use passkeys here: it needs HTTPS, or localhost. */
export const hasPasskeys = (): boolean =>
  typeof PublicKeyCredential !== "undefined" &&
  "parseCreationOptionsFromJSON" in PublicKeyCredential;

/** What the browser makes or finds, as JSON; its refusals come as one sentence. */
async function asJson(call: Promise<Credential | null>): Promise<Record<string, unknown>> {
  let credential: Credential | null;
  try {
    credential = await call;
  } catch (cause) {
    if (cause instanceof DOMException) throw new Error(sentenceOf(cause), { cause });
    throw cause;
  }
  if (!(credential instanceof PublicKeyCredential)) throw new Error("The browser sent no passkey.");
  return { ...(credential.toJSON() as object) };
}

const sentenceOf = (cause: DOMException): string =>
  cause.name === "InvalidStateError"
    ? "This device has a passkey for you already."
    : `The browser used no passkey: it was cancelled, took too long, or there is none for this address (${cause.name}).`;

/** A new passkey by the server's options. */
export const createPasskey = (options: unknown) =>
  asJson(
    navigator.credentials.create({
      publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(
        options as PublicKeyCredentialCreationOptionsJSON,
      ),
    }),
  );

/** Uses a passkey by the server's options. */
export const readPasskey = (options: unknown) =>
  asJson(
    navigator.credentials.get({
      publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(
        options as PublicKeyCredentialRequestOptionsJSON,
      ),
    }),
  );
