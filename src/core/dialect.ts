/**
 * Where a claim's resize state is written down, and in which words.
 *
 * Inside the program there is one union of states and one of condition kinds. Outside there are three spellings,
 * because Kubernetes renamed the field and the states twice while the feature was alpha:
 *
 * | dialect      | servers     | field                               | failed for good              |
 * |--------------|-------------|-------------------------------------|------------------------------|
 * | `expansion`  | 1.23 – 1.27 | `resizeStatus`                      | `ControllerExpansionFailed`  |
 * | `resize`     | 1.28 – 1.30 | `allocatedResourceStatuses.storage` | `ControllerResizeFailed`     |
 * | `infeasible` | 1.31 –      | `allocatedResourceStatuses.storage` | `ControllerResizeInfeasible` |
 *
 * The text of v1.27 calls the field `allocatedResourceStatus`; no release ever had that name, so it is read but never
 * written. The first texts call the conditions ResizeStarted, ResizeFailed and Ready, the releases of that time
 * Resizing and FileSystemResizePending: the first dialect writes both, so that neither reader is disappointed.
 */
import { OutgrowError } from "./errors.ts";
import { type PersistentVolumeClaimStatus, STORAGE } from "./types.ts";

/** What stage an expansion is in. `none`: no expansion is recorded as under way. */
export type ResizeState =
  | "none"
  | "controller-in-progress"
  | "controller-infeasible"
  | "node-pending"
  | "node-in-progress"
  | "node-infeasible";

/** Conditions of a claim that tell about growing. `ready` exists in the oldest dialect only. */
export type ConditionKind = "resizing" | "file-system-pending" | "controller-error" | "node-error" | "ready";

export const RESIZE_STATES: readonly ResizeState[] = [
  "none",
  "controller-in-progress",
  "controller-infeasible",
  "node-pending",
  "node-in-progress",
  "node-infeasible",
];

type RecordedState = Exclude<ResizeState, "none">;

export interface Dialect {
  readonly name: "expansion" | "resize" | "infeasible";
  readonly states: Readonly<Record<RecordedState, string>>;
  /** The condition types that stand for each kind; the first is the one to read a message from. */
  readonly conditions: Readonly<Record<ConditionKind, readonly string[]>>;
}

const EXPANSION: Dialect = {
  name: "expansion",
  states: {
    "controller-in-progress": "ControllerExpansionInProgress",
    "controller-infeasible": "ControllerExpansionFailed",
    "node-pending": "NodeExpansionPending",
    "node-in-progress": "NodeExpansionInProgress",
    "node-infeasible": "NodeExpansionFailed",
  },
  conditions: {
    resizing: ["Resizing", "ResizeStarted"],
    "file-system-pending": ["FileSystemResizePending"],
    "controller-error": ["ResizeFailed"],
    "node-error": ["ResizeFailed"],
    ready: ["Ready"],
  },
};

const RESIZE: Dialect = {
  name: "resize",
  states: {
    "controller-in-progress": "ControllerResizeInProgress",
    "controller-infeasible": "ControllerResizeFailed",
    "node-pending": "NodeResizePending",
    "node-in-progress": "NodeResizeInProgress",
    "node-infeasible": "NodeResizeFailed",
  },
  conditions: {
    resizing: ["Resizing"],
    "file-system-pending": ["FileSystemResizePending"],
    "controller-error": [],
    "node-error": [],
    ready: [],
  },
};

const INFEASIBLE: Dialect = {
  name: "infeasible",
  states: {
    ...RESIZE.states,
    "controller-infeasible": "ControllerResizeInfeasible",
    "node-infeasible": "NodeResizeInfeasible",
  },
  conditions: {
    resizing: ["Resizing"],
    "file-system-pending": ["FileSystemResizePending"],
    "controller-error": ["ControllerResizeError"],
    "node-error": ["NodeResizeError"],
    ready: [],
  },
};

export const DIALECTS = { expansion: EXPANSION, resize: RESIZE, infeasible: INFEASIBLE } as const;

/** What Kubernetes speaks today, and the embedded cluster with it. */
export const TODAY: Dialect = INFEASIBLE;

/**
 * The dialect of an API server, from the `gitVersion` it reports (`v1.36.3`, `v1.27.9-gke.100`, `v1.36.4+outgrow`).
 * Throws `VERSION_UNREADABLE` for anything else, `v0.0.0` of a build without a version included: a state written in the
 * wrong dialect would be dropped without a word.
 */
export function dialectFor(gitVersion: string): Dialect {
  const match = /^v?(\d+)\.(\d+)/.exec(gitVersion);
  if (match === null || Number(match[1]) === 0) {
    throw new OutgrowError(
      "VERSION_UNREADABLE",
      `the API server calls its version ${JSON.stringify(gitVersion)}; expected something like v1.36.3`,
    );
  }
  const minor = Number(match[1]) > 1 ? Number.POSITIVE_INFINITY : Number(match[2]);
  if (minor <= 27) return EXPANSION;
  return minor <= 30 ? RESIZE : INFEASIBLE;
}

/** Every spelling of every state: a claim may carry one that an older server or controller wrote. */
const READ: ReadonlyMap<string, RecordedState> = new Map(
  Object.values(DIALECTS).flatMap((dialect) =>
    Object.entries(dialect.states).map(([state, word]) => [word, state as RecordedState] as const),
  ),
);

/** The state that a claim's status records, whatever dialect wrote it. An unknown word reads as `none`. */
export function readState(status: PersistentVolumeClaimStatus | undefined): ResizeState {
  const word =
    status?.allocatedResourceStatuses?.[STORAGE] ?? status?.allocatedResourceStatus?.[STORAGE] ?? status?.resizeStatus;
  return READ.get(word ?? "") ?? "none";
}

/** Whether the status records this state already, and in the dialect's own field and words. */
export function isRecorded(status: PersistentVolumeClaimStatus, state: ResizeState, dialect: Dialect): boolean {
  if (state === "none" || readState(status) !== state) return readState(status) === state;
  const word = dialect.name === "expansion" ? status.resizeStatus : status.allocatedResourceStatuses?.[STORAGE];
  return word === dialect.states[state];
}

/** The status with the state recorded in the dialect's field, and in no other. The given status is left as it is. */
export function writeState(
  status: PersistentVolumeClaimStatus,
  state: ResizeState,
  dialect: Dialect,
): PersistentVolumeClaimStatus {
  const next = { ...status };
  const word = state === "none" ? undefined : dialect.states[state];
  if (dialect.name === "expansion") {
    // "When expansion is complete, the empty string is set by resize controller or kubelet" (first text).
    if (word !== undefined || readState(status) !== "none") next.resizeStatus = word ?? "";
    setOrDrop(next, "allocatedResourceStatuses", undefined);
  } else {
    delete next.resizeStatus;
    setOrDrop(next, "allocatedResourceStatuses", word);
  }
  setOrDrop(next, "allocatedResourceStatus", undefined);
  return next;
}

/** Sets the word for storage, or drops it, and the map with it when nothing else is in there. */
function setOrDrop(
  status: PersistentVolumeClaimStatus,
  field: "allocatedResourceStatuses" | "allocatedResourceStatus",
  word: string | undefined,
): void {
  const { [STORAGE]: _, ...others } = status[field] ?? {};
  if (word !== undefined) status[field] = { ...others, [STORAGE]: word };
  else if (Object.keys(others).length > 0) status[field] = others;
  else delete status[field];
}

/** Every condition type that stands for this kind in any dialect: what clearing it must remove. */
export function conditionTypes(kind: ConditionKind): ReadonlySet<string> {
  return TYPES_BY_KIND[kind];
}

const TYPES_BY_KIND = Object.fromEntries(
  Object.keys(INFEASIBLE.conditions).map((kind) => [
    kind,
    new Set(Object.values(DIALECTS).flatMap((dialect) => dialect.conditions[kind as ConditionKind])),
  ]),
) as unknown as Record<ConditionKind, ReadonlySet<string>>;
