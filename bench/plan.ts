/** How long `outgrow plan` takes for a large cluster and how much memory; and how fast the program starts. */
import { createReadStream } from "node:fs";
import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { parse } from "yaml";
import { table } from "../src/cli/output/table.ts";
import { best, measure, time } from "./measure.ts";
import { type InputSize, writeYaml } from "./plan-input.ts";

const BINARY = join(import.meta.dirname, "../bin/outgrow");
const PLAN = ["sts/db", "data=200Gi"];
const RUNS = 3;

const INPUTS: readonly (InputSize & { readonly name: string })[] = [
  { name: "1,000 claims, volumes, pods", claims: 1000, volumes: true, pods: true },
  { name: "10,000 claims", claims: 10_000, volumes: false, pods: false },
  { name: "10,000 claims, volumes", claims: 10_000, volumes: true, pods: false },
  { name: "10,000 claims, volumes, pods", claims: 10_000, volumes: true, pods: true },
];

export async function run(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "outgrow-bench-"));
  try {
    await benchPlans(folder);
    await benchFullReader(folder);
    await benchStart();
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function benchPlans(folder: string): Promise<void> {
  const rows: string[][] = [];
  for (const input of INPUTS) {
    const file = join(folder, "cluster.yaml");
    await writeYaml(file, input);
    const result = await best(
      RUNS,
      () => measure([BINARY, "plan", "-f", "-", ...PLAN], file),
      (each) => each.milliseconds,
    );
    rows.push([
      input.name,
      megabytes((await stat(file)).size / 2 ** 20),
      seconds(result.milliseconds),
      seconds(result.cpuMilliseconds),
      megabytes(result.peakMegabytes),
    ]);
  }
  console.log(table(["PLAN OF", "INPUT", "TIME", "CPU", "PEAK MEMORY"], rows));
}

/** What the reader for kubectl's YAML is worth: the same claims through a full YAML reader, which does nothing else. */
async function benchFullReader(folder: string): Promise<void> {
  const file = join(folder, "cluster.yaml");
  await writeYaml(file, { claims: 1000, volumes: true, pods: true });
  const source = await text(createReadStream(file));
  const start = performance.now();
  const { items } = parse(source) as { items: unknown[] };
  const milliseconds = performance.now() - start;
  await writeFile(file, "");
  console.log(`the yaml package alone, ${items.length} of these objects: ${seconds(milliseconds)}\n`);
}

async function benchStart(): Promise<void> {
  const startOf = (words: readonly string[]) =>
    best(
      10,
      () => time(words),
      (milliseconds) => milliseconds,
    );
  const bare = await startOf(["-e", "0"]);
  const help = await startOf([BINARY, "--help"]);
  const rows = [
    ["node -e 0", `${bare.toFixed(0)} ms`, "1.0"],
    ["outgrow --help", `${help.toFixed(0)} ms`, (help / bare).toFixed(1)],
  ];
  console.log(table(["START", "TIME", "RATIO"], rows));
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(2)} s`;
}

function megabytes(amount: number): string {
  return `${amount.toFixed(0)} MiB`;
}
