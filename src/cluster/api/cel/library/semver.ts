/** Semantic versions. */
import { type FunctionDeclaration, member, overload } from "../check/declarations.ts";
import { BOOL, INT, STRING, sealed } from "../check/types.ts";
import { MAX_UINT } from "../syntax/literals.ts";
import { type CelError, error, isError, type Opaque, type Value } from "../value/value.ts";

export const SEMVER = sealed("kubernetes.Semver");

interface Version {
  readonly numbers: readonly [bigint, bigint, bigint];
  readonly prerelease: readonly (bigint | string)[];
  readonly build: readonly string[];
}

export const SEMVERS: readonly FunctionDeclaration[] = [
  {
    name: "semver",
    overloads: [
      overload("string_to_semver", [STRING], SEMVER, ([text]) => toVersion(text as string, false)),
      overload("string_bool_to_semver", [STRING, BOOL], SEMVER, ([text, normal]) =>
        toVersion(text as string, normal === true),
      ),
    ],
  },
  {
    name: "isSemver",
    overloads: [
      overload("is_semver_string", [STRING], BOOL, ([text]) => !isError(toVersion(text as string, false))),
      overload(
        "is_semver_string_bool",
        [STRING, BOOL],
        BOOL,
        ([text, normal]) => !isError(toVersion(text as string, normal === true)),
      ),
    ],
  },
  {
    name: "isGreaterThan",
    overloads: [member("semver_is_greater_than", [SEMVER, SEMVER], BOOL, ([a, b]) => order(a, b) > 0)],
  },
  {
    name: "isLessThan",
    overloads: [member("semver_is_less_than", [SEMVER, SEMVER], BOOL, ([a, b]) => order(a, b) < 0)],
  },
  {
    name: "compareTo",
    overloads: [member("semver_compare_to", [SEMVER, SEMVER], INT, ([a, b]) => BigInt(order(a, b)))],
  },
  ...(["major", "minor", "patch"] as const).map((name, index) => ({
    name,
    overloads: [member(`semver_${name}`, [SEMVER], INT, ([a]) => BigInt.asIntN(64, versionOf(a).numbers[index] ?? 0n))],
  })),
];

function versionOf(value: Value | undefined): Version {
  return (value as Opaque).data as Version;
}

function order(a: Value | undefined, b: Value | undefined): number {
  return compare(versionOf(a), versionOf(b));
}

function compare(a: Version, b: Version): number {
  for (const [index, number] of a.numbers.entries()) {
    const other = b.numbers[index] ?? 0n;
    if (number !== other) return number > other ? 1 : -1;
  }
  // A version comes after what leads up to it.
  if (a.prerelease.length === 0 || b.prerelease.length === 0)
    return Math.sign(b.prerelease.length - a.prerelease.length);
  for (const [index, left] of a.prerelease.entries()) {
    const right = b.prerelease[index];
    if (right === undefined) return 1;
    if (left === right) continue;
    if (typeof left !== typeof right) return typeof left === "bigint" ? -1 : 1;
    return left > right ? 1 : -1;
  }
  return a.prerelease.length < b.prerelease.length ? -1 : 0;
}

function toVersion(text: string, normalize: boolean): Value | CelError {
  const normal = normalize ? normalized(text) : text;
  const version = isError(normal) ? normal : parse(normal);
  if (isError(version)) return version;
  return {
    kind: "opaque",
    type: SEMVER,
    data: version,
    equals: (other) => compare(version, versionOf(other)) === 0,
    text,
  };
}

function normalized(text: string): string | CelError {
  const parts = splitThree(text.replace(/^v/, "")).map((part) => {
    if (part.length <= 1) return part;
    const short = part.replace(/^0+/, "");
    return short === "" || !/^[0-9]/.test(short) ? `0${short}` : short;
  });
  if (parts.length < 3 && /[+-]/.test(parts.at(-1) ?? ""))
    return error("short version cannot contain PreRelease/Build meta data");
  while (parts.length < 3) parts.push("0");
  return parts.join(".");
}

/** At dots, into three at most. */
function splitThree(text: string): string[] {
  const [first = "", second, ...rest] = text.split(".");
  if (second === undefined) return [first];
  return rest.length === 0 ? [first, second] : [first, second, rest.join(".")];
}

/** Of digits without zeros in front. */
function isUint(digits: string): boolean {
  return digits.length <= 20 && BigInt(digits) <= MAX_UINT;
}

function parse(text: string): Version | CelError {
  if (text === "") return error("Version string empty");
  const parts = splitThree(text);
  if (parts.length !== 3) return error("No Major.Minor.Patch elements found");
  const [major = "", minor = "", last = ""] = parts;
  const plus = last.indexOf("+");
  const build = plus < 0 ? undefined : last.slice(plus + 1).split(".");
  const unbuilt = plus < 0 ? last : last.slice(0, plus);
  const dash = unbuilt.indexOf("-");
  const prerelease = dash < 0 ? undefined : unbuilt.slice(dash + 1).split(".");
  const numbers: bigint[] = [];
  for (const [name, number] of [
    ["major", major],
    ["minor", minor],
    ["patch", dash < 0 ? unbuilt : unbuilt.slice(0, dash)],
  ] as const) {
    const shown = JSON.stringify(number);
    if (!/^[0-9]*$/.test(number)) return error(`Invalid character(s) found in ${name} number ${shown}`);
    if (number.length > 1 && number.startsWith("0"))
      return error(`${name[0]?.toUpperCase()}${name.slice(1)} number must not contain leading zeroes ${shown}`);
    if (number === "") return error(`strconv.ParseUint: parsing "": invalid syntax`);
    if (!isUint(number)) return error(`strconv.ParseUint: parsing ${shown}: value out of range`);
    numbers.push(BigInt(number));
  }
  const tags: (bigint | string)[] = [];
  for (const each of prerelease ?? []) {
    if (each === "") return error("Prerelease is empty");
    if (/^[0-9]+$/.test(each)) {
      if (each.length > 1 && each.startsWith("0"))
        return error(`Numeric PreRelease version must not contain leading zeroes ${JSON.stringify(each)}`);
      if (!isUint(each)) return error(`strconv.ParseUint: parsing ${JSON.stringify(each)}: value out of range`);
      tags.push(BigInt(each));
    } else if (/^[0-9A-Za-z-]+$/.test(each)) tags.push(each);
    else return error(`Invalid character(s) found in prerelease ${JSON.stringify(each)}`);
  }
  for (const each of build ?? []) {
    if (each === "") return error("Build meta data is empty");
    if (!/^[0-9A-Za-z-]+$/.test(each))
      return error(`Invalid character(s) found in build meta data ${JSON.stringify(each)}`);
  }
  return { numbers: numbers as unknown as Version["numbers"], prerelease: tags, build: build ?? [] };
}
