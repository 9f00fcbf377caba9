/** URLs. */
import { type FunctionDeclaration, member, overload } from "../check/declarations.ts";
import { BOOL, listOf, mapOf, STRING, sealed } from "../check/types.ts";
import { listOfValues, mapOfEntries } from "../value/collections.ts";
import { type CelError, error, isError, type Opaque, type Value } from "../value/value.ts";
import { escapedPath, type GoUrl, hostnameOf, NoUrl, parseUrl, portOf, queryOf } from "./go-url.ts";

export const URL_TYPE = sealed("kubernetes.URL");

export const URLS: readonly FunctionDeclaration[] = [
  { name: "url", overloads: [overload("string_to_url", [STRING], URL_TYPE, ([text]) => toUrl(text as string))] },
  {
    name: "isURL",
    overloads: [overload("is_url_string", [STRING], BOOL, ([text]) => !isError(toUrl(text as string)))],
  },
  part("getScheme", "url_get_scheme", ({ scheme }) => scheme),
  part("getHost", "url_get_host", ({ host }) => host),
  part("getHostname", "url_get_hostname", hostnameOf),
  part("getPort", "url_get_port", portOf),
  part("getEscapedPath", "url_get_escaped_path", escapedPath),
  {
    name: "getQuery",
    overloads: [
      member("url_get_query", [URL_TYPE], mapOf(STRING, listOf(STRING)), ([url]) =>
        mapOfEntries([...queryOf(urlOf(url))].map(([key, values]) => [key, listOfValues(values)] as const)),
      ),
    ],
  },
];

function part(name: string, id: string, of: (url: GoUrl) => string): FunctionDeclaration {
  return { name, overloads: [member(id, [URL_TYPE], STRING, ([url]) => of(urlOf(url)))] };
}

function urlOf(value: Value | undefined): GoUrl {
  return (value as Opaque).data as GoUrl;
}

function toUrl(text: string): Value | CelError {
  try {
    const url = parseUrl(text);
    return {
      kind: "opaque",
      type: URL_TYPE,
      data: url,
      equals: ({ data }) => (data as GoUrl).text === url.text,
      text,
    };
  } catch (cause) {
    if (!(cause instanceof NoUrl)) throw cause;
    return error(`URL parse error during conversion from string: ${cause.message}`);
  }
}
