/** Values as Go prints them in messages. */
import { printedType } from "../check/types.ts";
import { shownDuration, shownTimestamp } from "./time.ts";
import { isError, type Value } from "./value.ts";

/** Printed with %v. */
export function shown(value: Value): string {
  if (typeof value === "string") return value;
  if (typeof value === "number") return shownDouble(value);
  if (typeof value !== "object") return String(value);
  if (value === null) return "NULL_VALUE";
  return value instanceof Uint8Array ? `[${Array.from(value).join(" ")}]` : shownObject(value);
}

function shownObject(value: Exclude<Value, string | number | bigint | boolean | null | Uint8Array>): string {
  switch (value.kind) {
    case "uint":
      return String(value.value);
    case "duration":
      return shownDuration(value);
    case "timestamp":
      return shownTimestamp(value);
    case "type":
      return printedType(value.type);
    case "optional":
      return value.value === undefined
        ? "optional.none()"
        : `optional(${isError(value.value) ? value.value.message : shown(value.value)})`;
    case "list": {
      const items = Array.from({ length: Math.min(value.size, 1_000) }, (_, index) => value.get(index));
      return `[${items.map((item) => (isError(item) ? item.message : shown(item))).join(", ")}]`;
    }
    case "map":
      return `{${value
        .keys()
        .slice(0, 1_000)
        .map((key) => {
          const found = value.find(key);
          return `${shown(key)}: ${found === undefined || isError(found) ? "" : shown(found)}`;
        })
        .join(", ")}}`;
    case "struct":
      return value.type.name;
    case "opaque":
      return value.text ?? value.type.name;
  }
}

/** Go's %g: the shortest digits, with an exponent below 1e-4 and from 1e+06 on. */
export function shownDouble(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "+Inf" : "-Inf";
  if (value === 0) return Object.is(value, -0) ? "-0" : "0";
  const [, sign = "", first = "", rest = "", power = "0"] =
    /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(value.toExponential()) ?? [];
  const exponent = Number(power);
  if (exponent < -4 || exponent >= 6) {
    const digits = `${first}${rest === "" ? "" : `.${rest}`}`;
    return `${sign}${digits}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
  }
  const all = first + rest;
  if (exponent < 0) return `${sign}0.${"0".repeat(-exponent - 1)}${all}`;
  const whole = all.padEnd(exponent + 1, "0");
  return `${sign}${whole.slice(0, exponent + 1)}${whole.length > exponent + 1 ? `.${whole.slice(exponent + 1)}` : ""}`;
}

/** The type of what the value holds in Go, where a message names that. */
export function heldType(value: Value): string {
  if (typeof value === "string") return "string";
  if (typeof value === "bigint") return "int64";
  if (typeof value === "number") return "float64";
  if (typeof value === "boolean") return "bool";
  if (value === null) return "structpb.NullValue";
  return value instanceof Uint8Array ? "[]uint8" : (HELD_TYPES[value.kind] ?? goType(value));
}

const HELD_TYPES: Readonly<Record<string, string>> = {
  uint: "uint64",
  duration: "time.Duration",
  timestamp: "time.Time",
  type: "string",
  list: "[]ref.Val",
  map: "map[ref.Val]ref.Val",
};

/** The type of the value in Go, where a message names it. */
export function goType(value: Value): string {
  if (typeof value === "string") return "types.String";
  if (typeof value === "bigint") return "types.Int";
  if (typeof value === "number") return "types.Double";
  if (typeof value === "boolean") return "types.Bool";
  if (value === null) return "types.Null";
  if (value instanceof Uint8Array) return "types.Bytes";
  if (value.kind === "opaque") return OPAQUE_TYPES[value.type.name] ?? "cel.Value";
  return GO_TYPES[value.kind];
}

const GO_TYPES = {
  uint: "types.Uint",
  duration: "types.Duration",
  timestamp: "types.Timestamp",
  type: "*types.Type",
  optional: "*types.Optional",
  list: "*types.baseList",
  map: "*types.baseMap",
  struct: "*dynamic.ObjectVal",
} as const;

const OPAQUE_TYPES: Readonly<Record<string, string>> = {
  "kubernetes.NamedFormat": "cel.Format",
  "kubernetes.Quantity": "cel.Quantity",
  "kubernetes.Semver": "cel.Semver",
  "kubernetes.URL": "cel.URL",
  "net.CIDR": "cel.CIDR",
  "net.IP": "cel.IP",
};
