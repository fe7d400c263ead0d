import { Button } from "@mantine/core";
import { useUpdateRegistration } from "@/api/resources/registrations";
import type { Registration, RegistrationSide } from "@/api/types";
import { CertificateList } from "@/components/CertificateList";
import {
  ClientCertificateFields,
  noClientCertificate,
  typedTexts,
} from "@/components/ClientCertificateFields";
import { ProblemAlert } from "@/components/ProblemAlert";
import { useServerForm } from "@/components/use-server-form";
import { Panel } from "@/ui/Panel";

interface ClientCertificatePanelProps {
  draft: Registration;
  side: RegistrationSide;
}

/** The certificate that Hawser shows to the servers of a cluster: what is stored, its end, and another one. */
export function ClientCertificatePanel({ draft, side }: ClientCertificatePanelProps) {
  const { tls } = draft[side];
  const update = useUpdateRegistration(draft.id);
  const { form, submit, attempt, problem } = useServerForm(
    { initialValues: { tls: noClientCertificate() } },
    `${side}.`,
  );
  const store = (texts: Partial<ReturnType<typeof noClientCertificate>>) =>
    update.mutateAsync({ [side]: { tls: texts } });
  const onSubmit = submit(async (values) => {
    await store(typedTexts(values.tls));
    form.reset();
  });
  const where = tls.key_reference ? `its key is in ${tls.key_reference}` : "its key is sealed";
  return (
    <Panel title="Client certificate" aside={tls.cert ? `Stored; ${where}.` : "None is stored."}>
      <form className="stack" onSubmit={onSubmit}>
        {problem !== null && <ProblemAlert error={problem} action="store the client certificate" />}
        <CertificateList
          certificates={tls.certificates.map(({ kind, subject, ends_at: endsAt }) => ({
            kind,
            name: subject,
            endsAt,
          }))}
        />
        <ClientCertificateFields
          inputProps={form.getInputProps}
          description={
            tls.cert
              ? "Another certificate replaces the stored one, with its key."
              : "Only for servers whose accounts have REQUIRE X509."
          }
        />
        <div className="row end">
          {tls.cert && (
            <Button
              variant="default"
              onClick={() => void attempt(form.getValues(), () => store({ cert: "" }))}
            >
              Remove client certificate
            </Button>
          )}
          <Button type="submit" loading={update.isPending} disabled={!form.isDirty()}>
            Store client certificate
          </Button>
        </div>
      </form>
    </Panel>
  );
}
