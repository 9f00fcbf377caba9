/** Refusals that are about one object: there is none, there is one already, it is not as the client believes. */
import { type Kind, resourceName } from "../kinds/kind.ts";
import { StatusError, type StatusSubject } from "../status-error.ts";

type Named = Pick<Kind, "group" | "plural">;

/** As the details of a refusal name an object. */
export function aboutObject({ group, plural }: Named, name: string): StatusSubject {
  return { name, group, kind: plural };
}

export function notFound(kind: Named, name: string): StatusError {
  const message = `${resourceName(kind)} ${JSON.stringify(name)} not found`;
  return new StatusError(404, "NotFound", message, [], aboutObject(kind, name));
}

/** There is one of that name already. `deleting`: it is on its way out. */
export function alreadyExists(kind: Named, name: string, deleting: boolean): StatusError {
  const prefix = deleting ? "object is being deleted: " : "";
  const message = `${prefix}${resourceName(kind)} ${JSON.stringify(name)} already exists`;
  return new StatusError(409, "AlreadyExists", message, [], aboutObject(kind, name));
}

export function isAlreadyExists(error: unknown): error is StatusError {
  return error instanceof StatusError && error.reason === "AlreadyExists";
}

/** The same of an object with a generateName, whoever has chosen the name: so it is upstream. */
export function noUniqueName({ code, reason, message, causes, about }: StatusError): StatusError {
  const more = "the server was not able to generate a unique name for the object";
  return new StatusError(code, reason, `${message}, ${more}`, causes, { ...about, retryAfterSeconds: 1 });
}

/** This one, whatever the right to others. */
export function forbiddenObject(kind: Named, name: string, why: string): StatusError {
  const message = `${resourceName(kind)} ${JSON.stringify(name)} is forbidden: ${why}`;
  return new StatusError(403, "Forbidden", message, [], aboutObject(kind, name));
}

export function conflict(kind: Named, name: string, why: string): StatusError {
  const message = `Operation cannot be fulfilled on ${resourceName(kind)} ${JSON.stringify(name)}: ${why}`;
  return new StatusError(409, "Conflict", message, [], aboutObject(kind, name));
}

/** Somebody else has written it since. */
export function modified(kind: Named, name: string): StatusError {
  return conflict(
    kind,
    name,
    "the object has been modified; please apply your changes to the latest version and try again",
  );
}
