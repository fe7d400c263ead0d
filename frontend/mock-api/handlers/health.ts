import { http } from "../http";

const UP = { ok: true, detail: "" };

export const healthHandlers = () => [
  http.get("/api/v1/healthz", ({ response }) => response(200).json({ status: "ok" })),
  http.get("/api/v1/readyz", ({ response }) =>
    response(200).json({
      status: "ready",
      parts: { database: UP, redis: UP, workers: UP, monitor: UP, audit: UP, clock: UP },
    }),
  ),
];
