import { Fragment } from "react";

/** A sentence of the documents: code in backticks is shown as code, a link by its words. */
export function CodeInText({ text }: { text: string }) {
  const parts = text.replace(/\[([^\]]+)\]\([^)]*\)/g, "$1").split("`");
  return parts.map((part, index) => (
    // The parts of one text never change their order.
    // biome-ignore lint/suspicious/noArrayIndexKey: see above
    <Fragment key={index}>{index % 2 ? <code>{part}</code> : part}</Fragment>
  ));
}
