/**
 * `npm run soak [-- memory|disks [SEED [STEPS]]]`: people, faults and restarts for a long time. `memory`: 50 claims and 5
 * StatefulSets, single controllers restarted in the middle. `disks`: real file systems, and the whole program killed. Ends
 * with an error as soon as something does not settle; the seed it prints makes the same moves again.
 *
 * `npm run soak -- growth [FLOW]`: `outgrow controller` on a real control plane, killed at every single call of every flow
 * (or of one, by its name), and with everybody in between at every moment (`actors`). Needs the programs of the Kubernetes
 * suites (`npm run kube:assets`).
 *
 * `npm run soak -- sources [kills|stock|embedded]`: the same through a custom resource, and 500 of them at once.
 *
 * `npm run soak -- drivers`: the loop driver, killed before, during and after every program that it runs. Needs root.
 */
import { runDriverSoak } from "../test/kube/drivers/lives.ts";
import { runGrowthSoak } from "../test/kube/growth/soak.ts";
import { runChaos } from "../test/kube/life/chaos.ts";
import { runDiskChaos } from "../test/kube/life/disk-chaos.ts";
import { runSourceSoak } from "../test/kube/sources/soak.ts";

const [on = "memory", seed = String(Date.now() % 1_000_000), steps = "500"] = process.argv.slice(2);
// What was started ends with this process, when it ends by itself.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => process.exit(1));
const tell = (line: string): void => console.log(line);
const moves = { seed: Number(seed), steps: Number(steps), tell };
switch (on) {
  case "memory":
  case "disks":
    console.log(`${on}, seed ${seed}, ${steps} steps`);
    if (on === "memory") await runChaos({ ...moves, claims: 50, sets: 5 });
    else await runDiskChaos({ ...moves, claims: 10, sets: 2 });
    console.log("everything has settled, and quota is exact");
    break;
  case "growth":
    await runGrowthSoak(tell, process.argv[3]);
    console.log("nothing was lost, and every growth has come to its end");
    break;
  case "sources":
    await runSourceSoak(tell, process.argv[3]);
    console.log("nothing was lost, and every resource says so");
    break;
  case "drivers":
    await runDriverSoak(tell);
    break;
  default:
    throw new Error(`soak on memory, disks, drivers, growth or sources, not on ${on}`);
}
