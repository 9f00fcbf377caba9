import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readSnapshot } from "./read-snapshot.ts";
import type { Snapshot } from "./snapshot.ts";
import { openSources } from "./sources.ts";

async function* bytes(...portions: (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const portion of portions) yield typeof portion === "string" ? new TextEncoder().encode(portion) : portion;
}

async function read(...portions: (string | Uint8Array)[]): Promise<Snapshot> {
  return readSnapshot(await openSources(["-"], bytes(...portions)));
}

/** What is there, as `Kind namespace/name`. */
function names(snapshot: Snapshot): string[] {
  return Object.entries(snapshot).flatMap(([kind, objects]) => [...objects.keys()].map((name) => `${kind} ${name}`));
}

const CLAIM = `apiVersion: v1
kind: PersistentVolumeClaim
metadata:
  name: data-db-0
  namespace: prod
spec:
  resources:
    requests:
      storage: 100Gi
`;
const CLASS =
  '{"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "metadata": {"name": "fast"}, "provisioner": "x"}';
const asItem = (text: string) => `- ${text.trimEnd().replaceAll("\n", "\n  ")}\n`;

describe("what is read", () => {
  test("YAML documents, one after the other", async () => {
    const snapshot = await read(`${CLAIM}---\n${CLAIM.replace("db-0", "db-1")}`);
    expect(names(snapshot)).toEqual(["PersistentVolumeClaim prod/data-db-0", "PersistentVolumeClaim prod/data-db-1"]);
  });

  test("a list as kubectl prints it", async () => {
    const snapshot = await read(`apiVersion: v1\nitems:\n${asItem(CLAIM)}kind: List\n`);
    expect(snapshot.PersistentVolumeClaim.get("prod/data-db-0")?.spec.resources?.requests).toEqual({
      storage: "100Gi",
    });
  });

  test("a list that somebody wrote, with comments and its items further right", async () => {
    const items = asItem(CLAIM).replaceAll(/^/gm, "  ").trimEnd();
    const snapshot = await read(`# mine\napiVersion: v1\nkind: List\nitems:\n${items}\n`);
    expect(names(snapshot)).toEqual(["PersistentVolumeClaim prod/data-db-0"]);
  });

  test("a list of the API server, whose items do not name their kind", async () => {
    const item = asItem(CLAIM.replace("apiVersion: v1\nkind: PersistentVolumeClaim\n", ""));
    const snapshot = await read(`apiVersion: v1\nitems:\n${item}kind: PersistentVolumeClaimList\n`);
    expect(names(snapshot)).toEqual(["PersistentVolumeClaim prod/data-db-0"]);
  });

  test("JSON, also lists in it and lists in lists", async () => {
    const list = `{"apiVersion": "v1", "kind": "List", "items": [${CLASS}]}`;
    expect(names(await read(list))).toEqual(["StorageClass fast"]);
    expect(names(await read(`{"apiVersion": "v1", "kind": "List", "items": [${list}]}`))).toEqual([
      "StorageClass fast",
    ]);
  });

  test("JSON in the middle of YAML", async () => {
    expect(names(await read(`${CLAIM}---\n${CLASS}\n`))).toEqual([
      "PersistentVolumeClaim prod/data-db-0",
      "StorageClass fast",
    ]);
  });

  test("kinds that no rule reads are passed over, also those that share a name with one", async () => {
    const others =
      "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\n---\napiVersion: apps.kruise.io/v1\nkind: StatefulSet\n";
    expect(names(await read(`${others}---\n${CLAIM}`))).toEqual(["PersistentVolumeClaim prod/data-db-0"]);
  });

  test("an object without a namespace is in default", async () => {
    expect(names(await read(CLAIM.replace("  namespace: prod\n", "")))).toEqual([
      "PersistentVolumeClaim default/data-db-0",
    ]);
  });

  test("Windows line ends and a byte order mark", async () => {
    const text = `\ufeff${CLAIM}---\n${CLAIM.replace("db-0", "db-1")}`.replaceAll("\n", "\r\n");
    const at = text.indexOf("\r") + 1;
    expect(names(await read(text.slice(0, at), text.slice(at)))).toHaveLength(2);
  });

  test("a character that is split between two portions", async () => {
    const all = new TextEncoder().encode(CLAIM.replace("  namespace", "  labels:\n    a: größe\n  namespace"));
    const at = all.indexOf(0xc3) + 1;
    const snapshot = await read(all.subarray(0, at), all.subarray(at));
    expect(snapshot.PersistentVolumeClaim.get("prod/data-db-0")?.metadata.labels).toEqual({ a: "größe" });
  });

  test("of a pod only what tells which volumes it uses; the fast and the full reader agree", async () => {
    const pod = `apiVersion: v1
kind: Pod
metadata:
  managedFields:
  - manager: x
  name: db-0
  namespace: prod
spec:
  containers:
  - image: db
    name: db
  nodeName: node-1
  volumes:
  - name: data
    persistentVolumeClaim:
      claimName: data-db-0
  - emptyDir: {}
    name: tmp
  - ephemeral:
      volumeClaimTemplate: {}
    name: scratch
status:
  phase: Running
  podIP: 10.0.0.1
`;
    const fast = (await read(pod)).Pod.get("prod/db-0");
    expect(fast).toEqual({
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "db-0", namespace: "prod" },
      spec: {
        nodeName: "node-1",
        volumes: [
          { name: "data", persistentVolumeClaim: { claimName: "data-db-0" } },
          { name: "tmp" },
          { name: "scratch", ephemeral: {} },
        ],
      },
      status: { phase: "Running" },
    });
    expect((await read(`# by hand\n${pod}`)).Pod.get("prod/db-0")).toEqual(fast);
  });

  test("the same object twice is one; two versions of it are a question", async () => {
    expect(names(await read(`${CLAIM}---\n${CLAIM}`))).toHaveLength(1);
    await expect(read(`${CLAIM}---\n${CLAIM.replace("100Gi", "200Gi")}`)).rejects.toThrow(
      "standard input, document 2 (PersistentVolumeClaim prod/data-db-0): was in the input before, and differs; leave one of the two out",
    );
  });
});

describe("what cannot be read is named by document and field", () => {
  const cases: Record<string, [text: string | Uint8Array, message: string]> = {
    "bad YAML": [
      "kind: A\napiVersion: v1\n---\na: b: c\n",
      'standard input, document 2: not YAML: Nested mappings are not allowed in compact mappings, at "a: b: c"',
    ],
    "bad YAML in an item": [
      `apiVersion: v1\nitems:\n${asItem(CLAIM)}- kind: [\nkind: List\n`,
      "standard input, document 1, item 2: not YAML",
    ],
    "bad JSON": ['{"a": nope}', "standard input, document 1: not JSON"],
    "JSON cut short": ['{"apiVersion": "v1", "items": [{"kind": "Pod"', "standard input, document 1: not JSON"],
    "a list cut short": [
      `apiVersion: v1\nitems:\n${asItem(CLAIM)}`,
      "standard input, document 1: kind: is missing; was the document cut short?",
    ],
    "no object": ["just text\n", "standard input, document 1: not a Kubernetes object"],
    "an item that is no object": [
      '{"apiVersion": "v1", "kind": "List", "items": [1]}',
      "standard input, document 1, item 1: not a Kubernetes object",
    ],
    "items that are no list": [
      '{"apiVersion": "v1", "kind": "List", "items": "x"}',
      "standard input, document 1 (List): items: expected a list",
    ],
    "no kind": ["metadata:\n  name: x\n", "standard input, document 1: kind: is missing"],
    "no version": ["kind: Pod\n", "standard input, document 1 (Pod): apiVersion: is missing"],
    "no name": [
      CLAIM.replace("  name: data-db-0\n", ""),
      "standard input, document 1 (PersistentVolumeClaim prod): metadata.name: is missing",
    ],
    "a size that is none": [
      CLAIM.replace("100Gi", "100Q"),
      'standard input, document 1 (PersistentVolumeClaim prod/data-db-0): spec.resources.requests.storage: "100Q" is not a quantity',
    ],
    "text where a list belongs": [
      `${CLAIM}status:\n  conditions: x\n`,
      'standard input, document 1 (PersistentVolumeClaim prod/data-db-0): status.conditions: expected a list, found "x"',
    ],
    "a number where text belongs": [
      CLAIM.replace("  namespace", "  labels:\n    version: 1\n  namespace"),
      "standard input, document 1 (PersistentVolumeClaim prod/data-db-0): metadata.labels.version: expected text, found 1",
    ],
    "a field inside a list": [
      `${CLAIM}status:\n  conditions:\n  - type: Resizing\n`,
      "standard input, document 1 (PersistentVolumeClaim prod/data-db-0): status.conditions[0].status: is missing",
    ],
    "bytes that are no text": [new Uint8Array([0x61, 0xff, 0xfe]), "standard input is not UTF-8 text"],
    nothing: ["", "there is no object in standard input; give what `kubectl get"],
  };
  test.each(Object.entries(cases))("%s", async (_, [text, message]) => {
    await expect(read(text)).rejects.toThrow(message);
  });
});

describe("files", () => {
  let folder = "";
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "outgrow-input-"));
    await writeFile(join(folder, "b.json"), CLASS);
    await writeFile(join(folder, "a.yaml"), CLAIM);
    await writeFile(join(folder, "notes.txt"), "not for us");
  });
  afterAll(() => rm(folder, { recursive: true }));

  test("a folder stands for its YAML and JSON files", async () => {
    expect(names(await readSnapshot(await openSources([folder], bytes())))).toEqual([
      "PersistentVolumeClaim prod/data-db-0",
      "StorageClass fast",
    ]);
  });

  test("a file is named as it was given", async () => {
    const file = join(folder, "bad.yml");
    await writeFile(file, "kind: Pod\n");
    await expect(readSnapshot(await openSources([file], bytes()))).rejects.toThrow(`${file}, document 1 (Pod)`);
    await rm(file);
  });

  test("what is not there is said so", async () => {
    await expect(openSources([join(folder, "c.yaml")], bytes())).rejects.toThrow(/cannot read .*c\.yaml: ENOENT/);
  });

  test("a folder without such files is no input", async () => {
    const empty = await mkdtemp(join(folder, "empty-"));
    await expect(openSources([empty], bytes())).rejects.toThrow(`${empty} has no file that ends in .yaml, .yml, .json`);
  });

  test("standard input is read once", async () => {
    await expect(openSources(["-", "-"], bytes())).rejects.toThrow(
      "standard input can be read once only; give -f - once",
    );
  });
});
