/** What a rule of a webhook may name (upstream validateRuleWithOperations). */
import { type FieldError, invalid, notSupported, required } from "../../../admission/verdict.ts";
import type { HookRule } from "./hook.ts";

const OPERATIONS = ["*", "CONNECT", "CREATE", "DELETE", "UPDATE"];
const SCOPES = ["*", "Cluster", "Namespaced"];

export function checkRule(rule: HookRule, path: string): FieldError[] {
  const { operations = [], apiGroups = [], apiVersions = [], resources = [], scope } = rule;
  return [
    ...checkList(operations, `${path}.operations`, "operations"),
    ...operations.flatMap((operation, index) =>
      OPERATIONS.includes(operation) ? [] : [notSupported(`${path}.operations[${index}]`, operation, OPERATIONS)],
    ),
    ...checkList(apiGroups, `${path}.apiGroups`, "API groups"),
    ...checkList(apiVersions, `${path}.apiVersions`, "API versions"),
    ...emptyItems(apiVersions, `${path}.apiVersions`),
    ...checkResources(resources, `${path}.resources`),
    ...(scope === undefined || SCOPES.includes(scope) ? [] : [notSupported(`${path}.scope`, scope, SCOPES)]),
  ];
}

/** Not empty, and nothing beside a star. */
function checkList(list: readonly string[], path: string, what: string): FieldError[] {
  if (list.length === 0) return [required(path)];
  if (list.length === 1 || !list.includes("*")) return [];
  return [invalid(path, list, `if '*' is present, must not specify other ${what}`)];
}

function emptyItems(list: readonly string[], path: string): FieldError[] {
  return list.flatMap((item, index) => (item === "" ? [required(`${path}[${index}]`)] : []));
}

function checkResources(resources: readonly string[], path: string): FieldError[] {
  const errors: FieldError[] = resources.length === 0 ? [required(path)] : [];
  const anySubresourceOf = new Set<string>();
  const ofAnyResource = new Set<string>();
  let plain = false;
  for (const [index, resource] of resources.entries()) {
    const at = `${path}[${index}]`;
    if (resource === "") {
      errors.push(required(at));
      continue;
    }
    const slash = resource.indexOf("/");
    if (slash < 0) {
      // The last one decides, as upstream.
      plain = resource !== "*";
      continue;
    }
    const [name, inner] = [resource.slice(0, slash), resource.slice(slash + 1)];
    if (anySubresourceOf.has(name))
      errors.push(invalid(at, resource, `if '${name}/*' is present, must not specify ${resource}`));
    if (ofAnyResource.has(inner))
      errors.push(invalid(at, resource, `if '*/${inner}' is present, must not specify ${resource}`));
    if (inner === "*") anySubresourceOf.add(name);
    if (name === "*") ofAnyResource.add(inner);
  }
  if (resources.length > 1 && resources.includes("*/*"))
    errors.push(invalid(path, resources, "if '*/*' is present, must not specify other resources"));
  if (resources.includes("*") && plain)
    errors.push(invalid(path, resources, "if '*' is present, must not specify other resources without subresources"));
  return errors;
}
