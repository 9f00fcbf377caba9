/** What the server fills into a definition: apiextensions-apiserver pkg/apis/apiextensions/v1/defaults.go. */
import { get, isObject, type JsonObject } from "../../json.ts";
import { asDefinition, asObject, type Conversion, type DefinitionStatus, storageVersion } from "./definition.ts";

const WEBHOOK_PORT = 443;

/** The definition with its defaults. The given one is left as it is. */
export function defaultDefinition(definition: JsonObject): JsonObject {
  // A definition without spec or names is refused afterwards; until then there is nothing to complete.
  const spec = get(definition, "spec");
  if (!isObject(spec) || !isObject(get(spec, "names"))) return definition;
  const read = asDefinition(definition);
  const { names } = read.spec;
  const kind = names.kind || "";
  return asObject({
    ...read,
    spec: {
      ...read.spec,
      names: {
        ...names,
        singular: names.singular || kind.toLowerCase(),
        ...(kind !== "" && { listKind: names.listKind || `${kind}List` }),
      },
      conversion: withPort(read.spec.conversion ?? { strategy: "None" }),
    },
  });
}

function withPort(conversion: Conversion): Conversion {
  const service = conversion.webhook?.clientConfig?.service;
  if (service === undefined) return conversion;
  return {
    ...conversion,
    webhook: {
      ...conversion.webhook,
      clientConfig: {
        ...conversion.webhook?.clientConfig,
        service: { ...service, port: service.port ?? WEBHOOK_PORT },
      },
    },
  };
}

/**
 * The definition with the status that a write through its own endpoint leaves it: a new one begins without conditions, an
 * update keeps what the old one has. The version in which objects are stored from now on is among those that may be stored.
 */
export function prepareDefinition(next: JsonObject, old: JsonObject | undefined): JsonObject {
  const read = asDefinition(next);
  const before: DefinitionStatus =
    old === undefined
      ? { conditions: null, acceptedNames: { plural: "", kind: "" } }
      : (asDefinition(old).status ?? {});
  const stored = before.storedVersions ?? [];
  const current = storageVersion(read.spec);
  const storedVersions = current === undefined || stored.includes(current) ? stored : [...stored, current];
  return asObject({ ...read, status: { ...before, storedVersions } });
}
