/** A value in a form that tells types apart: `main.go` makes the same of Kubernetes' own. */
import { shownDouble } from "../../../src/cluster/api/cel/value/show.ts";
import { shownTimestamp } from "../../../src/cluster/api/cel/value/time.ts";
import { isError, runtimeType, type Value } from "../../../src/cluster/api/cel/value/value.ts";

export function shownValue(value: Value): unknown {
  if (typeof value === "boolean") return value;
  if (typeof value === "bigint") return `int ${value}`;
  if (typeof value === "number") return `double ${shownDouble(value)}`;
  if (typeof value === "string") return `string ${value}`;
  if (value === null) return "null";
  if (value instanceof Uint8Array) return `bytes ${Buffer.from(value).toString("hex")}`;
  switch (value.kind) {
    case "uint":
      return `uint ${value.value}`;
    case "duration":
      return `duration ${value.nanos}`;
    case "timestamp":
      return `timestamp ${shownTimestamp(value)}`;
    case "type":
      return `type ${value.type.name}`;
    case "optional":
      return value.value === undefined ? "none" : { optional: shownItem(value.value) };
    case "list":
      return Array.from({ length: value.size }, (_, index) => shownItem(value.get(index)));
    case "map":
      return {
        map: Object.fromEntries(value.keys().map((key) => [shownKey(shownValue(key)), shownItem(value.find(key))])),
      };
    case "struct":
    case "opaque": {
      const { name } = runtimeType(value);
      return name === "kubernetes.Quantity" && value.kind === "opaque" ? `quantity ${value.text}` : name;
    }
  }
}

function shownItem(item: Parameters<typeof isError>[0]): unknown {
  return isError(item) || item === undefined ? "error" : shownValue(item as Value);
}

/** As Go prints it. */
function shownKey(key: unknown): string {
  return Array.isArray(key) ? `[${key.map(shownKey).join(" ")}]` : String(key);
}
