/** What a request for objects may ask for besides them: versions, matches and numbers, and which of these go together. */
import { type FieldError, forbidden, notSupported } from "../../../admission/verdict.ts";
import { tooLargeVersion } from "../objects/list.ts";
import { badRequest, internalError } from "../status-error.ts";
import { refuse } from "./write-options.ts";

/** Throws 400 for what is no number. */
export function numberOf(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null || text === "") return undefined;
  if (!/^-?\d+$/.test(text)) {
    throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
  }
  return Number(text);
}

const MATCHES = ["Exact", "NotOlderThan"];

/** Which versions and matches go together (upstream meta/internalversion/validation). Throws 422. */
export function checkVersionMatch(query: URLSearchParams, watch: boolean): void {
  const match = query.get("resourceVersionMatch") ?? "";
  const version = query.get("resourceVersion") ?? "";
  const initial = query.get("sendInitialEvents");
  refuse(
    "ListOptions",
    watch ? watchErrors(match, version, query, initial) : listErrors(match, version, query, initial),
  );
}

function watchErrors(match: string, version: string, query: URLSearchParams, initial: string | null): FieldError[] {
  const path = "resourceVersionMatch";
  const errors: FieldError[] = [];
  if (initial !== null && match !== "NotOlderThan") {
    errors.push(forbidden(path, "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan"));
  }
  if (initial === null && match !== "") {
    errors.push(forbidden(path, `${path} is forbidden for watch unless sendInitialEvents is provided`));
  }
  if (match !== "" && match !== "NotOlderThan") errors.push(notSupported(path, match, ["NotOlderThan"]));
  // A watch that says nothing else is one that begins with the state, and is judged as one that says so.
  const beginsWithState = initial === null && (version === "" || version === "0");
  if ((match !== "" || beginsWithState) && isContinued(query)) {
    errors.push(forbidden(path, `${path} is forbidden when continue is provided`));
  }
  return errors;
}

function isContinued(query: URLSearchParams): boolean {
  return (query.get("continue") ?? "") !== "";
}

function listErrors(match: string, version: string, query: URLSearchParams, initial: string | null): FieldError[] {
  const path = "resourceVersionMatch";
  const streaming = initial === null ? [] : [forbidden("sendInitialEvents", "sendInitialEvents is forbidden for list")];
  if (match === "") return streaming;
  const errors: FieldError[] = [];
  if (version === "") errors.push(forbidden(path, `${path} is forbidden unless resourceVersion is provided`));
  if (isContinued(query)) errors.push(forbidden(path, `${path} is forbidden when continue is provided`));
  if (!MATCHES.includes(match)) errors.push(notSupported(path, match, [...MATCHES, ""]));
  if (match === "Exact" && version === "0") {
    errors.push(forbidden(path, `${path} "exact" is forbidden for resourceVersion "0"`));
  }
  return [...errors, ...streaming];
}

/** One object is never older than the version that is asked for. Throws 504 for one that is still to come, 500 for none. */
export function checkVersionOfOne(query: URLSearchParams, current: number): void {
  const asked = readVersion(query);
  if (asked > current) throw tooLargeVersion(asked, current);
}

/** The version that is asked for; 0: any. Throws 500 for what is none. */
export function readVersion(query: URLSearchParams): number {
  const text = query.get("resourceVersion") ?? "";
  if (/^\d*$/.test(text)) return Number(text);
  const shown = JSON.stringify(text);
  throw internalError(`resourceVersion: Invalid value: ${shown}: strconv.ParseUint: parsing ${shown}: invalid syntax`);
}
