import { NativeSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { calibrationsQuery, useCalibrate } from "@/api/resources/calibration";
import type { Calibration, Cluster } from "@/api/types";
import { ChangeDialog } from "@/components/ChangeDialog";
import { QueryBoundary } from "@/components/QueryBoundary";
import { Timestamp } from "@/components/Timestamp";
import { useRefusal } from "@/components/use-refusal";
import { WriteMeasurementForm } from "@/components/WriteMeasurementForm";
import { formatNumber } from "@/lib/format/number";
import { Callout } from "@/ui/Callout";
import { column, nameColumn } from "@/ui/DataTable";
import { DescriptionList } from "@/ui/DescriptionList";
import { Panel } from "@/ui/Panel";
import { FigureTable, figure } from "../FigureTable";
import {
  apartText,
  type CalibrationStep,
  commitText,
  modelText,
  rateText,
} from "./calibration-figures";
import { latencyText, rangeText } from "./running-figures";

const COLUMNS = [
  nameColumn<CalibrationStep>("Writers", ({ writers }) => writers),
  column("A commit took", commitText),
  figure("Measured", rateText),
  figure("Model", modelText),
  column("Apart", apartText),
];

const settingsText = ({ settings: { seconds, rows, row_bytes } }: Calibration) =>
  `up to ${formatNumber(rows)} rows of ${formatNumber(row_bytes)} bytes each, ${seconds} s in all`;

function Result({ found }: { found: Calibration }) {
  const steps = found.result?.steps ?? [];
  return (
    <>
      {found.sentence !== "" && (
        <Callout tone="warn" title={`It ${found.state}.`} description={found.sentence} />
      )}
      <DescriptionList
        items={[
          [
            "Measured",
            <>
              on {found.node}, <Timestamp at={found.started_at} />, by {found.actor}
            </>,
          ],
          ["Settings", settingsText(found)],
          [
            "Deliveries of the node",
            found.result &&
              (latencyText(found.result) ?? `unknown. ${found.result.latency_reason}`),
          ],
          [
            "Console to the node",
            found.result &&
              `${rangeText(found.result.console_ms)} ms, which the model's rates include`,
          ],
        ]}
      />
      {steps.length > 0 && (
        <FigureTable
          caption="Measured beside the model"
          columns={COLUMNS}
          rows={steps}
          empty="Nothing was measured."
          reasons={steps.map(({ reason }) => reason)}
        />
      )}
    </>
  );
}

function Form({ cluster, close }: { cluster: Cluster; close: () => void }) {
  const [node, setNode] = useState(cluster.nodes[0]?.id ?? "");
  const calibrate = useCalibrate(cluster.id);
  return (
    <WriteMeasurementForm
      noun="cluster"
      name={cluster.name}
      action="calibrate the cluster"
      submitLabel="Write and measure"
      save={async (confirmed) => {
        await calibrate.mutateAsync({ ...confirmed, node });
        close();
      }}
    >
      <p className="dim">
        1, then 4, then 16 writers commit single rows to <code>hawser.calibration</code>: at most
        600 rows of 100 bytes in 6 seconds, removed afterwards. It stops automatically when a link
        of the cluster is no longer protected, a run is unfinished, a commit takes over 2 seconds or
        flow control pauses the node.
      </p>
      <NativeSelect
        label="Node that writes"
        data={cluster.nodes.map(({ id, name }) => ({ value: id, label: name }))}
        value={node}
        onChange={(event) => setNode(event.currentTarget.value)}
      />
    </WriteMeasurementForm>
  );
}

/** What writers reach on this cluster, measured on request, beside the model. */
export function CalibrationPanel({ cluster }: { cluster: Cluster }) {
  const query = useQuery(calibrationsQuery(cluster.id));
  return (
    <Panel title={`Calibration of ${cluster.name}`}>
      <div className="stack">
        <p className="dim">
          The model was measured in a lab. A calibration writes to the console&apos;s own schema for
          a few seconds and shows how far this cluster is from the model.
        </p>
        <QueryBoundary<{ results: Calibration[] }> query={query} label="the calibrations">
          {({ results: [newest] }) =>
            newest ? <Result found={newest} /> : <p>This cluster was never calibrated.</p>
          }
        </QueryBoundary>
        <div>
          <ChangeDialog
            label="Calibrate"
            title={`Calibrate ${cluster.name}`}
            disabledReason={useRefusal("run")}
          >
            {(close) => <Form cluster={cluster} close={close} />}
          </ChangeDialog>
        </div>
      </div>
    </Panel>
  );
}
