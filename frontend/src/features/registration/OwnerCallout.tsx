import { useTakeOver } from "@/api/resources/registrations";
import type { Registration } from "@/api/types";
import { ConfirmAction } from "@/components/ConfirmAction";
import { Callout } from "@/ui/Callout";

/** Whose the registration is, and the way to continue it in another one's place. */
export function OwnerCallout({ draft }: { draft: Registration }) {
  const takeOver = useTakeOver(draft.id);
  const { owner, title } = draft;
  return (
    <Callout
      tone="info"
      title={`This guided registration is ${owner}’s.`}
      description={`Only ${owner} can change it and type passwords in it.`}
      actions={
        <ConfirmAction
          label="Take over"
          title={`Take over the guided registration of ${title}`}
          confirmLabel="Take it over"
          action="take it over"
          onConfirm={() => takeOver.mutateAsync()}
        >
          {`You continue it, and ${owner} can change it no more. Its stored passwords are forgotten. The takeover is recorded, and ${owner} is told. Read every address, TLS mode and certificate before you type a password.`}
        </ConfirmAction>
      }
    />
  );
}
