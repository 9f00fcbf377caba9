/** How much of the world is explored. Everything that can happen is bounded by these, and by nothing else. */
export interface Bound {
  readonly name: string;
  /** The size at the beginning, and the sizes that a user may ask for. */
  readonly initial: number;
  readonly sizes: readonly number[];
  /** What the quota allows. */
  readonly hard: number;
  /** What the driver has: both halves, one of them. */
  readonly driver: "controller-and-node" | "controller-only" | "node-only";
  /** The driver may round up. */
  readonly rounds: boolean;
  /** The driver may refuse while a pod uses the volume; pods come and go. */
  readonly offline: boolean;
  /** A second controller may take the lease at any moment. */
  readonly leaders: boolean;
  /** The recovery gate may be switched at any moment. */
  readonly gates: boolean;
  /** The controller decides on a cache of the claim that may be behind, its own writes included. */
  readonly lag: boolean;
  /** The node is an old kubelet: it grows the file system but leaves the claim's state and conditions behind. */
  readonly oldNode: boolean;
  /** On the node too, a call that nobody waits for any more may still be completed later. */
  readonly lateNode: boolean;
}
