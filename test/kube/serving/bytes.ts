/** Two servers are told the same bytes. */
import { once } from "node:events";
import { connect } from "node:tls";

export interface Server {
  readonly url: string;
  readonly ca: string;
  readonly token: string;
}

/** What a server made of it: the status of its last answer, or `closed` for none; and whether that was a Status object. */
export interface Outcome {
  readonly code: number | "closed";
  readonly status: boolean;
}

/** Says this, with the server's address for `HOST` and the right to be there for `TOKEN`, and reads until the server closes. */
export async function tell(server: Server, text: string): Promise<Outcome> {
  const { hostname, port, host } = new URL(server.url);
  const socket = connect({ host: hostname, port: Number(port), ca: server.ca });
  const chunks: Buffer[] = [];
  socket.on("error", () => {}).on("data", (chunk: Buffer) => chunks.push(chunk));
  await once(socket, "secureConnect");
  socket.write(text.replaceAll("HOST", host).replaceAll("TOKEN", `Authorization: Bearer ${server.token}`));
  await once(socket, "close");
  const answer = Buffer.concat(chunks).toString();
  const codes = [...answer.matchAll(/^HTTP\/1\.[01] (\d{3})/gm)].map(([, code]) => Number(code));
  return { code: codes.at(-1) ?? "closed", status: answer.includes('"kind":"Status"') };
}
