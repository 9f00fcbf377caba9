/** A story: requests in order, played on a server in a namespace of its own. What came back is what is compared. */
import { normal } from "./normal.ts";
import type { Answer, Request, Server } from "./server.ts";

export interface Story {
  readonly name: string;
  readonly play: (stage: Stage) => Promise<void>;
}

export interface Stage {
  /** The story's namespace; it is there. */
  readonly ns: string;
  readonly server: Server;
  /** Sends and notes the answer under this title. */
  readonly tell: (title: string, request: Request) => Promise<Answer>;
  /** Sends without noting: what the story needs and is not about. */
  readonly quietly: (request: Request) => Promise<Answer>;
  /** Notes something else, for example the events of a watch. */
  readonly note: (title: string, value: unknown) => void;
}

export interface Told {
  readonly title: string;
  readonly value: unknown;
}

export function story(name: string, play: Story["play"]): Story {
  return { name, play };
}

export async function playOn(server: Server, { name, play }: Story): Promise<readonly Told[]> {
  const told: Told[] = [];
  const ns = `story-${name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 40)
    .replace(/-$/, "")}`;
  await server.send({ method: "POST", path: "/api/v1/namespaces", body: { metadata: { name: ns } } });
  const accounts = `/api/v1/namespaces/${ns}/serviceaccounts`;
  await server.send({ method: "POST", path: accounts, body: { metadata: { name: "default" } } });
  await play({
    ns,
    server,
    quietly: (request) => server.send(request),
    note: (title, value) => told.push({ title, value: normal(value) }),
    async tell(title, request) {
      const answer = await server.send(request);
      told.push({ title, value: normal(answer) });
      return answer;
    },
  });
  return told;
}
