/**
 * A request body in YAML as the JSON text that Kubernetes makes of it before it decodes it (sigs.k8s.io/yaml): keys become
 * texts and come sorted, aliases are written out, `<<` is merged in.
 */
import { fromEntries, get, isList, isObject, type Json } from "../json.ts";
import { ANY } from "./go-types.ts";
import { JsonSyntaxError } from "./json-scanner.ts";
import { MisfitError } from "./report.ts";
import { readTyped } from "./typed-reader.ts";
import { type ConvertedYaml, writeJson } from "./yaml-convert.ts";
import { parseYaml } from "./yaml-parse.ts";

const OPENING_BRACE = 0x7b;

/** Throws `YamlError`. */
export function yamlToJson(bytes: Uint8Array): ConvertedYaml {
  return fromJson(bytes) ?? writeJson(parseYaml(bytes));
}

/** Most bodies that call themselves YAML are JSON, and quickly read: kubectl's server-side applies. Undefined for all others. */
function fromJson(bytes: Uint8Array): ConvertedYaml | undefined {
  if (bytes[0] !== OPENING_BRACE) return undefined;
  try {
    const { value = null, findings } = readTyped(Buffer.from(bytes).toString("utf8"), ANY, true);
    return findings.length > 0 ? undefined : { text: JSON.stringify(sorted(value)), duplicates: [] };
  } catch (error) {
    if (error instanceof JsonSyntaxError || error instanceof MisfitError) return undefined;
    throw error;
  }
}

function sorted(value: Json): Json {
  if (isList(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  const keys = Object.keys(value).sort();
  return fromEntries(keys.map((key) => [key, sorted(get(value, key) ?? null)] as const));
}

/** As go-yaml reports them: in strict decoding one error with all of them. */
export function duplicatesMessage(duplicates: readonly string[]): string {
  return `yaml: unmarshal errors:\n${duplicates.map((line) => `  ${line}`).join("\n")}`;
}
