/** A session at the terminal: kubectl commands in order, played on a server in a namespace and a folder of their own. */
import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { stringify } from "yaml";
import { type Definition, untilServed } from "../custom-kinds.ts";
import { waitFor } from "../wait.ts";
import { normalText } from "./normal-text.ts";
import { type Ended, run, start } from "./run.ts";
import { type Home, program, type Server } from "./server.ts";
import { words } from "./words.ts";

export interface Session {
  readonly name: string;
  /** Files of the folder that it is in: objects as YAML, text as it is, and runnable when it begins with `#!`. */
  readonly files?: Readonly<Record<string, object | string>>;
  readonly steps: readonly Step[];
}

/** A command without its `kubectl`, or one with more to it. */
export type Step = string | Command | Watch | Request | Served | typeof NEXT_SECOND;

/** Waits until the clock shows another second: owners of fields are shown in the order of their seconds, and then of their names. */
export const NEXT_SECOND = { passes: "a second" } as const;

export interface Command {
  readonly run: string;
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** A command that stays: once its watch is open the others are run, and it is interrupted when it has said all of `until`. */
export interface Watch {
  readonly watch: string;
  readonly meanwhile: readonly string[];
  readonly until: RegExp;
}

/** Something that no kubectl command does, and that is not what the session is about. */
export interface Request {
  readonly setting: string;
  readonly body: object;
}

/** Waits until a kind is served and told of everywhere, which is a moment after its definition says that it is established. */
export interface Served {
  readonly served: Definition;
}

export interface Told {
  readonly command: string;
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** What each step said, with what can be different on no two servers taken out. */
export async function playOn(server: Server, { name, files = {}, steps }: Session): Promise<readonly Told[]> {
  const namespace = name.replaceAll(/[^a-z0-9]+/g, "-");
  await server.api.create("/api/v1/namespaces", { metadata: { name: namespace } });
  await server.api.create(`/api/v1/namespaces/${namespace}/serviceaccounts`, { metadata: { name: "default" } });
  const home = await server.home(namespace, namespace);
  for (const [file, content] of Object.entries(files)) await writeOut(join(home.folder, file), content);

  const told: Told[] = [];
  const note = (command: string, { code, stdout, stderr }: Ended) => {
    const clean = (text: string) => normalText(text, [server.url.replace("https://", ""), home.folder]);
    told.push({ command, code, stdout: clean(stdout), stderr: clean(stderr) });
  };
  for (const step of steps) {
    if (typeof step === "string") note(step, await kubectl(home, { run: step }));
    else if ("run" in step) note(step.run, await kubectl(home, step));
    else if ("watch" in step) note(step.watch, await watch(home, step));
    else if ("passes" in step) await untilNextSecond();
    else if ("served" in step) await untilKnown(server, step.served);
    else await server.api.create(step.setting.replace("NAMESPACE", namespace), step.body);
  }
  return told;
}

async function untilKnown({ api }: Server, definition: Definition): Promise<void> {
  await untilServed(api, definition);
  const { group, versions } = definition.spec;
  const document = `apis/${group}/${versions[0]?.name}`;
  await waitFor(`a document of ${group}`, async () => {
    const { paths } = await api.get<{ paths: Readonly<Record<string, unknown>> }>("/openapi/v3");
    return document in paths;
  });
}

async function untilNextSecond(): Promise<void> {
  const second = (): number => Math.floor(Date.now() / 1000);
  const now = second();
  await waitFor("the next second", () => second() > now);
}

async function writeOut(file: string, content: object | string): Promise<void> {
  if (typeof content === "string") {
    await writeFile(file, content);
    if (content.startsWith("#!")) await chmod(file, 0o755);
  } else {
    const objects: readonly unknown[] = Array.isArray(content) ? content : [content];
    await writeFile(file, objects.map((each) => stringify(each)).join("---\n"));
  }
}

function kubectl(home: Home, { run: line, input, env = {} }: Command): Promise<Ended> {
  return run(program("kubectl"), words(line), {
    cwd: home.folder,
    env: { KUBECONFIG: home.kubeconfig, ...env },
    ...(input === undefined ? {} : { input }),
  });
}

async function watch(home: Home, { watch: line, meanwhile, until }: Watch): Promise<Ended> {
  // At this verbosity it tells of each answer as soon as its head is there: the watch is open then.
  const running = start(program("kubectl"), [...words(line), "-v=6"], {
    cwd: home.folder,
    env: { KUBECONFIG: home.kubeconfig },
  });
  try {
    await running.says("that its watch is open", ({ stderr }) => /watch=true.*200 OK/.test(stderr));
    for (const other of meanwhile) {
      const { code, stderr } = await kubectl(home, { run: other });
      if (code !== 0) throw new Error(`kubectl ${other}: ${stderr}`);
    }
    await running.says(String(until), ({ stdout }) => until.test(stdout));
  } finally {
    await running.kill("SIGINT");
  }
  return { code: 0, stdout: running.stdout, stderr: "" };
}
