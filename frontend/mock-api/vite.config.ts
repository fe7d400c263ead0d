/**
 * `npx vite --config frontend/mock-api/vite.config.ts`: the console on an API from memory, for looking at pages.
 * `vite build` and `vite preview` with this file: the same from a production build, for the tests in tests/ui.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { type Connect, defineConfig, type Plugin, runnerImport } from "vite";
import { codeSplitting } from "../code-splitting.ts";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const alias = { "@": here("../src"), "@mock": here(".") };

type Mock = (request: Request) => Promise<Response>;

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** The headers that the mock API reads. */
function headersOf({ headers }: IncomingMessage): Headers {
  const passed = new Headers({ Cookie: headers.cookie ?? "", Accept: headers.accept ?? "*/*" });
  const version = headers["if-match"];
  if (version) passed.set("If-Match", version);
  return passed;
}

/** A stream that stays open and says nothing but its heartbeat. */
function holdStream(response: ServerResponse): void {
  response.writeHead(200, { "Content-Type": "text/event-stream" });
  response.write(": hello\n\n");
  const timer = setInterval(() => response.write(": beat\n\n"), 10_000);
  response.on("close", () => clearInterval(timer));
}

async function pass(mock: Mock, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const method = request.method ?? "GET";
  const body = method === "GET" ? null : await bodyOf(request);
  const asked = new Request(`http://mock${request.url}`, {
    method,
    headers: headersOf(request),
    ...(body?.length ? { body: new Uint8Array(body) } : {}),
  });
  const answer = await mock(asked);
  response.statusCode = answer.status;
  answer.headers.forEach((value, name) => {
    response.setHeader(name, value);
  });
  response.end(await answer.text());
}

async function serve(middlewares: Connect.Server): Promise<void> {
  const { module } = await runnerImport<{ createMock: () => Mock }>(here("server.ts"), {
    configFile: false,
    resolve: { alias },
  });
  const mock = module.createMock();
  middlewares.use((request, response, next) => {
    if (!/^\/(api\/v1|mock)\//.test(request.url ?? "")) next();
    else if (/\/events(\?|$)/.test(request.url ?? "")) holdStream(response);
    else void pass(mock, request, response);
  });
}

const mockApi: Plugin = {
  name: "hawser-mock-api",
  configureServer: ({ middlewares }) => serve(middlewares),
  configurePreviewServer: ({ middlewares }) => serve(middlewares),
};

export default defineConfig({
  root: here(".."),
  cacheDir: here("../../node_modules/.vite-mock"),
  plugins: [react(), mockApi],
  resolve: { alias },
  build: {
    outDir: here("../../node_modules/.mock-console"),
    emptyOutDir: true,
    target: "es2022",
    rolldownOptions: codeSplitting,
  },
  server: { host: "127.0.0.1", port: 5199, strictPort: true },
  preview: { host: "127.0.0.1", port: 5199, strictPort: true },
});
