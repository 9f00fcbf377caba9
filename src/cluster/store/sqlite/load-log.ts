/** Reads a whole store file into memory, and checks on the way that every row is as it was written and that they add up. */
import type { DatabaseSync } from "node:sqlite";
import type { Entry, StoreEvent } from "../revisioned-store.ts";
import { applyEvent, createState, type State } from "../state.ts";
import { horizonChecksum, type LogRow, rowChecksum } from "./checksum.ts";

/** What does not add up, in words that follow "the file". */
export class DamageFound extends Error {
  override readonly name = "DamageFound";
}

/** Throws `DamageFound`, or what SQLite throws. */
export function loadLog(db: DatabaseSync): State {
  const compacted = readHorizon(db);
  const rows = readRows(db);
  const entries = new Map<string, Entry>();
  let state: State | undefined;
  for (const row of rows) {
    if (row.revision <= compacted) {
      if (row.value === null || entries.has(row.key)) throw new DamageFound(`has no use for revision ${row.revision}`);
      entries.set(row.key, { key: row.key, revision: row.revision, value: row.value });
      continue;
    }
    state ??= createState(compacted, entries.values());
    applyEvent(state, { event: eventOf(row, state), written: row.written });
  }
  return state ?? createState(compacted, entries.values());
}

/** The horizon of the file; what was read of it before still holds if neither this nor the newest revision has changed. */
export function readHorizon(db: DatabaseSync): number {
  const rows = db.prepare("SELECT compacted, checksum FROM horizon").all();
  const [row] = rows;
  const compacted = Number(row?.compacted);
  if (rows.length !== 1 || row?.checksum !== horizonChecksum(compacted)) {
    throw new DamageFound("does not say where its history begins");
  }
  return compacted;
}

type Columns = [
  revision: number,
  key: string,
  previous: number,
  value: string | null,
  written: number,
  checksum: number,
];

function* readRows(db: DatabaseSync): Generator<LogRow> {
  const statement = db.prepare("SELECT revision, key, previous, value, written, checksum FROM log ORDER BY revision");
  statement.setReturnArrays(true);
  // The tables are STRICT: no column has another type.
  for (const columns of statement.iterate() as Iterable<unknown> as Iterable<Columns>) {
    const [revision, key, previous, value, written, checksum] = columns;
    const row = { revision, key, previous, value, written };
    if (rowChecksum(row) !== checksum) throw new DamageFound(`has a wrong checksum at revision ${revision}`);
    yield row;
  }
}

function eventOf({ revision, key, previous: expected, value }: LogRow, { entries, history }: State): StoreEvent {
  const previous = entries.get(key);
  if (revision !== history.revision + 1 || expected !== (previous?.revision ?? 0)) {
    throw new DamageFound(`lacks what comes before revision ${revision}`);
  }
  const entry = value === null ? undefined : { key, revision, value };
  if (entry !== undefined) {
    return previous === undefined
      ? { type: "created", revision, key, entry }
      : { type: "updated", revision, key, entry, previous };
  }
  if (previous === undefined) throw new DamageFound(`deletes at revision ${revision} what was not there`);
  return { type: "deleted", revision, key, previous };
}
