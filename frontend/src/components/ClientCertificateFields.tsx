import { Textarea, TextInput } from "@mantine/core";

type InputProps = (path: string) => object;

/** A client certificate as it is typed. */
export interface ClientCertificateValues {
  cert: string;
  private_key: string;
  key_reference: string;
}

export const noClientCertificate = (): ClientCertificateValues => ({
  cert: "",
  private_key: "",
  key_reference: "",
});

/** What was typed of these texts; a field that is left empty is not sent. */
export function typedTexts<T extends object>(texts: T): Partial<T> {
  const typed = Object.entries(texts).filter(([, text]) => String(text).trim());
  return Object.fromEntries(typed) as Partial<T>;
}

interface ClientCertificateFieldsProps {
  /** Of the form, whose fields are below `tls`. */
  inputProps: InputProps;
  description: string;
}

/** The client certificate, and its private key or where that is. A stored key is never shown. */
export function ClientCertificateFields(props: ClientCertificateFieldsProps) {
  const { inputProps, description } = props;
  return (
    <>
      <Textarea
        label="Client certificate (PEM)"
        description={description}
        autosize
        minRows={2}
        maxRows={6}
        classNames={{ input: "mono" }}
        {...inputProps("tls.cert")}
      />
      <Textarea
        label="Its private key (PEM)"
        description="Sealed in Hawser. Or name where it is, below."
        autosize
        minRows={2}
        maxRows={6}
        {...inputProps("tls.private_key")}
      />
      <TextInput
        label="Reference to the private key"
        placeholder="file:/run/secrets/hawser/client.key"
        autoComplete="off"
        {...inputProps("tls.key_reference")}
      />
    </>
  );
}
