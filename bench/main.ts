/**
 * `npm run bench -- [NAME...] [OPTIONS]`: runs the benchmarks that are named, or all of them. Options are the benchmark's
 * own. Results and the machine they were made on: README.md.
 */
interface Bench {
  readonly run: (options: readonly string[]) => Promise<void>;
}

const BENCHES: Readonly<Record<string, () => Promise<Bench>>> = {
  plan: () => import("./plan.ts"),
  store: () => import("./store.ts"),
  resizer: () => import("./resizer.ts"),
  api: () => import("./api.ts"),
  cluster: () => import("./cluster.ts"),
  growth: () => import("./growth.ts"),
};

const words = process.argv.slice(2);
const firstOption = words.findIndex((word) => word.startsWith("-"));
const names = firstOption < 0 ? words : words.slice(0, firstOption);
const options = words.slice(names.length);
const unknown = names.filter((name) => !Object.hasOwn(BENCHES, name));
if (unknown.length > 0) {
  console.error(`there is no benchmark ${unknown.join(", ")}; there is ${Object.keys(BENCHES).join(", ")}`);
  process.exitCode = 2;
} else {
  for (const [name, load] of Object.entries(BENCHES)) {
    if (names.length === 0 || names.includes(name)) await (await load()).run(options);
  }
}
