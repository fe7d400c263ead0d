import { Fragment } from "react";
import { CodeInText } from "./CodeInText";
import { Term, type TermName } from "./Term";

/** Terms of the servers' own world, which a text of the console uses without explaining. */
const TERMS = ["IST", "SST", "donor", "backup position"] as const satisfies readonly TermName[];
const PATTERN = new RegExp(`\\b(${TERMS.join("|")})\\b`);

const CODE = /(`[^`]*`)/;

/** A sentence in which each of these terms shows its definition. */
export function TermsInText({ text }: { text: string }) {
  const parts = text
    .split(CODE)
    .flatMap((part) => (part.startsWith("`") ? [part] : part.split(PATTERN)));
  return parts.map((part, index) => {
    const term = TERMS.find((each) => each === part);
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never change their order
      <Fragment key={index}>{term ? <Term of={term} /> : <CodeInText text={part} />}</Fragment>
    );
  });
}
