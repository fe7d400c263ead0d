import { Timestamp } from "@/components/Timestamp";

const KINDS = { authority: "Authority", client: "Client certificate", server: "Node" };

interface CertificateListProps {
  certificates: readonly { kind: keyof typeof KINDS; name: string; endsAt: string }[];
}

/** Until when each certificate is valid. */
export function CertificateList({ certificates }: CertificateListProps) {
  return (
    <ul className="stack" style={{ listStyle: "none", margin: 0, padding: 0 }}>
      {certificates.map(({ kind, name, endsAt }) => (
        <li key={`${kind} ${name} ${endsAt}`} style={{ overflowWrap: "anywhere" }}>
          {KINDS[kind]} {name}
          <br />
          <span className="dim">
            until <Timestamp at={endsAt} />
          </span>
        </li>
      ))}
    </ul>
  );
}
