/** A mail server on this machine that takes every mail and keeps its text. */
import type { AddressInfo } from "node:net";
import { createServer, type Server, type Socket } from "node:net";

const HOST = "127.0.0.1";
const LINE = "\r\n";
const DATA_END = `${LINE}.${LINE}`;

export class MailServer {
  readonly mails: string[] = [];
  private readonly server: Server;

  private constructor() {
    this.server = createServer((socket) => this.take(socket));
  }

  static async start(): Promise<MailServer> {
    const made = new MailServer();
    await new Promise<void>((done) => made.server.listen(0, HOST, done));
    return made;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Commands of SMTP, one at a time as a client without pipelining sends them. */
  private take(socket: Socket): void {
    let data: string | null = null;
    const say = (answer: string) => socket.write(answer + LINE);
    socket.on("error", () => socket.destroy());
    socket.on("data", (chunk) => {
      const text = chunk.toString("utf8");
      if (data !== null) {
        data += text;
        if (!data.endsWith(DATA_END)) return;
        this.mails.push(decoded(data));
        data = null;
        say("250 OK");
      } else if (/^DATA/i.test(text)) {
        data = "";
        say("354 go on");
      } else if (/^QUIT/i.test(text)) {
        say("221 bye");
        socket.end();
      } else say("250 OK");
    });
    say("220 test");
  }

  async close(): Promise<void> {
    await new Promise((done) => this.server.close(done));
  }
}

/** The mail's quoted-printable text in clear. */
const decoded = (mail: string): string =>
  mail
    .replaceAll(/=\r?\n/g, "")
    .replaceAll(/=([0-9A-F]{2})/g, (_all, hex: string) => String.fromCharCode(parseInt(hex, 16)));
