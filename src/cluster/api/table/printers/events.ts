/** Events, of both groups: the same objects, with other names for half of their fields. */
import type { Json, JsonObject } from "../../json.ts";
import { count, present, text } from "../fields.ts";
import { since } from "../human-duration.ts";
import { column, NAME_FORMAT, nameOf, type Printer, printer, WIDE } from "../printer.ts";

/** Where a group keeps what the other keeps elsewhere. */
interface Names {
  readonly about: string;
  readonly message: string;
  readonly source: string;
  readonly reporter: string;
  readonly first: string;
  readonly last: string;
  readonly count: string;
}

export const coreEvents = eventPrinter({
  about: "involvedObject",
  message: "message",
  source: "source",
  reporter: "reportingComponent",
  first: "firstTimestamp",
  last: "lastTimestamp",
  count: "count",
});

export const events = eventPrinter({
  about: "regarding",
  message: "note",
  source: "deprecatedSource",
  reporter: "reportingController",
  first: "deprecatedFirstTimestamp",
  last: "deprecatedLastTimestamp",
  count: "deprecatedCount",
});

function eventPrinter(names: Names): Printer {
  const firstSeen = (event: JsonObject, now: number): string =>
    since(text(event, names.first) || text(event, "eventTime"), now);
  const lastSeen = (event: JsonObject, now: number): string => {
    if (present(event, "series")) return since(text(event, "series", "lastObservedTime"), now);
    return present(event, names.last) ? since(text(event, names.last), now) : firstSeen(event, now);
  };
  return printer([
    column("Last Seen", lastSeen),
    column("Type", (event) => text(event, "type")),
    column("Reason", (event) => text(event, "reason")),
    column("Object", (event) => target(event[names.about])),
    column("Subobject", (event) => text(event, names.about, "fieldPath"), WIDE),
    column("Source", (event) => source(event, names), WIDE),
    column("Message", (event) => text(event, names.message).trim()),
    column("First Seen", firstSeen, WIDE),
    column("Count", (event) => howOften(event, names), WIDE),
    column("Name", nameOf, { ...WIDE, ...NAME_FORMAT }),
  ]);
}

function target(about: Json | undefined): string {
  const [kind, name] = [text(about, "kind").toLowerCase(), text(about, "name")];
  return name === "" ? kind : `${kind}/${name}`;
}

/** An event that happened once may have no count at all. */
function howOften(event: JsonObject, names: Names): number {
  return present(event, "series") ? count(event, "series", "count") : count(event, names.count) || 1;
}

function source(event: JsonObject, names: Names): string {
  const component = text(event, names.source, "component") || text(event, names.reporter);
  const instance = text(event, names.source, "host") || text(event, "reportingInstance");
  return instance === "" ? component : `${component}, ${instance}`;
}
