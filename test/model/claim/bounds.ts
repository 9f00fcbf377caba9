/** The graphs that together cover one claim's life. Each is explored whole. */
import type { Bound } from "./bound.ts";

const DRIVERS = ["controller-and-node", "controller-only", "node-only"] as const;

const PLAIN: Bound = {
  name: "",
  initial: 2,
  sizes: [2, 4, 6],
  hard: 6,
  driver: "controller-and-node",
  rounds: true,
  offline: true,
  leaders: false,
  gates: false,
  lateNode: true,
  oldNode: false,
  lag: false,
};

function forEachDriver(what: string, change: Partial<Bound>): Bound[] {
  return DRIVERS.map((driver) => ({ ...PLAIN, ...change, driver, name: `${driver}, ${what}` }));
}

/** Four sizes: the rapid 10 → 100 → 200 → 20 of KEP-1790, case 5; one more that quota refuses. */
const FAILURES = forEachDriver("every failure", { sizes: [2, 4, 6, 8, 10], hard: 8 });
const LEADERS = forEachDriver("changing leaders", { leaders: true, rounds: false, offline: false, lateNode: false });
const GATES = forEachDriver("the recovery gate switched", { gates: true, rounds: false, offline: false });
/** All at once. The driver with both halves has the largest graph of all, even without pods that come and go. */
const EVERYTHING = forEachDriver("everything at once", {
  leaders: true,
  gates: true,
  sizes: [2, 4],
  hard: 4,
  lateNode: false,
}).map((bound) => (bound.driver === "controller-and-node" ? { ...bound, offline: false } : bound));
const LAG = forEachDriver("a cache that is behind", { lag: true, rounds: false, offline: false, lateNode: false });

/** A kubelet of 1.31 or older beside a server of today (k/k#131402). */
const OLD_NODES = forEachDriver("an old kubelet", { oldNode: true }).filter(
  ({ driver }) => driver !== "controller-only",
);

/** The largest first, so that all cores are busy to the end. */
export const FULL: readonly Bound[] = [...EVERYTHING, ...LEADERS, ...GATES, ...FAILURES, ...LAG, ...OLD_NODES];

/** Seconds, for every test run: three sizes, and the larger worlds for the driver with the smallest graph. */
export const QUICK: readonly Bound[] = [
  ...forEachDriver("every failure", {}),
  ...LEADERS.filter(({ driver }) => driver === "node-only"),
  ...GATES.filter(({ driver }) => driver !== "controller-and-node"),
  ...EVERYTHING.filter(({ driver }) => driver === "controller-only"),
  ...LAG.filter(({ driver }) => driver === "controller-only"),
  ...OLD_NODES,
];
