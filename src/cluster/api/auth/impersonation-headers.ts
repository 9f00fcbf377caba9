/** Whom the headers of a request name as the one who asks. */
import { badRequest } from "../status-error.ts";
import { firstOf, type RequestHeaders, valuesOf } from "./request-headers.ts";

export type { RequestHeaders } from "./request-headers.ts";

export interface Wanted {
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: ReadonlyMap<string, readonly string[]>;
}

const PREFIX = "impersonate-";
const EXTRA = "impersonate-extra-";

/** Undefined where there are no such headers. Throws 400 when they name anything but a user. */
export function readWanted(headers: RequestHeaders): Wanted | undefined {
  // Nearly nobody wants to be somebody else.
  if (!Object.keys(headers).some((header) => header.startsWith(PREFIX))) return undefined;
  const extra = new Map<string, readonly string[]>();
  for (const header of Object.keys(headers)) {
    if (!header.startsWith(EXTRA)) continue;
    const key = unescaped(header.slice(EXTRA.length));
    extra.set(key, [...(extra.get(key) ?? []), ...valuesOf(headers, header)]);
  }
  const wanted: Wanted = {
    name: firstOf(headers, "impersonate-user"),
    uid: firstOf(headers, "impersonate-uid"),
    groups: valuesOf(headers, "impersonate-group"),
    extra,
  };
  if (wanted.name !== "") return wanted;
  if (wanted.uid === "" && wanted.groups.length === 0 && extra.size === 0) return undefined;
  throw badRequest(`requested ${goSyntax(wanted)} without impersonating a user name`);
}

/** Keys are percent-encoded, since a header has no capital letters and no slashes; malformed ones are taken as they are. */
function unescaped(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}

/** As Go writes the structure with `%#v`. */
function goSyntax({ name, uid, groups, extra }: Wanted): string {
  const list = (texts: readonly string[]) => `[]string{${texts.map((text) => JSON.stringify(text)).join(", ")}}`;
  const entries = [...extra]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, values]) => `${JSON.stringify(key)}:${list(values)}`);
  return (
    `&user.DefaultInfo{Name:${JSON.stringify(name)}, UID:${JSON.stringify(uid)}, ` +
    `Groups:${groups.length === 0 ? "[]string(nil)" : list(groups)}, ` +
    `Extra:map[string][]string${entries.length === 0 ? "(nil)" : `{${entries.join(", ")}}`}}`
  );
}
