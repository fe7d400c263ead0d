import { Button } from "@mantine/core";
import { CopyButton } from "@/ui/CopyButton";

interface RecoveryCodesProps {
  codes: string[];
  onKept: () => void;
}

/** Recovery codes, to be copied or printed: they are shown once. */
export function RecoveryCodes({ codes, onKept }: RecoveryCodesProps) {
  return (
    <section aria-label="Recovery codes" className="stack">
      <p className="strong">Keep these recovery codes. They are not shown again.</p>
      <p className="dim">
        Each signs you in once if you lose your device. Keep them apart from it, for example in a
        safe.
      </p>
      <ul className="mono" aria-label="Codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="row">
        <CopyButton text={codes.join("\n")} label="Copy recovery codes" words="Copy" />
        <Button variant="default" onClick={() => window.print()}>
          Print
        </Button>
        <Button onClick={onKept}>I have kept them</Button>
      </div>
    </section>
  );
}
