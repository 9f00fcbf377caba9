/**
 * A definition as upstream sees it when it validates one: what all versions share stands once, at the top. Messages name the
 * fields of that form (apiextensions-apiserver pkg/apis/apiextensions/v1/conversion.go).
 */
import { semanticallyEqual } from "../../../../core/semantic-equal.ts";
import type { JsonObject } from "../../json.ts";
import type { PrinterColumn } from "../../table/custom-printer.ts";
import type { DefinitionSpec, Subresources, Version } from "./definition.ts";

/** What a version says of its objects, and where it stands. */
export interface Described {
  readonly path: string;
  /** Whether a status endpoint belongs to it. */
  readonly hasStatus: boolean;
  readonly schema: JsonObject | undefined;
  readonly subresources: Subresources | undefined;
  readonly columns: readonly PrinterColumn[];
  readonly selectable: readonly { readonly jsonPath: string }[];
}

export interface Internal {
  /** What all versions share. Only there where there are versions. */
  readonly shared: Described;
  /** What each says for itself. */
  readonly versions: readonly Described[];
}

export function internalForm({ versions }: DefinitionSpec): Internal {
  const [first] = versions;
  const shares = (read: (version: Version) => unknown): boolean =>
    versions.every((version) => version === first || semanticallyEqual(read(version), read(first ?? version)));
  const shared = {
    schema: shares(({ schema }) => schema) ? first?.schema : undefined,
    subresources: shares(({ subresources }) => marked(subresources)) ? first?.subresources : undefined,
    columns: shares(({ additionalPrinterColumns }) => additionalPrinterColumns)
      ? first?.additionalPrinterColumns
      : undefined,
    selectable: shares(({ selectableFields }) => selectableFields) ? first?.selectableFields : undefined,
  };
  return {
    shared: {
      path: "spec",
      hasStatus: versions.some(({ subresources }) => subresources?.status !== undefined),
      schema: shared.schema?.openAPIV3Schema,
      subresources: shared.subresources,
      columns: shared.columns ?? [],
      selectable: shared.selectable ?? [],
    },
    versions: versions.map((version, index) => ({
      path: `spec.versions[${index}]`,
      hasStatus: version.subresources?.status !== undefined,
      schema: shared.schema === undefined ? version.schema?.openAPIV3Schema : undefined,
      subresources: shared.subresources === undefined ? version.subresources : undefined,
      columns: shared.columns === undefined ? (version.additionalPrinterColumns ?? []) : [],
      selectable: shared.selectable === undefined ? (version.selectableFields ?? []) : [],
    })),
  };
}

/** An endpoint that is there says so by an empty object, which is something. */
function marked(subresources: Subresources | undefined): unknown {
  return subresources === undefined ? undefined : { ...subresources, status: subresources.status !== undefined };
}
