/** What this server does with a definition and with the objects under it, as an answer to be held against the real one's. */

import { storageClasses } from "../../../src/admission/storage-classes.ts";
import { type FieldError, toStatus } from "../../../src/admission/verdict.ts";
import type { Resource } from "../../../src/cluster/api/catalog/resource.ts";
import { DEFINITIONS } from "../../../src/cluster/api/crd/definition/definition.ts";
import {
  establish,
  prepareDefinition,
  resourcesOf,
  validateDefinition,
  warningsOf,
} from "../../../src/cluster/api/crd/index.ts";
import { rules } from "../../../src/cluster/api/crd/lazy-rules.ts";
import { withDefaults } from "../../../src/cluster/api/defaults/defaults.ts";
import type { JsonObject } from "../../../src/cluster/api/json.ts";
import type { Kind } from "../../../src/cluster/api/kinds/kind.ts";
import { prepareCreate } from "../../../src/cluster/api/lifecycle/create.ts";
import { textOf } from "../../../src/cluster/api/lifecycle/metadata.ts";
import { keepOtherHalf, prepareUpdate } from "../../../src/cluster/api/lifecycle/update.ts";
import { canonicalObject } from "../../../src/cluster/api/protobuf/canonical.ts";
import { validateCreate, validateUpdate } from "../../../src/cluster/api/validation/validate.ts";
import { type Answer, causesOf, lasting } from "./server.ts";

await rules.use(() => {});

const NOW = "2026-01-01T00:00:00Z";
const CHANCE = { uid: () => "u", below: () => 0 };
const AROUND = {
  gates: { StatefulSetVolumeExpansion: true, RecoverExpansionFailure: true },
  classes: storageClasses([]),
};

export function createDefinition(sent: JsonObject): Answer {
  const completed = canonicalObject(withDefaults(sent));
  const object = prepareDefinition(
    prepareCreate(DEFINITIONS, completed, { namespace: undefined, now: NOW, chance: CHANCE }),
    undefined,
  );
  const errors = [...validateCreate(DEFINITIONS, object), ...validateDefinition(object, undefined)];
  return { ...answer(DEFINITIONS, object, errors), warnings: errors.length === 0 ? warningsOf(object) : [] };
}

/** `old` as the real server has it. */
export function updateDefinition(old: JsonObject, sent: JsonObject): Answer {
  const halves = keepOtherHalf(DEFINITIONS, old, canonicalObject(withDefaults(sent)), undefined);
  const next = prepareDefinition(prepareUpdate(DEFINITIONS, old, halves, undefined), old);
  return answer(
    DEFINITIONS,
    next,
    [...validateUpdate(DEFINITIONS, old, next, AROUND), ...validateDefinition(next, old)],
    200,
  );
}

/** A definition as it is stored at first. */
export function stored(definition: JsonObject): JsonObject {
  return prepareDefinition(canonicalObject(withDefaults(definition)), undefined);
}

/** The resource in its first version, as it is once it is established. */
export function resourceOf(definition: JsonObject): Resource {
  return resourcesOf(establish(stored(definition), [], NOW))[0]!;
}

export function createObject(resource: Resource, sent: JsonObject): Answer {
  const { kind, custom } = resource;
  const { object: conformed, unknown } = custom!.conform(sent);
  const named = prepareCreate(kind, conformed, { namespace: "default", now: NOW, chance: CHANCE });
  const { status: _, ...rest } = named;
  const object = custom!.hasStatus ? rest : named;
  const errors = [...validateCreate(kind, object), ...custom!.validate(object, undefined)];
  return { ...answer(kind, object, errors), warnings: unknown.map((path) => `unknown field "${path}"`).toSorted() };
}

export function updateStatus({ kind, custom }: Resource, old: JsonObject, sent: JsonObject): Answer {
  const { object: conformed, unknown } = custom!.conform(sent);
  const { status: _, ...rest } = old;
  const status = conformed["status"];
  const next = status === undefined ? rest : { ...rest, status };
  return {
    ...answer(kind, next, custom!.validate(next, old, "status"), 200),
    warnings: unknown.map((path) => `unknown field "${path}"`).toSorted(),
  };
}

export function updateObject({ kind, custom }: Resource, old: JsonObject, sent: JsonObject): Answer {
  const { object: conformed, unknown } = custom!.conform(sent);
  const next = prepareUpdate(kind, old, keepOtherHalf(kind, old, conformed, undefined), undefined);
  const errors = [...validateUpdate(kind, old, next, AROUND), ...custom!.validate(next, old)];
  return { ...answer(kind, next, errors, 200), warnings: unknown.map((path) => `unknown field "${path}"`).toSorted() };
}

function answer(kind: Kind, object: JsonObject, errors: readonly FieldError[], code = 201): Answer {
  if (errors.length === 0) {
    return { code, reason: "", message: "", causes: [], warnings: [], object: lasting(object) };
  }
  const target = { group: kind.group, kind: kind.kind, resource: kind.plural, name: textOf(object, "name") };
  const status = toStatus({ kind: "invalid", target, errors });
  const causes = causesOf(status.details.causes ?? []);
  return { code: status.code, reason: status.reason, message: "", causes, warnings: [], object: null };
}
