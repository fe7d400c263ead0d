/** `npx vite --config frontend/mock-api/vite.config.ts`: the console on an API from memory, for looking at pages. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { getResponse, type RequestHandler } from "msw";
import { type Connect, defineConfig, type Plugin } from "vite";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** What the mock's modules offer; they are loaded through Vite, which knows the aliases in them. */
interface MockModule {
  newDatabase: () => object;
  handlersFor: (database: object) => RequestHandler[];
}

/** A stream that stays open and says nothing but its heartbeat. */
function holdStream(response: ServerResponse): void {
  response.writeHead(200, { "Content-Type": "text/event-stream" });
  response.write(": hello\n\n");
  const timer = setInterval(() => response.write(": beat\n\n"), 10_000);
  response.on("close", () => clearInterval(timer));
}

function mockApi(): Plugin {
  return {
    name: "hawser-mock-api",
    async configureServer(server) {
      const load = (name: string) => server.ssrLoadModule(`/mock-api/${name}.ts`);
      const { handlersFor, newDatabase } = {
        ...(await load("handlers/console")),
        ...(await load("db")),
      } as MockModule;
      let database = newDatabase();
      const answerTo = async (request: Connect.IncomingMessage, response: ServerResponse) => {
        if (request.url?.startsWith("/mock/reset")) database = newDatabase();
        const method = request.method ?? "GET";
        const body = method === "GET" ? null : await bodyOf(request);
        const asked = new Request(`http://mock${request.originalUrl}`, {
          method,
          ...(body?.length ? { body: new Uint8Array(body) } : {}),
        });
        const answer = await getResponse(handlersFor(database), asked);
        response.statusCode = answer?.status ?? 404;
        answer?.headers.forEach((value, name) => {
          response.setHeader(name, value);
        });
        response.end(answer ? await answer.text() : "");
      };
      server.middlewares.use("/api/v1", (request, response) => {
        if (request.url?.startsWith("/events")) holdStream(response);
        else void answerTo(request, response);
      });
    },
  };
}

export default defineConfig({
  root: here(".."),
  cacheDir: here("../../node_modules/.vite-mock"),
  plugins: [react(), mockApi()],
  resolve: { alias: { "@": here("../src"), "@mock": here(".") } },
  server: { host: "127.0.0.1", port: 5199, strictPort: true },
});
