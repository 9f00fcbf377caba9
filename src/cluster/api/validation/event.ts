/** What an event must say (upstream pkg/apis/core/validation/events.go). Those of events.k8s.io must say more. */
import { type FieldError, invalid, required } from "../../../admission/verdict.ts";
import { get, isObject, type Json, type JsonObject, jsonEqual } from "../json.ts";
import { metadataOf } from "../lifecycle/metadata.ts";
import { labelKeyErrors } from "../selectors/label-syntax.ts";

/** What the version calls its fields; errors name them as the core version does, all but the controller. */
interface Words {
  readonly about: string;
  readonly note: string;
  readonly controller: string;
  readonly deprecated: readonly (readonly [field: string, name: string])[];
}

const CORE: Words = { about: "involvedObject", note: "message", controller: "reportingComponent", deprecated: [] };
const GROUP: Words = {
  about: "regarding",
  note: "note",
  controller: "reportingController",
  deprecated: [
    ["deprecatedFirstTimestamp", "firstTimestamp"],
    ["deprecatedLastTimestamp", "lastTimestamp"],
    ["deprecatedCount", "count"],
    ["deprecatedSource", "source"],
  ],
};

/** Of the core version. */
export function validateEvent(event: JsonObject): FieldError[] {
  return commonErrors(event, CORE);
}

/** Of events.k8s.io. */
export function validateNewEvent(event: JsonObject): FieldError[] {
  const type = textOf(event, "type");
  return [
    ...commonErrors(event, GROUP),
    ...seriesErrors(event),
    ...(isNothing(get(event, "eventTime")) ? [required("eventTime")] : []),
    ...(type === "Normal" || type === "Warning" ? [] : [invalid("type", "", `has invalid value: ${type}`)]),
    ...GROUP.deprecated.flatMap(([field, name]) =>
      isNothing(get(event, field)) ? [] : [invalid(name, "", "needs to be unset")],
    ),
  ];
}

/** Fields that stay as they are told first, with the names in which errors tell of them. */
const IMMUTABLE = [
  [GROUP.about, "involvedObject"],
  ["reason", "reason"],
  [GROUP.note, "message"],
  ["deprecatedSource", "source"],
  ["deprecatedFirstTimestamp", "firstTimestamp"],
  ["deprecatedLastTimestamp", "lastTimestamp"],
  ["deprecatedCount", "count"],
  ["type", "type"],
  ["eventTime", "eventTime"],
  ["action", "action"],
  ["related", "related"],
  [GROUP.controller, GROUP.controller],
  ["reportingInstance", "reportingInstance"],
] as const;

/** Of events.k8s.io: only the series goes on. */
export function validateNewEventUpdate(old: JsonObject, next: JsonObject): FieldError[] {
  const isSameSeries = jsonEqual(get(old, "series") ?? null, get(next, "series") ?? null);
  return [
    ...commonErrors(next, GROUP),
    ...(isSameSeries ? [] : seriesErrors(next)),
    ...IMMUTABLE.flatMap(([field, name]) => {
      const [before, after] = [get(old, field) ?? null, get(next, field) ?? null];
      return jsonEqual(before, after) ? [] : [invalid(name, after, "field is immutable")];
    }),
  ];
}

function seriesErrors(event: JsonObject): FieldError[] {
  const series = get(event, "series");
  if (!isObject(series)) return [];
  return [
    ...(Number(get(series, "count") ?? 0) < 2 ? [invalid("series.count", "", "should be at least 2")] : []),
    ...(isNothing(get(series, "lastObservedTime")) ? [required("series.lastObservedTime")] : []),
  ];
}

function commonErrors(event: JsonObject, { about, note, controller }: Words): FieldError[] {
  const text = (field: string): string => textOf(event, field);
  const namespace = textOf(metadataOf(event), "namespace");
  const object = get(event, about);
  const other = isObject(object) ? textOf(object, "namespace") : "";
  const elsewhere = invalid("involvedObject.namespace", other, "does not match event.namespace");
  if (isNothing(get(event, "eventTime"))) {
    return (other === "" ? namespace === "default" : other === namespace) ? [] : [elsewhere];
  }
  return [
    ...(other === "" && namespace !== "default" && namespace !== "kube-system" ? [elsewhere] : []),
    ...(text(controller) === "" ? [required(controller)] : []),
    ...labelKeyErrors(text(controller)).map((problem) => invalid(controller, text(controller), problem)),
    ...["reportingInstance", "action", "reason"].flatMap((field) => [
      ...(text(field) === "" ? [required(field)] : []),
      ...lengthErrors(field, text(field), 128),
    ]),
    ...lengthErrors("message", text(note), 1024),
  ];
}

function textOf(object: JsonObject, field: string): string {
  const value = get(object, field);
  return typeof value === "string" ? value : "";
}

function lengthErrors(name: string, text: string, max: number): FieldError[] {
  return Buffer.byteLength(text) > max ? [invalid(name, "", `can have at most ${max} characters`)] : [];
}

/** Missing, or as good as missing. */
function isNothing(value: Json | undefined): boolean {
  return value === undefined || value === null || value === 0 || (isObject(value) && Object.keys(value).length === 0);
}
