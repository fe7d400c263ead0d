/** A change and the version that it was decided on: refused with 412 where another change came first. */
export interface Versioned<Body> {
  version: number;
  body: Body;
}

/** The header of a change that is based on this version. */
export const ifMatch = (version: number) => ({ "If-Match": `"${version}"` });
