/** The verbs a person can type. Each is loaded when it is used, so that help and version cost nothing. */
import type { Command } from "commander";
import type { ExitCode } from "./exit-code.ts";
import type { Terminal } from "./terminal.ts";

/** Adds arguments, options and the action of a verb to its command; the action calls `finish` once, unless it throws. */
export type Complete = (command: Command, terminal: Terminal, finish: (code: ExitCode) => void) => void;

export interface Verb {
  readonly name: string;
  readonly summary: string;
  /** For programs, not for people: left out of help. */
  readonly hidden?: boolean;
  readonly load: () => Promise<Complete>;
}

export const VERBS: readonly Verb[] = [
  {
    name: "up",
    summary: "a Kubernetes-compatible cluster in this process, for trying, testing and rehearsing",
    load: async () => (await import("./up/command.ts")).completeUp,
  },
  {
    name: "plan",
    summary: "what growing a volume or a StatefulSet would do, before anything is touched",
    load: async () => (await import("./plan/command.ts")).completePlan,
  },
  {
    name: "resizer",
    summary: "the sidecar that grows the volumes of one CSI driver; takes csi-resizer's flags",
    load: async () => (await import("./resizer/command.ts")).completeResizer,
  },
  {
    name: "controller",
    summary: "grows what StatefulSets own, on any cluster",
    load: async () => (await import("./controller/command.ts")).completeController,
  },
  {
    name: "node",
    summary: "the node's half of growing the volumes of one CSI driver, on any node",
    load: async () => (await import("./node/command.ts")).completeNode,
  },
  {
    name: "resize",
    summary: "asks for another size of a StatefulSet's volumes or of a claim",
    load: async () => (await import("./resize/command.ts")).completeResize,
  },
  {
    name: "status",
    summary: "how far everything is that grows, claim by claim",
    load: async () => (await import("./status/command.ts")).completeStatus,
  },
  {
    name: "watch",
    summary: "the same live, until everything has its size",
    load: async () => (await import("./watch/command.ts")).completeWatch,
  },
  {
    name: "recover",
    summary: "what failed to grow, which sizes are legal, and the way back to one of them",
    load: async () => (await import("./recover/command.ts")).completeRecover,
  },
  {
    name: "get",
    summary: "objects of a cluster, for machines without kubectl",
    load: async () => (await import("./get/command.ts")).completeGet,
  },
  {
    name: "events",
    summary: "what happened in a cluster, in order",
    load: async () => (await import("./get/command.ts")).completeEvents,
  },
  {
    name: "sources",
    summary: "operators that Outgrow knows, and which of them a cluster follows",
    load: async () => (await import("./sources/command.ts")).completeSources,
  },
  {
    name: "manifests",
    summary: "everything that Outgrow is in a cluster, to kubectl apply -f -",
    load: async () => (await import("./manifests/command.ts")).completeManifests,
  },
  {
    name: "uninstall",
    summary: "whether Outgrow can be removed from a cluster: what is still in flight",
    load: async () => (await import("./uninstall/command.ts")).completeUninstall,
  },
  {
    name: "completion",
    summary: "lets a shell complete verbs, flags and names: bash, zsh or fish",
    load: async () => (await import("./completion/command.ts")).completeCompletion,
  },
  {
    name: "__complete",
    summary: "what could be typed next",
    hidden: true,
    load: async () => (await import("./completion/command.ts")).completeWord,
  },
];
