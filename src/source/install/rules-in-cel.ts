/**
 * What the API server itself can refuse in a source: rules of the schema, in CEL. They say what `checkSource` says, as far as a
 * rule sees it: a server evaluates them when a source is written, the controller checks everything again.
 */
import { PLACEHOLDERS } from "../decide/placeholders.ts";

/** An entry of `x-kubernetes-validations`. */
export interface Rule {
  readonly rule: string;
  readonly message?: string;
  /** An expression whose text is the message. */
  readonly messageExpression?: string;
}

/** A text as CEL writes it, backslashes as they are. */
const raw = (text: string) => `r'''${text}'''`;

/** The steps of a path, as far as they are some: `src/source/decide/path.ts` reads the same. */
const STEPS = String.raw`^(\.[A-Za-z_][A-Za-z0-9_-]*|\[[0-9]{1,9}\]|\[\*\]|\["([^"\\]|\\.)*"\]|\['([^'\\]|\\.)*'\])*`;

/**
 * For a string that is a path. Shows what is left where it stops to be one: a number for the position would take `format`, which
 * API servers let into new rules from 1.30 on only.
 */
export const IS_PATH: readonly Rule[] = [
  {
    rule: `self.find(${raw(STEPS)}) == self`,
    messageExpression: `'is no path from "' + self.substring(self.find(${raw(STEPS)}).size()) + '" on; write it from the resource down, as .spec.storage.size'`,
  },
];

/** For a string that leads through one list at most. */
export const ONE_LIST: readonly Rule[] = [
  { rule: "self.split('[*]').size() <= 2", message: "goes through more than one list; only one [*] is possible" },
];

const WORDS = String.raw`\{(name|namespace|item\.[A-Za-z_][A-Za-z0-9_-]*)\}`;

/** For a string with placeholders. */
export const FILLABLE: readonly Rule[] = [
  {
    rule: `self.matches(${raw(`^([^{}]|${WORDS})*$`)})`,
    message: `has a placeholder that nothing fills; there are ${PLACEHOLDERS}`,
  },
];

/** For the name of a set. */
export const NAMES_A_SET: readonly Rule[] = [
  ...FILLABLE,
  { rule: "self.contains('{name}')", message: "every resource would follow the same set; have {name} in it" },
];

/** For a label selector. */
export const SELECTS_OWN: readonly Rule[] = [
  {
    rule: [
      "has(self.matchLabels) && self.matchLabels.exists(key, self.matchLabels[key].contains('{name}'))",
      "has(self.matchExpressions) && self.matchExpressions.exists(e, e.operator == 'In' && has(e.values) && e.values.exists(v, v.contains('{name}')))",
    ].join(" || "),
    message: "every resource would have the same; have {name} in the value of a label",
  },
];

const given = (...fields: string[]) => `[${fields.map((field) => `has(self.${field})`).join(", ")}]`;

/** For a named claim. */
export const ONE_FOLLOWER: readonly Rule[] = [
  {
    rule: "!has(self.statefulSetName) || !has(self.claimSelector)",
    message: "only one of statefulSetName and claimSelector says who follows",
  },
];

/** For the spec as a whole. */
export const SPEC_RULES: readonly Rule[] = [
  {
    rule: `${given("claimTemplatesPath", "claims")}.exists_one(given, given)`,
    message:
      "exactly one of claimTemplatesPath (a list of claim templates) and claims (sizes that stand alone) is needed",
  },
  {
    rule: `${given("statefulSetName", "statefulSetSelector", "claimSelector")}.filter(given, given).size() <= 1`,
    message: "only one of statefulSetName, statefulSetSelector and claimSelector says who follows",
  },
  {
    rule: "has(self.statefulSetName) || has(self.statefulSetSelector) || has(self.claimSelector) || has(self.claims) && self.claims.all(c, has(c.statefulSetName) || has(c.claimSelector))",
    message: "one of statefulSetName, statefulSetSelector and claimSelector is needed: who follows the sizes",
  },
  {
    rule: "!has(self.claimTemplatesPath) || !has(self.claimSelector)",
    message:
      "labels do not tell which claim is of which template; name each size in claims, with its own claimSelector",
  },
  {
    rule: "!has(self.conditionsPath) || has(self.condition)",
    message: "conditionsPath needs condition, the type of the condition to report there",
  },
];
