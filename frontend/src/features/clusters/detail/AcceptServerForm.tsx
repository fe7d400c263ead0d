import { Textarea, TextInput } from "@mantine/core";
import { useAcceptServer } from "@/api/resources/clusters";
import type { AcceptableServer, Cluster } from "@/api/types";
import { ChangeForm } from "@/components/ChangeForm";
import { Consequences } from "@/components/Consequences";
import { showSuccess } from "@/components/toast";
import { useChangeForm } from "@/components/use-change-form";

/** Characters of an acceptance, as the API wants them. */
const LEAST_TEXT = 20;

interface AcceptServerFormProps {
  cluster: Cluster;
  server: AcceptableServer;
  close: () => void;
}

/** Accepts in writing that plans are made with servers that were never tried. */
export function AcceptServerForm({ cluster, server, close }: AcceptServerFormProps) {
  const { name } = cluster;
  const accept = useAcceptServer(cluster.id, server);
  const change = useChangeForm({
    initialValues: { confirm: "", reason: "" },
    version: cluster.version,
    save: async ({ version, body }) => {
      const oneLine = body.reason.replaceAll(/\s+/g, " ");
      await accept.mutateAsync({ version, body: { ...body, reason: oneLine } });
      showSuccess(`Plans with ${server.name} are accepted for ${name}.`);
      close();
    },
  });
  const { confirm, reason } = change.form.getValues();
  const unnamed = confirm === name ? null : `Type the cluster's name: ${name}.`;
  const isTooShort = reason.trim().length < LEAST_TEXT;
  return (
    <ChangeForm
      change={change}
      action="accept plans"
      submitLabel="Accept plans"
      missing={isTooShort ? `Write at least ${LEAST_TEXT} characters.` : unnamed}
      reasonField={
        <Textarea
          label="What you accept, and on which grounds"
          description={`Recorded in the audit log, and quoted by every plan of ${name}`}
          autosize
          minRows={3}
          maxLength={2000}
          {...change.form.getInputProps("reason")}
        />
      }
      isDanger
    >
      <Consequences
        title="What you accept"
        items={[
          `No statement of a plan was ever sent to ${server.name}. They follow its documentation.`,
          "A position is proven from its logs as documented. These logs were never observed.",
        ]}
      />
      <Consequences
        title="What stays"
        items={[
          "Every check holds. What cannot be proven is refused.",
          "Nothing is started automatically.",
          "Another release series, or another cluster, needs an acceptance of its own.",
        ]}
      />
      <TextInput
        label={`Type the cluster's name, ${name}`}
        autoComplete="off"
        spellCheck={false}
        {...change.form.getInputProps("confirm")}
      />
    </ChangeForm>
  );
}
