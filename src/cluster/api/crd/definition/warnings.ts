/** What a client is told about a definition that is taken. */
import { get, type JsonObject } from "../../json.ts";
import { formatOf } from "../schema/formats.ts";
import { asDefinition, type Definition } from "./definition.ts";
import { schemasIn, textAt } from "./written-schema.ts";

/**
 * Formats that are not checked, as Kubernetes warns of them, then what this server leaves out: conversion by webhooks. An update
 * is told only what `old` was not.
 */
export function warningsOf(next: JsonObject, old?: JsonObject): string[] {
  const known = new Set(old === undefined ? [] : allWarnings(asDefinition(old)));
  return allWarnings(asDefinition(next)).filter((warning) => !known.has(warning));
}

function allWarnings(definition: Definition): string[] {
  const { spec } = definition;
  const schemas = spec.versions.flatMap(({ schema }) => [...schemasIn(schema?.openAPIV3Schema ?? {})]);
  return [
    ...new Set(schemas.flatMap(unknownFormat)),
    ...(spec.conversion?.strategy === "Webhook" && spec.versions.length > 1
      ? [
          "spec.conversion: webhooks are not called by this server; every version shows an object as it was written, under another apiVersion",
        ]
      : []),
  ];
}

function unknownFormat(schema: JsonObject): string[] {
  const format = textAt(schema, "format");
  if (format === "") return [];
  const intOrString = get(schema, "x-kubernetes-int-or-string") === true;
  const type = textAt(schema, "type");
  const types = intOrString || type === "" ? [] : [type];
  return formatOf(format, types) === undefined ? [`unrecognized format ${JSON.stringify(format)}`] : [];
}
