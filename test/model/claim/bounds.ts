/** The graphs that together cover one claim's life. */
import type { Bound } from "./bound.ts";

const BASE: Bound = {
  name: "",
  initial: 2,
  sizes: [2, 4, 6],
  hard: 6,
  driver: "controller-and-node",
  rounds: true,
  offline: false,
  leaders: false,
  gates: false,
  late: true,
};

export const QUICK: readonly Bound[] = [
  { ...BASE, name: "controller and node" },
  { ...BASE, name: "controller only", driver: "controller-only" },
  { ...BASE, name: "node only", driver: "node-only" },
];
