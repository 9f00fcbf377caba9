/**
 * Policies and webhooks that change objects: each sees what those before it left, and may ask to be called once more when
 * somebody behind it changed the object (upstream admission/reinvocation.go).
 */
import type { JsonObject } from "../json.ts";
import type { AdmissionPlugin, WriteAdmission } from "./plugin.ts";
import { runMutating } from "./run.ts";

/** Who changes objects and may be called again. */
export interface Reinvocable {
  /** Undefined: nobody there is for this request, or may be when others have changed it. */
  begin(request: WriteAdmission): Course | undefined;
}

/** What is remembered of one request: called for each round with the object as it is then. Gives the object as it left it. */
export type Course = (request: WriteAdmission, round: "first" | "second") => JsonObject | Promise<JsonObject>;

/** Calls all in their order; when one has changed the object, the server's `own` plugins and all once more. */
export function reinvoking(
  own: readonly AdmissionPlugin[],
  all: readonly Reinvocable[],
): NonNullable<AdmissionPlugin["mutate"]> {
  return (request) => {
    // Without any nothing is made and nothing awaited: most clusters have none, and every write comes by here.
    let courses: Course[] | undefined;
    for (const each of all) {
      const course = each.begin(request);
      if (course !== undefined) (courses ??= []).push(course);
    }
    return courses === undefined ? request.object : rounds(own, courses, request);
  };
}

async function rounds(
  own: readonly AdmissionPlugin[],
  courses: readonly Course[],
  request: WriteAdmission,
): Promise<JsonObject> {
  const round = async (object: JsonObject, which: "first" | "second"): Promise<JsonObject> => {
    let current = object;
    for (const course of courses) current = await course({ ...request, object: current }, which);
    return current;
  };
  const once = await round(request.object, "first");
  if (once === request.object) return once;
  return round(await runMutating(own, { ...request, object: once }), "second");
}

/** Who of one kind is to be called a second time about one request. Only those that want to be are reported as called. */
export interface Reinvocations {
  /** It was called with the object as it is now. */
  called(id: string): void;
  /** Everybody who was called before has seen another object than the one that there is now. */
  objectChanged(): void;
  wanted(id: string): boolean;
}

export function createReinvocations(): Reinvocations {
  const seenCurrent = new Set<string>();
  const outdated = new Set<string>();
  return {
    called: (id) => void seenCurrent.add(id),
    objectChanged() {
      for (const id of seenCurrent) outdated.add(id);
      seenCurrent.clear();
    },
    wanted: (id) => outdated.has(id),
  };
}
