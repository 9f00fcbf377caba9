/** Names in the cluster that fit what somebody has begun to type. */
import { CLAIMS, metadataOf, type Resource, STATEFUL_SETS } from "../../kube/index.ts";
import { EXPANSION_SOURCES } from "../../source/resource.ts";
import type { ClusterFlags, Connection } from "../cluster/connect.ts";
import { readCustom, resourceOf, sizesOf } from "../custom/read-custom.ts";
import { parseTarget } from "../plan/target.ts";
import { WITH_TARGET } from "./scripts.ts";
import type { Flag } from "./words.ts";

/** What stands on the command line: the words that are no flags, the last one unfinished, and where the cluster is. */
export interface Typed {
  readonly words: readonly string[];
  readonly flags: ClusterFlags;
}

const CLUSTER_FLAGS: ReadonlyMap<string, keyof ClusterFlags> = new Map([
  ["--kubeconfig", "kubeconfig"],
  ["--context", "context"],
  ["--namespace", "namespace"],
]);

/** Reads the words after the verb as far as they go: a flag whose value is still being typed leaves nothing to complete. */
export function readTyped(line: readonly string[], known: readonly Flag[]): Typed {
  const words: string[] = [];
  const flags: { -readonly [name in keyof ClusterFlags]: string } = {};
  for (let at = 0; at < line.length; at++) {
    const word = line[at] ?? "";
    if (!word.startsWith("-") || word === "-") {
      words.push(word);
      continue;
    }
    const [name = "", inline] = word.split("=", 2);
    const flag = known.find(({ long, short }) => long === name || short === name);
    const value = inline ?? (flag?.takesValue === true ? line[++at] : undefined);
    const setting = CLUSTER_FLAGS.get(flag?.long ?? "");
    if (setting !== undefined && value !== undefined) flags[setting] = value;
    if (at >= line.length - 1) words.push("-");
  }
  return { words, flags };
}

/** `sts/db`, `pvc/data-db-0` and `mysqlcluster/shop` for a target, `data=` for one of the sizes that a set or a resource has. */
export async function candidates(
  { client, namespace }: Connection,
  verb: string,
  words: readonly string[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const [target = "", ...sizes] = words;
  if (sizes.length === 0) return targets();
  const takesSizes = WITH_TARGET.slice(0, 2).includes(verb);
  return takesSizes ? templates() : [];

  async function targets(): Promise<readonly string[]> {
    const kinds = [
      { word: "sts", resource: STATEFUL_SETS },
      { word: "pvc", resource: CLAIMS },
      ...(await customKinds()),
    ].filter(({ word }) => `${word}/`.startsWith(target) || target.startsWith(`${word}/`));
    const lists = await Promise.all(
      kinds.map(async ({ word, resource }) => {
        const found = await client.listAll(metadataOf(resource), { namespace }, signal);
        return found.map(({ metadata }) => `${word}/${metadata.name}`);
      }),
    );
    return lists.flat().filter((name) => name.startsWith(target));
  }

  /** Whoever may not see sources has the others all the same. */
  async function customKinds(): Promise<readonly { word: string; resource: Resource }[]> {
    const sources = await client.listAll(EXPANSION_SOURCES, {}, signal).catch(() => []);
    const kinds = sources.map((source) => resourceOf([source]));
    return kinds.map((resource) => ({ word: resource.kind.toLowerCase(), resource }));
  }

  async function templates(): Promise<readonly string[]> {
    const given = new Set(sizes.slice(0, -1).map((size) => size.split("=")[0]));
    return (await sizeNames())
      .filter((name) => !given.has(name) && `${name}=`.startsWith(sizes.at(-1) ?? ""))
      .map((name) => `${name}=`);
  }

  async function sizeNames(): Promise<readonly string[]> {
    const parsed = parseTarget(target);
    switch (parsed.kind) {
      case "PersistentVolumeClaim":
        return [];
      case "StatefulSet": {
        const { spec } = await client.get(STATEFUL_SETS, { namespace, name: parsed.name }, {}, signal);
        return (spec.volumeClaimTemplates ?? []).map(({ metadata }) => metadata.name);
      }
      case "Custom":
        return sizesOf(await readCustom({ client, namespace }, parsed)).map(({ name }) => name);
    }
  }
}
