/**
 * Objects that are fine but for one field, sent to our server and to Kubernetes' own: what each says. What differs is in
 * differences.json, with a reason each; a difference that is not there, or one there that is none any more, fails.
 */
import { afterAll, beforeAll, test } from "vitest";
import type { JsonObject } from "../../../src/cluster/api/json.ts";
import { BUILT_IN } from "../../../src/cluster/api/kinds/built-in.ts";
import { groupVersionOf } from "../../../src/cluster/api/kinds/kind.ts";
import { kindType } from "../../../src/cluster/api/schema/schema.ts";
import { type Answer, type Request, type Server, startOurs, startTheirs } from "../api/server.ts";
import { expectKnown, readDifferences } from "../known-differences.ts";
import { differencesOf } from "./answers.ts";
import { RICH } from "./index.ts";
import { type Mistake, mistakesIn } from "./mistakes.ts";
import type { Rich } from "./rich.ts";

const KNOWN = readDifferences(import.meta.dirname);
/** Of each object, so that the whole is done in two minutes: of more, every second or third is taken. */
const MOST = 150;
const AT_ONCE = 8;

let ours: Server;
let theirs: Server;
beforeAll(async () => {
  [ours, theirs] = await Promise.all([startOurs(), startTheirs()]);
});
afterAll(async () => {
  await ours?.stop();
  await theirs?.stop();
});

const named = RICH.map((rich) => ({ ...rich, title: [rich.kind, rich.called].filter(Boolean).join(" ") }));

test.each(named)("$apiVersion $title", async (rich) => {
  const stage = await setUp(rich);
  const found = [...(await created(stage)), ...(await updated(stage)), ...(await statuses(stage))];
  expectKnown(KNOWN, rich.title, found);
});

interface Stage {
  readonly rich: Rich;
  readonly path: string;
  readonly object: JsonObject;
}

async function setUp(rich: Rich): Promise<Stage> {
  const { apiVersion, kind: name } = rich;
  const kind = BUILT_IN.find((each) => each.kind === name && groupVersionOf(each) === apiVersion);
  if (kind === undefined) throw new Error(`no kind ${name}`);
  // One for each kind: limits and quotas would have a say in what comes after them.
  const namespace = `of-${apiVersion.replaceAll(/[./]/g, "-")}-${name.toLowerCase()}`;
  await onBoth({ method: "POST", path: "/api/v1/namespaces", body: { metadata: { name: namespace } } });
  const accounts = `/api/v1/namespaces/${namespace}/serviceaccounts`;
  await onBoth({ method: "POST", path: accounts, body: { metadata: { name: "default" } } });
  const root = kind.group === "" ? "/api/v1" : `/apis/${apiVersion}`;
  return {
    rich,
    path: `${root}${kind.namespaced ? `/namespaces/${namespace}` : ""}/${kind.plural}`,
    object: JSON.parse(JSON.stringify(rich.object).replaceAll("NAMESPACE", namespace)) as JsonObject,
  };
}

function onBoth(request: Request): Promise<[Answer, Answer]> {
  return Promise.all([ours.send(request), theirs.send(request)]);
}

function called({ rich, object }: Stage, name: string): JsonObject {
  const { apiVersion, kind } = rich;
  return { apiVersion, kind, ...object, metadata: { ...(object["metadata"] as JsonObject | undefined), name } };
}

async function created(stage: Stage): Promise<string[]> {
  const path = `${stage.path}?dryRun=All`;
  const mistakes = mistakesOf(stage, called(stage, "new"));
  return inTurn(mistakes, async ({ name, object }) => {
    const [mine, real] = await onBoth({ method: "POST", path, body: object });
    return differencesOf(mine, real).map((text) => `create ${name}: ${text}`);
  });
}

async function updated(stage: Stage): Promise<string[]> {
  const { mine, real, path } = await stored(stage);
  const theirMistakes = new Map(mistakesIn(real, typeOf(stage)).map((mistake) => [mistake.name, mistake]));
  return inTurn(mistakesOf(stage, mine), async ({ name, object }) => {
    const other = theirMistakes.get(name);
    if (other === undefined) return [];
    const put = { method: "PUT", path: `${path}?dryRun=All` } as const;
    const answers = await Promise.all([
      ours.send({ ...put, body: object }),
      theirs.send({ ...put, body: other.object }),
    ]);
    return differencesOf(...answers).map((text) => `update ${name}: ${text}`);
  });
}

async function statuses(stage: Stage): Promise<string[]> {
  const { status } = stage.rich;
  if (status === undefined) return [];
  const { mine, real, path } = await stored(stage);
  const mistakes = mistakesIn({ status }, typeOf(stage)).filter(({ name }) => name.startsWith("status"));
  return inTurn(some(mistakes), async ({ name, object }) => {
    const put = { method: "PUT", path: `${path}/status?dryRun=All` } as const;
    const answers = await Promise.all([
      ours.send({ ...put, body: { ...mine, ...object } }),
      theirs.send({ ...put, body: { ...real, ...object } }),
    ]);
    return differencesOf(...answers).map((text) => `${name}: ${text}`);
  });
}

/** The object as each server keeps it. */
async function stored(stage: Stage): Promise<{ mine: JsonObject; real: JsonObject; path: string }> {
  const name = `kept-${(stage.rich.called ?? "x").toLowerCase()}`;
  const path = `${stage.path}/${name}`;
  await onBoth({ method: "POST", path: stage.path, body: called(stage, name) });
  const [mine, real] = await onBoth({ path });
  if (mine.status !== 200 || real.status !== 200) throw new Error(`${stage.rich.kind} cannot be made`);
  return { mine: mine.body as JsonObject, real: real.body as JsonObject, path };
}

function typeOf({ rich: { apiVersion, kind } }: Stage): NonNullable<ReturnType<typeof kindType>> {
  const type = kindType(apiVersion, kind);
  if (type === undefined) throw new Error(`no type of ${kind}`);
  return type;
}

/** Metadata and status are other stories. */
function mistakesOf(stage: Stage, object: JsonObject): readonly Mistake[] {
  return some(mistakesIn(object, typeOf(stage)).filter(({ name }) => !/^(metadata|status)/.test(name)));
}

function some<T>(list: readonly T[]): readonly T[] {
  const step = Math.ceil(list.length / MOST);
  return list.filter((_, index) => index % step === 0);
}

async function inTurn<T>(list: readonly T[], act: (each: T) => Promise<string[]>): Promise<string[]> {
  const found: string[] = [];
  for (let at = 0; at < list.length; at += AT_ONCE) {
    found.push(...(await Promise.all(list.slice(at, at + AT_ONCE).map(act))).flat());
  }
  return found;
}
