import { CopyButton } from "@/ui/CopyButton";
import { Panel } from "@/ui/Panel";
import css from "../Registrations.module.css";

/** The same registration as a file, for who keeps it under version control. */
export const DeclarationPanel = ({ text }: { text: string }) => (
  <Panel title="As a file" aside="for hawser_apply; passwords by reference">
    <details>
      <summary>Show the file</summary>
      <div className="row end">
        <CopyButton text={text} label="Copy the file" words="Copy" quiet />
      </div>
      <pre className={css.file}>{text}</pre>
    </details>
  </Panel>
);
