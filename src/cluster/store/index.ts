/** The store of the embedded cluster. */
export { DEFAULT_LIMITS, type HistoryLimits } from "./history.ts";
export { canBePart, keyOf, type ObjectName, prefixOf } from "./keys.ts";
export { openMemoryStore } from "./memory-store.ts";
export {
  type Entry,
  FIRST_REVISION,
  type ListOptions,
  type Page,
  type RevisionedStore,
  type StoreEvent,
  type Value,
  type Watch,
} from "./revisioned-store.ts";
export { openSqliteStore } from "./sqlite-store.ts";
export { StoreError, type StoreReason } from "./store-error.ts";
export type { StoreOptions } from "./store-options.ts";
