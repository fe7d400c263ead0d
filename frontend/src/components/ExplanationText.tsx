import { useQuery } from "@tanstack/react-query";
import { Fragment } from "react";
import { type ExplainedKind, explanationQuery } from "@/api/resources/explanations";

/** A sentence of the catalogue: code in backticks is shown as code, a link by its words. */
function Sentence({ text }: { text: string }) {
  const parts = text.replace(/\[([^\]]+)\]\([^)]*\)/g, "$1").split("`");
  return parts.map((part, index) => (
    // The parts of one text never change their order.
    // biome-ignore lint/suspicious/noArrayIndexKey: see above
    <Fragment key={index}>{index % 2 ? <code>{part}</code> : part}</Fragment>
  ));
}

/** What happened, what it means and what to do, as the catalogue says it. */
export function ExplanationText({ kind, code }: { kind: ExplainedKind; code: string }) {
  const { data, isError } = useQuery(explanationQuery(kind, code));
  if (isError) return <p className="dim">No explanation could be read for {code}.</p>;
  if (!data) return <p className="faint">Loading</p>;
  return (
    <>
      <p className="strong">{data.title}</p>
      {[data.what_happened, data.what_it_means, data.what_to_do].map((text) => (
        <p key={text} className="dim">
          <Sentence text={text} />
        </p>
      ))}
    </>
  );
}
