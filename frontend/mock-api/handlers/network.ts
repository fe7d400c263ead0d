import { http, problem } from "../http";
import { network, pasted, sqlNodes, unmeasured } from "../seeds/network";

export const networkHandlers = () => [
  http.get("/api/v1/links/{link_id}/network", ({ params, response }) =>
    response(200).json(params.link_id === "l_payments" ? network() : unmeasured()),
  ),
  http.get("/api/v1/links/{link_id}/network/sql", ({ response }) => response(200).json(sqlNodes())),
  http.post("/api/v1/links/{link_id}/network/tokens", async ({ request, response }) =>
    response(201).json({
      ...(await request.json()),
      id: "k_1",
      token: "hawser_probe_Jq3vW8xLr2TnY6bK",
      expires_at: new Date(Date.now() + 3_600_000).toISOString(),
    }),
  ),
  http.post("/api/v1/links/{link_id}/network/measurements", async ({ request, response }) => {
    const { output } = await request.json();
    if (output.trimEnd().endsWith("}")) return response(201).json(pasted());
    const message =
      "The path MTU is missing. Nothing was stored. Run hawser-network-probe again and paste its whole output.";
    const errors = [{ field: "output.path_mtu_bytes", message }];
    return response.untyped(
      problem(400, "validation_failed", "Invalid request", message, { errors }),
    );
  }),
];
