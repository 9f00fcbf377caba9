/** A CustomResourceDefinition, as far as it is read here. The server has checked the types of its fields when it was written. */
import type { JsonObject } from "../../json.ts";
import { BUILT_IN } from "../../kinds/built-in.ts";
import type { Kind } from "../../kinds/kind.ts";
import type { PrinterColumn } from "../../table/custom-printer.ts";
import type { WebhookSpec } from "../../webhooks/hook.ts";

export interface Definition {
  readonly metadata: {
    readonly name: string;
    readonly generation?: number;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly deletionTimestamp?: string;
    readonly finalizers?: readonly string[];
  };
  readonly spec: DefinitionSpec;
  readonly status?: DefinitionStatus;
}

export interface DefinitionSpec {
  readonly group: string;
  readonly scope: string;
  readonly names: Names;
  readonly versions: readonly Version[];
  readonly preserveUnknownFields?: boolean;
  readonly conversion?: Conversion;
}

export interface Names {
  readonly plural: string;
  readonly kind: string;
  readonly singular?: string;
  readonly listKind?: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
}

export interface Version {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly deprecated?: boolean;
  readonly deprecationWarning?: string;
  readonly schema?: { readonly openAPIV3Schema?: JsonObject };
  readonly subresources?: Subresources;
  readonly additionalPrinterColumns?: readonly PrinterColumn[];
  readonly selectableFields?: readonly { readonly jsonPath: string }[];
}

export interface Subresources {
  readonly status?: JsonObject;
  readonly scale?: {
    readonly specReplicasPath: string;
    readonly statusReplicasPath: string;
    readonly labelSelectorPath?: string;
  };
}

export interface Conversion {
  readonly strategy: string;
  readonly webhook?: {
    readonly conversionReviewVersions?: readonly string[];
    readonly clientConfig?: WebhookSpec["clientConfig"];
  };
}

export interface DefinitionStatus {
  readonly conditions?: readonly Condition[] | null;
  readonly acceptedNames?: Names;
  readonly storedVersions?: readonly string[] | null;
}

export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string | null;
}

/** The object as a definition. One that names no versions, and will be refused for that, has null where they should be. */
export function asDefinition(object: JsonObject): Definition {
  const definition = object as unknown as Definition;
  const versions = definition.spec.versions as readonly Version[] | null;
  return versions === null ? { ...definition, spec: { ...definition.spec, versions: [] } } : definition;
}

/** The other way round, for what is written. */
export function asObject(definition: Definition): JsonObject {
  return definition as unknown as JsonObject;
}

/** The row of definitions themselves. */
export const DEFINITIONS = rowOf("CustomResourceDefinition");

function rowOf(name: string): Kind {
  const found = BUILT_IN.find(({ kind }) => kind === name);
  if (found === undefined) throw new Error(`the table of kinds has no ${name}`);
  return found;
}

/** The version in which objects are stored; undefined in a definition that was not validated. */
export function storageVersion({ versions }: Pick<DefinitionSpec, "versions">): string | undefined {
  return versions.find(({ storage }) => storage)?.name;
}

export function conditionOf({ status }: Definition, type: string): Condition | undefined {
  return status?.conditions?.find((condition) => condition.type === type);
}

export function isTrue(definition: Definition, type: string): boolean {
  return conditionOf(definition, type)?.status === "True";
}
