/** What is odd about the expressions of a policy, given the kinds that it is for (upstream policy/validating/typechecking.go). */

import type { Catalog } from "../catalog/catalog.ts";
import type { Resource } from "../catalog/resource.ts";
import {
  ADMISSION_REQUEST,
  AUTHORIZER,
  createEnvironment,
  DYN,
  type Environment,
  NAMESPACE_OBJECT,
  RESOURCE_CHECK,
  type Type,
} from "../cel/index.ts";
import { compose, effortOf } from "../expressions/expression.ts";
import { groupVersionOf } from "../kinds/kind.ts";
import type { Steps } from "../steps.ts";
import { goKind } from "./params.ts";
import type { PolicySpec } from "./policy.ts";
import { objectTypeOf } from "./schema-types.ts";

export interface ExpressionWarning {
  readonly fieldRef: string;
  readonly warning: string;
}

const MAX_TYPES = 10;

/** Only validations and their messages are looked at, each a step for each kind. A warning changes nothing about what the policy does. */
export function* typeWarnings(spec: PolicySpec, catalog: Catalog): Steps<readonly ExpressionWarning[]> {
  const params = spec.paramKind === undefined ? undefined : paramsType(spec.paramKind, catalog);
  const environments: Named[] = [];
  for (const resource of resourcesOf(spec, catalog)) {
    const object = objectTypeOf(resource);
    if (object === undefined) continue;
    const name = goKind({ apiVersion: groupVersionOf(resource.kind), kind: resource.kind.kind });
    environments.push({ name, environment: yield* environmentFor(spec, object, params) });
  }
  const warnings: ExpressionWarning[] = [];
  for (const [index, { expression, messageExpression = "" }] of (spec.validations ?? []).entries()) {
    const at = `spec.validations[${index}]`;
    warnings.push(...(yield* check(expression, environments, `${at}.expression`)));
    if (messageExpression !== "")
      warnings.push(...(yield* check(messageExpression, environments, `${at}.messageExpression`)));
  }
  return warnings;
}

/** What expressions see of objects of a kind. */
interface Named {
  readonly name: string;
  readonly environment: Environment;
}

function* check(text: string, environments: readonly Named[], fieldRef: string): Steps<ExpressionWarning[]> {
  const found: string[] = [];
  for (const { name, environment } of environments) {
    const compiled = environment.compile(text);
    if (compiled.program === undefined && compiled.failure.kind === "issues")
      found.push(`${name}: ${compiled.failure.text}\n`);
    yield effortOf(text);
  }
  return found.length === 0 ? [] : [{ fieldRef, warning: found.join("\n") }];
}

function paramsType({ apiVersion = "", kind = "" }: NonNullable<PolicySpec["paramKind"]>, catalog: Catalog): Type {
  const resource = catalog.findKind(apiVersion, kind);
  return (resource === undefined ? undefined : objectTypeOf(resource)) ?? DYN;
}

function* environmentFor({ variables = [] }: PolicySpec, object: Type, params: Type | undefined): Steps<Environment> {
  const environment = (type: Type): Environment =>
    createEnvironment({
      variables: {
        object,
        oldObject: object,
        request: ADMISSION_REQUEST,
        namespaceObject: NAMESPACE_OBJECT,
        authorizer: AUTHORIZER,
        "authorizer.requestResource": RESOURCE_CHECK,
        variables: type,
        ...(params === undefined ? {} : { params }),
      },
    });
  const composition = compose(environment);
  for (const variable of variables) {
    composition.add(variable);
    yield effortOf(variable.expression);
  }
  return environment(composition.type);
}

/** What the rules name outright: by group, version and kind. */
function resourcesOf({ matchConstraints }: PolicySpec, catalog: Catalog): readonly Resource[] {
  const found = new Set<Resource>();
  for (const { apiGroups = [], apiVersions = [], resources = [] } of matchConstraints?.resourceRules ?? []) {
    if ([...apiGroups, ...apiVersions].some((each) => each.includes("*"))) continue;
    const plain = resources.filter((each) => !/[*/]/.test(each));
    const named = apiGroups
      .toSorted()
      .flatMap((group) =>
        apiVersions
          .toSorted()
          .flatMap((version) => plain.toSorted().flatMap((resource) => catalog.find(group, version, resource) ?? [])),
      );
    for (const resource of named.slice(0, MAX_TYPES)) found.add(resource);
    if (named.length >= MAX_TYPES) break;
  }
  const key = ({ kind: { group, version, kind } }: Resource): string => [group, version, kind].join(" ");
  return [...found].sort((a, b) => (key(a) < key(b) ? -1 : 1));
}
