/**
 * Follows the definitions of a cluster: gives them their names, has the catalog serve what they define, and sees them off
 * with all their objects when they are deleted.
 */
import { type Clock, toTimestamp } from "../../../../core/clock.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import type { JsonObject } from "../../json.ts";
import { isFinished } from "../../lifecycle/delete.ts";
import { textOf } from "../../lifecycle/metadata.ts";
import type { ObjectStore } from "../../objects/object-store.ts";
import { StatusError } from "../../status-error.ts";
import { inTurns } from "../../steps.ts";
import { DEFINITIONS } from "../definition/definition.ts";
import { rulesReady } from "../lazy-rules.ts";
import { createChanges } from "./changes.ts";
import { establish } from "./establish.ts";
import { awaitsCleanup, finalize } from "./finalize.ts";
import { countInstances, deleteInstances, storedKind } from "./instances.ts";
import { createServed } from "./served.ts";
import { storedDefinitions } from "./stored-definitions.ts";
import { createTurns } from "./turns.ts";

export interface DefinitionsOptions {
  readonly objects: ObjectStore;
  readonly catalog: Catalog;
  readonly clock: Clock;
  /** Lets others have their turn: a large definition is read in steps. */
  readonly turn: () => Promise<void>;
  /** Told what went wrong in the background; the work goes on with the next change. */
  readonly report: (error: unknown) => void;
}

export interface Definitions {
  /** Resolves when everything that was defined before is served. Rejects when the store cannot be written. */
  readonly ready: Promise<void>;
  /** Resolves when nothing more is written. May be called twice. */
  stop(): Promise<void>;
}

/**
 * Begins at once. A definition is in the catalog before its status says that it is established, so that whoever waits for
 * that can go on. Objects of a definition that is being deleted are deleted one by one, as a client would; the definition goes
 * when the last of them is gone.
 */
export function startDefinitions({ objects, catalog, clock, turn, report }: DefinitionsOptions): Definitions {
  const stored = storedDefinitions(objects);
  const served = createServed(catalog, report);
  const ending = new AbortController();

  async function settleAll(): Promise<void> {
    await rulesReady(stored.texts());
    // One after the other: a name belongs to who was there first.
    for (const definition of stored.all()) await settle(textOf(definition, "name"));
    const definitions = stored.all();
    const someIsLarge = definitions.some((definition) => stored.isLarge(definition));
    await inTurns(served.define(definitions), someIsLarge ? turn : undefined);
    changes.follow([DEFINITIONS, ...definitions.filter(awaitsCleanup).map(storedKind)]);
  }

  async function settle(name: string): Promise<void> {
    while (!ending.signal.aborted) {
      const definition = stored.find(name);
      if (definition === undefined) return;
      try {
        return await (awaitsCleanup(definition) ? cleanUp(definition) : accept(definition));
      } catch (error) {
        // Somebody else wrote in between: look again.
        if (!(error instanceof StatusError) || (error.code !== 409 && error.code !== 404)) throw error;
      }
    }
  }

  async function accept(definition: JsonObject): Promise<void> {
    const next = establish(definition, stored.all(), now());
    if (next === definition) return;
    await serve(definition, next);
    await stored.replace(definition, next);
  }

  async function cleanUp(definition: JsonObject): Promise<void> {
    // From here on nothing new is created.
    await serve(definition, definition);
    await deleteInstances(objects, definition, clock.now());
    const next = finalize(definition, countInstances(objects, definition), now());
    if (next === definition) return;
    if (!isFinished(DEFINITIONS, next)) return stored.replace(definition, next);
    await serve(definition, undefined);
    await objects.remove(DEFINITIONS, definition);
  }

  /** Has the catalog show what a write is about to say, so that nobody reads of it too early. */
  async function serve(definition: JsonObject, next: JsonObject | undefined): Promise<void> {
    const others = stored.all().map((each) => (each === definition ? next : each));
    const defining = served.define(others.filter((each) => each !== undefined));
    // What is small is served at once: who is told of it finds it there.
    await inTurns(defining, stored.isLarge(definition) ? turn : undefined);
  }

  const now = (): string => toTimestamp(clock.now());
  const turns = createTurns(settleAll, report);
  const changes = createChanges(objects.store, () => turns.ask(), report);
  const ready = settleAll();
  // Whoever awaits `ready` is told; until then nobody has to.
  ready.catch(() => undefined);

  return {
    ready,
    async stop() {
      ending.abort();
      await ready.catch(() => undefined);
      await changes.stop();
      await turns.idle();
    },
  };
}
