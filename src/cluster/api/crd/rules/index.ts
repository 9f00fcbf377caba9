/** Rules in CEL, of a definition and for its objects. With CEL itself behind it, it is loaded when the first rule comes: lazy-rules.ts. */
export { ruleErrors } from "./rule-errors.ts";
export { rulesOf, type ValidateRules } from "./validate-rules.ts";
