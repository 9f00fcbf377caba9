/**
 * What a plain scalar of YAML means, by the rules of go-yaml v2, which Kubernetes reads with: YAML 1.1, so that `yes`, `on`
 * and `0777` are no texts, but without numbers to the base of 60, and with dates as texts.
 */
import { YamlError } from "./yaml-error.ts";

/** Whole numbers are bigint: they go into JSON with all their digits. */
export type YamlScalar = string | number | bigint | boolean | null;

const WORDS: ReadonlyMap<string, YamlScalar> = new Map<string, YamlScalar>([
  ...["y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"].map((word) => [word, true] as const),
  ...["n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"].map((word) => [word, false] as const),
  ...["", "~", "null", "Null", "NULL"].map((word) => [word, null] as const),
  ...[".nan", ".NaN", ".NAN"].map((word) => [word, Number.NaN] as const),
  ...[".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"].map((word) => [word, Number.POSITIVE_INFINITY] as const),
  ...["-.inf", "-.Inf", "-.INF"].map((word) => [word, Number.NEGATIVE_INFINITY] as const),
]);

const PREFIX = "tag:yaml.org,2002:";
const WHOLE = /^([+-]?)(0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO]?[0-7]+|0|[1-9]\d*)$/;
const FLOAT = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/;
const DATE = /^\d{4}-\d{1,2}-\d{1,2}(?:$|[Tt ])/;

/** More digits than 64 bits have, in any notation. */
const LONGEST = 80;
const LEAST = -(2n ** 63n);
const MOST = 2n ** 64n - 1n;

/** The value of a scalar. `tag`: as it was written; undefined for none. Throws `YamlError` where the two contradict. */
export function resolveScalar(text: string, plain: boolean, tag: string | undefined): YamlScalar {
  if (tag === undefined) return plain ? resolvePlain(text) : text;
  if (!tag.startsWith(PREFIX)) return text;
  const wanted = tag.slice(PREFIX.length);
  switch (wanted) {
    case "bool":
    case "int":
    case "float":
    case "null": {
      const value = resolvePlain(text);
      if (wanted === "float" && typeof value === "bigint") return Number(value);
      if (tagOf(value) === wanted) return value;
      throw new YamlError(`cannot decode !!${tagOf(value)} \`${text}\` as a !!${wanted}`);
    }
    case "binary":
      return Buffer.from(text, "base64").toString();
    default:
      return text;
  }
}

function resolvePlain(text: string): YamlScalar {
  const word = WORDS.get(text);
  if (word !== undefined) return word;
  if (!/^[-+.\d]/.test(text) || DATE.test(text)) return text;
  const digits = text.replaceAll("_", "");
  const whole = readWhole(digits);
  if (whole !== undefined) return whole;
  if (!FLOAT.test(digits)) return text;
  const value = Number(digits);
  return Number.isFinite(value) ? value : text;
}

/** Undefined for what is no whole number of 64 bits. A leading zero means octal, as in Go. */
function readWhole(digits: string): bigint | undefined {
  const [, sign, number = ""] = WHOLE.exec(digits) ?? [];
  if (sign === undefined || number.length > LONGEST) return undefined;
  const size = BigInt(/^0[0-7]/.test(number) ? `0o${number.slice(1)}` : number);
  const value = sign === "-" ? -size : size;
  return value < LEAST || value > MOST ? undefined : value;
}

function tagOf(value: YamlScalar): string {
  if (value === null) return "null";
  return { bigint: "int", number: "float", boolean: "bool", string: "str" }[
    typeof value as "bigint" | "number" | "boolean" | "string"
  ];
}
