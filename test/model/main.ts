/**
 * `npm run model`: explores every graph whole, on all cores, and says how many states there were.
 * `-- --mutant NAME`: breaks a rule and tells the shortest story of how that is noticed. `-- --mutants`: all of them.
 */
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import type { Exploration, Violation } from "./explore.ts";
import { FULL_GRAPHS, MUTANTS, type Mutant } from "./graphs.ts";

const { values } = parseArgs({ options: { mutant: { type: "string" }, mutants: { type: "boolean" } } });

if (values.mutant !== undefined) process.exitCode = showMutant(values.mutant);
else if (values.mutants === true) process.exitCode = MUTANTS.filter((mutant) => !isCaught(mutant)).length;
else process.exitCode = await exploreAll();

function showMutant(name: string): number {
  const mutant = MUTANTS.find((candidate) => candidate.name === name);
  if (mutant === undefined) {
    console.error(`no mutant is called ${name}; there are: ${MUTANTS.map((known) => known.name).join(", ")}`);
    return 2;
  }
  console.log(`${mutant.name}: ${mutant.description}\n`);
  const { violation } = mutant.run();
  if (violation === undefined) {
    console.log("NOT CAUGHT");
    return 1;
  }
  tell(violation);
  return 0;
}

function isCaught({ name, description, run }: Mutant): boolean {
  const { violation, states } = run();
  console.log(`${violation === undefined ? "NOT CAUGHT" : "caught    "}  ${name}: ${description}`);
  if (violation !== undefined) console.log(`            after ${states} states: ${violation.rule}`);
  return violation !== undefined;
}

function tell({ rule, story }: Violation): void {
  for (const [index, sentence] of story.entries()) console.log(`  ${String(index + 1).padStart(2)}. ${sentence}`);
  console.log(`\n  broken: ${rule}`);
}

async function exploreAll(): Promise<number> {
  const started = performance.now();
  const waiting = FULL_GRAPHS.map(({ name }) => name);
  const found: Exploration[] = [];
  await Promise.all(
    Array.from({ length: Math.min(availableParallelism(), waiting.length) }, async () => {
      const worker = new Worker(new URL("./worker.ts", import.meta.url), {
        resourceLimits: { maxOldGenerationSizeMb: 8192 },
      });
      for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
        const exploration = await ask(worker, name);
        report(name, exploration);
        found.push(exploration);
      }
      await worker.terminate();
    }),
  );
  const states = sum(found.map((each) => each.states));
  const transitions = sum(found.map((each) => each.transitions));
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const broken = found.filter((each) => each.violation !== undefined || !each.complete).length;
  console.log(`\n${states} states, ${transitions} transitions in ${found.length} graphs, ${seconds} s`);
  console.log(broken === 0 ? "no rule is broken, and everything settles" : `${broken} graphs with a broken rule`);
  return broken === 0 ? 0 : 1;
}

function ask(worker: Worker, name: string): Promise<Exploration> {
  return new Promise((resolve, reject) => {
    worker.once("error", reject);
    worker.once("message", (answer: Exploration) => {
      worker.off("error", reject);
      resolve(answer);
    });
    worker.postMessage(name);
  });
}

function report(name: string, { states, transitions, milliseconds, complete, violation }: Exploration): void {
  const seconds = (milliseconds / 1000).toFixed(1);
  console.log(
    `${String(states).padStart(9)} states ${String(transitions).padStart(10)} transitions ${seconds.padStart(6)} s  ${name}`,
  );
  if (!complete) console.log("          cut short: nothing is proved");
  if (violation !== undefined) tell(violation);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
