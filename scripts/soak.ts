/**
 * `npm run soak [-- memory|disks [SEED [STEPS]]]`: people, faults and restarts for a long time. `memory`: 50 claims and 5
 * StatefulSets, single controllers restarted in the middle. `disks`: real file systems, and the whole program killed. Ends
 * with an error as soon as something does not settle; the seed it prints makes the same moves again.
 */
import { runChaos } from "../test/kube/life/chaos.ts";
import { runDiskChaos } from "../test/kube/life/disk-chaos.ts";

const [on = "memory", seed = String(Date.now() % 1_000_000), steps = "500"] = process.argv.slice(2);
const moves = { seed: Number(seed), steps: Number(steps), tell: (line: string) => console.log(line) };
if (on !== "memory" && on !== "disks") throw new Error(`soak on memory or disks, not on ${on}`);
console.log(`${on}, seed ${seed}, ${steps} steps`);
if (on === "memory") await runChaos({ ...moves, claims: 50, sets: 5 });
else await runDiskChaos({ ...moves, claims: 10, sets: 2 });
console.log("everything has settled, and quota is exact");
