/** What an expression may use, and what it becomes: a program that evaluates it. */
import { type Checked, check, type Names } from "./check/check.ts";
import { type FunctionDeclaration, merged } from "./check/declarations.ts";
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  INT,
  isExactly,
  listOf,
  mapOf,
  NULL,
  opaque,
  param,
  printedType,
  STRING,
  TIMESTAMP,
  TYPE,
  type Type,
  UINT,
} from "./check/types.ts";
import { validate } from "./check/validate.ts";
import { AUTHORIZATION } from "./library/authorizer.ts";
import { CIDR, IP, NETWORK } from "./library/ip.ts";
import { LISTS } from "./library/lists.ts";
import { JSON_PATCH_LIBRARY } from "./library/mutation.ts";
import { NAMED_FORMATS } from "./library/named-formats.ts";
import { OPTIONALS } from "./library/optional.ts";
import { QUANTITIES } from "./library/quantity.ts";
import { REGEX } from "./library/regex.ts";
import { SEMVERS } from "./library/semver.ts";
import { STANDARD } from "./library/standard.ts";
import { STRINGS } from "./library/strings.ts";
import { TIME } from "./library/time.ts";
import { URLS } from "./library/url.ts";
import { Senseless } from "./run/part.ts";
import { plan } from "./run/plan.ts";
import { type Program, programOf } from "./run/program.ts";
import { parse } from "./syntax/index.ts";
import { shown } from "./syntax/source.ts";

/** All that Kubernetes 1.36 gives to every expression: k8s.io/apiserver/pkg/cel/environment/base.go. */
const BASE = [
  STANDARD,
  TIME,
  OPTIONALS,
  URLS,
  REGEX,
  LISTS,
  AUTHORIZATION,
  QUANTITIES,
  STRINGS,
  NETWORK,
  NAMED_FORMATS,
  SEMVERS,
] as const;
const FUNCTIONS = merged(BASE);
const WITH_PATCHES = merged([...BASE, JSON_PATCH_LIBRARY]);

const A = param("A");
const TYPE_NAMES: ReadonlyMap<string, Type> = new Map(
  [
    BOOL,
    BYTES,
    DOUBLE,
    DURATION,
    INT,
    listOf(A),
    mapOf(A, param("B")),
    NULL,
    STRING,
    TIMESTAMP,
    TYPE,
    UINT,
    IP,
    CIDR,
    opaque("optional_type"),
  ].map((type) => [type.name, type]),
);

export interface EnvironmentOptions {
  /** Variables and their types. A name may have dots: `authorizer.requestResource`. */
  readonly variables: Readonly<Record<string, Type>>;
  /** Types that expressions may name, and build where they can be built: `mutationTypes` for MutatingAdmissionPolicies. */
  readonly types?: (name: string) => Type | undefined;
  /** Whether there is `jsonpatch.escapeKey`. */
  readonly hasPatches?: boolean;
}

export interface Environment {
  /**
   * Compiles an expression. Its type must be just one of those expected, where some are: an unknown one (`dyn`) is none of them.
   * What comes back can be kept as long as one likes: it holds nothing of an evaluation.
   */
  compile(text: string, ...expected: readonly Type[]): Compiled;
}

export type Compiled =
  | { readonly program: Program; readonly checked: Checked }
  /** Why not, in the words that Kubernetes shows behind its own. */
  | { readonly program?: undefined; readonly failure: Failure };

export type Failure =
  /** Errors of syntax and types, with their places. */
  | { readonly kind: "issues"; readonly text: string }
  /** It means something, but not what was asked for. */
  | { readonly kind: "type"; readonly text: string; readonly actual: Type }
  /** A literal in it makes no sense: `int('x')`. */
  | { readonly kind: "program"; readonly text: string };

export function createEnvironment({ variables, types, hasPatches = false }: EnvironmentOptions): Environment {
  const functions: ReadonlyMap<string, FunctionDeclaration> = hasPatches ? WITH_PATCHES : FUNCTIONS;
  const names: Names = {
    variable: (name) => (Object.hasOwn(variables, name) ? variables[name] : undefined),
    type: (name) => types?.(name) ?? TYPE_NAMES.get(name),
    function: (name) => functions.get(name),
  };
  return {
    compile(text, ...expected) {
      const parsed = parse(text);
      if (parsed.complaints.length > 0) return failed("issues", shown(parsed.complaints, parsed.source));
      const checked = check(parsed, names);
      if (checked.complaints.length > 0) return failed("issues", shown(checked.complaints, parsed.source));
      const complaints = validate(checked);
      if (complaints.length > 0) return failed("issues", shown(complaints, parsed.source));
      const fits = expected.length === 0 || expected.some((type) => isExactly(type, checked.type));
      if (!fits)
        return { failure: { kind: "type", text: mustEvaluateTo(expected, checked.type), actual: checked.type } };
      try {
        return { program: programOf(plan(checked)), checked };
      } catch (error) {
        if (!(error instanceof Senseless)) throw error;
        return failed("program", error.message);
      }
    },
  };
}

function failed(kind: "issues" | "program", text: string): Compiled {
  return { failure: { kind, text } };
}

/** As Kubernetes says it of conditions and policies. */
function mustEvaluateTo(expected: readonly Type[], actual: Type): string {
  const [only, ...more] = expected.map(printedType);
  const wanted = more.length === 0 ? only : `one of [${[only, ...more].join(" ")}]`;
  return `must evaluate to ${wanted} but got ${printedType(actual)}`;
}
