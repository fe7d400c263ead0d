import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { certificateQuery } from "@/api/resources/reports";
import { ReportLayout } from "./ReportLayout";

/** The certificate of a rehearsal. */
export function CertificatePage() {
  const { rehearsalId } = useParams({ from: "/shell/rehearsals/$rehearsalId/certificate" });
  const query = useQuery(certificateQuery(rehearsalId));
  return (
    <ReportLayout
      query={query}
      heading="Rehearsal certificate"
      path={`/rehearsals/${rehearsalId}/certificate`}
    />
  );
}
