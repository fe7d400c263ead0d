/** What is not known, with the reason as a tooltip. */
export const Unknown = ({ why }: { why?: string | undefined }) => (
  <span className="faint" title={why}>
    unknown
  </span>
);
