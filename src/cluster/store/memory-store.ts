/** The store without a disk: for tests, and for clusters that are gone with their process. */
import { systemTimers } from "../../kube/timers.ts";
import { DEFAULT_LIMITS } from "./history.ts";
import { createJournaledStore } from "./journaled-store.ts";
import { FIRST_REVISION, type RevisionedStore } from "./revisioned-store.ts";
import { createState } from "./state.ts";
import type { StoreOptions } from "./store-options.ts";

/** An empty store. Who opens it closes it. */
export function openMemoryStore({ limits, timers }: StoreOptions = {}): RevisionedStore {
  return createJournaledStore({
    state: createState(FIRST_REVISION),
    journal: { append: () => undefined, forget: () => {}, close: () => {} },
    limits: { ...DEFAULT_LIMITS, ...limits },
    timers: timers ?? systemTimers,
  });
}
