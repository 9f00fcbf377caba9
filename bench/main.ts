/** `npm run bench -- NAME`: runs one benchmark, or all of them. Results and the machine they were made on: README.md. */
const BENCHES: Readonly<Record<string, () => Promise<{ readonly run: () => Promise<void> }>>> = {
  plan: () => import("./plan.ts"),
  store: () => import("./store.ts"),
};

const names = process.argv.slice(2);
const unknown = names.filter((name) => !Object.hasOwn(BENCHES, name));
if (unknown.length > 0) {
  console.error(`there is no benchmark ${unknown.join(", ")}; there is ${Object.keys(BENCHES).join(", ")}`);
  process.exitCode = 2;
} else {
  for (const [name, load] of Object.entries(BENCHES)) {
    if (names.length === 0 || names.includes(name)) await (await load()).run();
  }
}
