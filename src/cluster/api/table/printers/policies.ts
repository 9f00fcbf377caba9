/** Admission policies, mutating and validating, and their bindings. */
import type { Json, JsonObject } from "../../json.ts";
import { at, items, object, present, text, texts } from "../fields.ts";
import { AGE, column, INTEGER, NAME, printer } from "../printer.ts";
import { compare } from "../texts.ts";

const UNSET = "<unset>";

const PARAM_KIND = column("ParamKind", (policy) =>
  present(policy, "spec", "paramKind")
    ? `${text(policy, "spec", "paramKind", "apiVersion")}/${text(policy, "spec", "paramKind", "kind")}`
    : UNSET,
);

export const mutatingPolicies = printer([
  NAME,
  column("Mutations", (policy) => items(policy, "spec", "mutations").length, INTEGER),
  PARAM_KIND,
  AGE,
]);

export const validatingPolicies = printer([
  NAME,
  column("Validations", (policy) => items(policy, "spec", "validations").length, INTEGER),
  PARAM_KIND,
  AGE,
]);

export const policyBindings = printer([
  NAME,
  column("PolicyName", (binding) => text(binding, "spec", "policyName")),
  column("ParamRef", (binding) => paramRef(object(binding, "spec", "paramRef"))),
  AGE,
]);

/** `namespace/name`; any namespace is `*`, also where the parameter has none. A selector is shown as Go prints it. */
function paramRef(ref: JsonObject): string {
  const name = text(ref, "name");
  if (name !== "") return `${text(ref, "namespace") || "*"}/${name}`;
  return present(ref, "selector") ? goSelector(at(ref, "selector")) : UNSET;
}

function goSelector(selector: Json | undefined): string {
  const labels = object(selector, "matchLabels");
  const pairs = Object.keys(labels)
    .toSorted(compare)
    .map((key) => `${key}: ${text(labels, key)},`)
    .join("");
  const expressions = items(selector, "matchExpressions").map((each) => {
    const values = texts(each, "values").join(" ");
    return `LabelSelectorRequirement{Key:${text(each, "key")},Operator:${text(each, "operator")},Values:[${values}],},`;
  });
  return `&LabelSelector{MatchLabels:map[string]string{${pairs}},MatchExpressions:[]LabelSelectorRequirement{${expressions.join("")}},}`;
}
