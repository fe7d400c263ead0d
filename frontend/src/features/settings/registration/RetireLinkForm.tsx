import { useRetireLink } from "@/api/resources/links";
import type { LinkDetail } from "@/api/types";
import { ConfirmNameForm } from "@/components/ConfirmNameForm";
import { Consequences } from "@/components/Consequences";
import { showSuccess } from "@/components/toast";

/** Retires a link, at once or, where runs need an approval, when it is confirmed. */
export function RetireLinkForm({ link, close }: { link: LinkDetail; close: () => void }) {
  const retire = useRetireLink(link.id);
  return (
    <ConfirmNameForm
      noun="link"
      name={link.name}
      version={link.version}
      action="retire the link"
      submitLabel={`Retire ${link.name}`}
      save={async (change) => {
        const { retired_at: retiredAt } = await retire.mutateAsync(change);
        showSuccess(
          retiredAt ? `Link ${link.name} retired.` : `The request to retire ${link.name} is saved.`,
        );
        close();
      }}
    >
      <Consequences
        title="What ends"
        items={[
          "Hawser no longer observes the link. No operation can be planned for it.",
          "Automation, rehearsals and webhooks of the link are switched off.",
          "The name is free for another link.",
        ]}
      />
      <Consequences
        title="What stays"
        items={[
          "The channels stay on the servers and continue to replicate.",
          "Both clusters stay registered.",
          "History, runs and audit log stay readable.",
        ]}
      />
      {link.requires_approval && (
        <p>
          Runs on this link need an approval. Its retirement takes effect when a second
          administrator confirms it, or after a delay.
        </p>
      )}
    </ConfirmNameForm>
  );
}
