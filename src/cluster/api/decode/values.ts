/** Values while they are read. */
import type { Json, JsonObject } from "../json.ts";
import type { GoType } from "./go-types.ts";

export type Values = Record<string, Json>;

/** What a field had when it came the first time, to be read into; nothing for one that comes for the first time. */
export function copyOf(before: Json | undefined): Values {
  return before === undefined ? {} : { ...(before as JsonObject) };
}

/** What null is in a list or a map, where something must stand. */
export function zeroOf(type: GoType): Json {
  return type.kind === "struct" ? {} : (ZEROS[type.kind] ?? null);
}

const ZEROS: Partial<Record<GoType["kind"], Json>> = {
  string: "",
  bytes: "",
  bool: false,
  int32: 0,
  int64: 0,
  float64: 0,
  IntOrString: 0,
  Quantity: "0",
};
