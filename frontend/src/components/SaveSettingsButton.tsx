import { DisabledReasonButton } from "./DisabledReasonButton";

interface SaveSettingsButtonProps {
  /** Whether the user's role can change these settings. */
  canConfigure: boolean;
  isDirty: boolean;
  isPending: boolean;
  label: string;
  /** What only administrators can change, as an object: "the schedule". */
  settings: string;
}

/** The end of a form of settings: the button that saves them, or who can. */
export function SaveSettingsButton(props: SaveSettingsButtonProps) {
  if (!props.canConfigure)
    return <p className="faint">Only administrators can change {props.settings}.</p>;
  return (
    <div className="row end">
      <DisabledReasonButton
        type="submit"
        variant="default"
        disabledReason={props.isDirty ? null : "No setting was changed."}
        loading={props.isPending}
      >
        {props.label}
      </DisabledReasonButton>
    </div>
  );
}
