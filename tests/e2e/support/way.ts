/** A way to the console that can stop responding: connections stay open, and not one more byte passes. */

import type { AddressInfo } from "node:net";
import { connect, createServer, type Server, type Socket } from "node:net";

const HOST = "127.0.0.1";

export class Way {
  private readonly server: Server;
  private readonly open = new Set<Socket>();
  private mood: "passes" | "silent" | "refuses" = "passes";

  private constructor(private readonly port: number) {
    this.server = createServer((client) => this.lead(client));
  }

  /** Open a way to a port of this machine. */
  static async to(port: number): Promise<Way> {
    const way = new Way(port);
    await new Promise<void>((done) => way.server.listen(0, HOST, done));
    return way;
  }

  get url(): string {
    return `http://${HOST}:${(this.server.address() as AddressInfo).port}`;
  }

  private keep(socket: Socket): void {
    this.open.add(socket);
    socket.on("close", () => this.open.delete(socket));
    socket.on("error", () => socket.destroy());
  }

  private lead(client: Socket): void {
    if (this.mood === "refuses") {
      client.resetAndDestroy();
      return;
    }
    this.keep(client);
    if (this.mood === "silent") return;
    const server = connect(this.port, HOST);
    this.keep(server);
    client.pipe(server).pipe(client);
    client.on("close", () => server.destroy());
    server.on("close", () => client.destroy());
  }

  /** Present connections say nothing any more, ever; new ones are accepted, and left without an answer. */
  fallSilent(): void {
    this.mood = "silent";
    for (const socket of this.open) socket.unpipe().pause();
  }

  /** Present connections are reset, new ones as well. */
  cut(): void {
    this.mood = "refuses";
    this.end();
  }

  /** New connections pass again; what stopped responding stays so, as behind a router that forgot it. */
  heal(): void {
    this.mood = "passes";
  }

  /** How many ends of connections stand. */
  get standing(): number {
    return this.open.size;
  }

  private end(): void {
    for (const socket of this.open) socket.resetAndDestroy();
  }

  async close(): Promise<void> {
    this.end();
    await new Promise((done) => this.server.close(done));
  }
}
