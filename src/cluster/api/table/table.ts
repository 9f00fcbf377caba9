/** Rows and columns for people: the Table (meta.k8s.io) of a list, of one object, or of one event of a watch. */
import type { Json, JsonObject } from "../json.ts";
import { badRequest } from "../status-error.ts";
import { object, optionalText } from "./fields.ts";
import { type MetaVersion, partialMetadata } from "./partial-metadata.ts";
import type { ColumnDefinition, Printer, RowCondition } from "./printer.ts";

/** How much of its object a row carries. */
export type IncludeObject = "None" | "Metadata" | "Object";

export interface TableOptions {
  /** Ages are counted to this moment, in milliseconds since the epoch. */
  readonly now: number;
  readonly includeObject: IncludeObject;
  /** True from the second event of a watch on: a stream names its columns once. */
  readonly columnsAlreadySent?: boolean;
  /** The metadata of the list that the objects are; without it they are one object, whose version the table has. */
  readonly listMetadata?: JsonObject;
  /** @default meta.k8s.io/v1 */
  readonly apiVersion?: MetaVersion;
}

export interface TableRow {
  readonly cells: readonly Json[];
  readonly conditions?: readonly RowCondition[];
  /** Null for `None`. */
  readonly object: JsonObject | null;
}

export interface Table {
  readonly kind: "Table";
  readonly apiVersion: MetaVersion;
  readonly metadata: JsonObject;
  /** Null when they were sent before. */
  readonly columnDefinitions: readonly ColumnDefinition[] | null;
  readonly rows: readonly TableRow[];
}

/** On the bookmark that ends the initial events of a watch: its metadata is sent whatever the client asked for. */
const INITIAL_EVENTS_END = "k8s.io/initial-events-end";

/**
 * The table of these objects, one row each, in their order. All columns are there, also those for `-o wide`: clients
 * choose. Bookmarks go through here like any object; the Status of an error event does not, it is sent as it is.
 */
export function tableFor(printer: Printer, objects: readonly JsonObject[], options: TableOptions): Table {
  const { apiVersion = "meta.k8s.io/v1" } = options;
  return {
    kind: "Table",
    apiVersion,
    metadata: tableMetadata(objects, options.listMetadata),
    columnDefinitions: options.columnsAlreadySent === true ? null : printer.columns,
    rows: objects.map((shown) => {
      const conditions = printer.conditions?.(shown) ?? [];
      return {
        cells: printer.cells(shown, options.now),
        ...(conditions.length === 0 ? {} : { conditions }),
        object: rowObject(shown, options.includeObject, apiVersion),
      };
    }),
  };
}

/** Lists have more metadata than a table: what it keeps is how to go on from here. */
const LIST_FIELDS = ["resourceVersion", "continue", "remainingItemCount"] as const;

function tableMetadata(objects: readonly JsonObject[], listMetadata: JsonObject | undefined): JsonObject {
  if (listMetadata === undefined) {
    const version = optionalText(objects[0], "metadata", "resourceVersion");
    return version === undefined ? {} : { resourceVersion: version };
  }
  const kept = LIST_FIELDS.map((field) => [field, listMetadata[field]] as const);
  return Object.fromEntries(
    kept.filter((entry): entry is [(typeof LIST_FIELDS)[number], Json] => entry[1] !== undefined),
  );
}

function rowObject(shown: JsonObject, include: IncludeObject, apiVersion: MetaVersion): JsonObject | null {
  switch (include) {
    case "Object":
      return shown;
    case "Metadata":
      return partialMetadata(shown, apiVersion);
    case "None": {
      const isEnd = object(shown, "metadata", "annotations")[INITIAL_EVENTS_END] === "true";
      return isEnd ? partialMetadata(shown, apiVersion) : null;
    }
  }
}

/** The query parameter `includeObject`; metadata when it is missing or empty. Throws 400 for anything else. */
export function readIncludeObject(text: string | undefined): IncludeObject {
  switch (text) {
    case undefined:
    case "":
      return "Metadata";
    case "None":
    case "Metadata":
    case "Object":
      return text;
    default:
      throw badRequest(
        `Unable to convert to Table as requested: includeObject: Invalid value: ${JSON.stringify(text)}: ` +
          "must be 'Metadata', 'Object', 'None', or empty",
      );
  }
}
