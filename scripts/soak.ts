/**
 * `npm run soak [-- SEED [STEPS]]`: people, faults and restarts for a long time, on 50 claims and 5 StatefulSets. Ends with an
 * error as soon as something does not settle; the seed it prints makes the same moves again.
 */
import { runChaos } from "../test/kube/life/chaos.ts";

const [seed = String(Date.now() % 1_000_000), steps = "500"] = process.argv.slice(2);
console.log(`seed ${seed}, ${steps} steps`);
await runChaos({ seed: Number(seed), steps: Number(steps), claims: 50, sets: 5, tell: (line) => console.log(line) });
console.log("everything has settled, and quota is exact");
