import { useQuery } from "@tanstack/react-query";
import { type ExplainedKind, explanationQuery } from "@/api/resources/explanations";
import { TermsInText } from "./TermsInText";

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
          <TermsInText text={text} />
        </p>
      ))}
    </>
  );
}
