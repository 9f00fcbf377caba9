/** In which of the forms that are read a body is, by its media type. */
import { StatusError } from "../status-error.ts";

export type BodyForm = "json" | "yaml" | "protobuf";

const FORMS: ReadonlyMap<string, BodyForm> = new Map([
  ["application/json", "json"],
  ["application/yaml", "yaml"],
  ["application/vnd.kubernetes.protobuf", "protobuf"],
]);

const PARAMETER = /^\s*[^\s=;"]+=(?:[^\s;"]+|"[^"]*")\s*$/;

/** Without a media type it is JSON. Throws 415 for any other form, also for one that only newer clients try (CBOR). */
export function bodyForm(contentType: string | undefined, custom: boolean): BodyForm {
  if (contentType === "application/json") return "json";
  const [type = "", ...parameters] = (contentType ?? "").split(";");
  // A semicolon at the end says nothing.
  if (parameters.at(-1)?.trim() === "") parameters.pop();
  const form = contentType === undefined || contentType === "" ? "json" : FORMS.get(type.trim().toLowerCase());
  // A custom resource has no protobuf.
  if (form === undefined || (custom && form === "protobuf") || !parameters.every((each) => PARAMETER.test(each))) {
    throw unsupportedMediaType();
  }
  return form;
}

function unsupportedMediaType(): StatusError {
  const accepted = [...FORMS.keys()].join(", ");
  return new StatusError(
    415,
    "UnsupportedMediaType",
    `the body of the request was in an unknown format - accepted media types include: ${accepted}`,
  );
}
