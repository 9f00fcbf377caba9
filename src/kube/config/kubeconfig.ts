/**
 * The kubeconfig format: read, checked, with relative paths made absolute, and merged as kubectl merges the files of
 * KUBECONFIG. Follows k8s.io/client-go/tools/clientcmd.
 */
import path from "node:path";
import { parse } from "yaml";
import { messageOf } from "../../core/errors.ts";
import { asFields, asList, at, bytes, type Fields, flag, invalid, type Place, text, texts } from "./fields.ts";

/** Contents that are given in place, or a file to read them from; the first wins where both are. */
export interface Material {
  readonly data: Buffer | undefined;
  readonly file: string | undefined;
}

export interface ClusterEntry {
  readonly place: Place;
  readonly server: string | undefined;
  readonly ca: Material;
  readonly tlsServerName: string | undefined;
  readonly insecure: boolean;
  readonly proxyUrl: string | undefined;
  /** What `provideClusterInfo` hands to a credential plugin: the extension of that name. */
  readonly execConfig: unknown;
}

export interface ExecEntry {
  readonly apiVersion: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly installHint: string | undefined;
  readonly provideClusterInfo: boolean;
  readonly interactiveMode: "Never" | "IfAvailable" | "Always";
}

export interface UserEntry {
  readonly place: Place;
  readonly certificate: Material;
  readonly key: Material;
  readonly token: string | undefined;
  readonly tokenFile: string | undefined;
  readonly username: string | undefined;
  readonly password: string | undefined;
  readonly exec: ExecEntry | undefined;
  /** Headers that make the server act as somebody else. */
  readonly impersonation: Readonly<Record<string, string | string[]>>;
}

export interface ContextEntry {
  readonly place: Place;
  readonly cluster: string | undefined;
  readonly user: string | undefined;
  readonly namespace: string | undefined;
}

export interface Kubeconfig {
  readonly currentContext: string | undefined;
  readonly clusters: ReadonlyMap<string, ClusterEntry>;
  readonly users: ReadonlyMap<string, UserEntry>;
  readonly contexts: ReadonlyMap<string, ContextEntry>;
}

/** Reads one file's contents. Throws a `ConfigInvalid` that names the file and the field. */
export function parseKubeconfig(contents: string, file: string): Kubeconfig {
  const root: Place = { file, path: "" };
  let document: unknown;
  try {
    document = parse(contents);
  } catch (error) {
    throw invalid(root, `not readable as YAML: ${messageOf(error)}`, error);
  }
  const fields = asFields(document, root);
  const kind = text(fields, "kind", root);
  if (kind !== undefined && kind !== "Config") throw invalid(at(root, "kind"), `expected Config, found ${kind}`);
  return {
    currentContext: text(fields, "current-context", root),
    clusters: named(fields, "clusters", "cluster", root, readCluster),
    users: named(fields, "users", "user", root, readUser),
    contexts: named(fields, "contexts", "context", root, readContext),
  };
}

/** What is set first wins: whole entries by name, and the current context. */
export function mergeKubeconfigs(configs: readonly Kubeconfig[]): Kubeconfig {
  const first = <T>(maps: readonly ReadonlyMap<string, T>[]): Map<string, T> =>
    new Map(maps.toReversed().flatMap((map) => [...map]));
  return {
    currentContext: configs.find((config) => config.currentContext !== undefined)?.currentContext,
    clusters: first(configs.map((config) => config.clusters)),
    users: first(configs.map((config) => config.users)),
    contexts: first(configs.map((config) => config.contexts)),
  };
}

function named<T>(
  fields: Fields,
  list: string,
  item: string,
  root: Place,
  read: (fields: Fields, place: Place) => T,
): Map<string, T> {
  const entries = new Map<string, T>();
  for (const [index, value] of asList(fields[list], at(root, list)).entries()) {
    const entry = asFields(value, at(root, `${list}[${index}]`));
    const name = text(entry, "name", at(root, `${list}[${index}]`));
    if (name === undefined) throw invalid(at(root, `${list}[${index}].name`), "is missing");
    if (entries.has(name)) throw invalid(at(root, list), `the name ${JSON.stringify(name)} is there twice`);
    const place = at(root, `${list}[${name}].${item}`);
    entries.set(name, read(asFields(entry[item], place), place));
  }
  return entries;
}

function readCluster(fields: Fields, place: Place): ClusterEntry {
  const extensions = asList(fields["extensions"], at(place, "extensions")).map((value) => asFields(value, place));
  const entry: ClusterEntry = {
    place,
    server: text(fields, "server", place),
    ca: material(fields, "certificate-authority", place),
    tlsServerName: text(fields, "tls-server-name", place),
    insecure: flag(fields, "insecure-skip-tls-verify", place),
    proxyUrl: text(fields, "proxy-url", place),
    execConfig: extensions.find((extension) => extension["name"] === "client.authentication.k8s.io/exec")?.[
      "extension"
    ],
  };
  if (entry.insecure && (entry.ca.data ?? entry.ca.file) !== undefined) {
    throw invalid(at(place, "insecure-skip-tls-verify"), "cannot go together with a certificate-authority; drop one");
  }
  return entry;
}

function readUser(fields: Fields, place: Place): UserEntry {
  const provider = asFields(fields["auth-provider"], at(place, "auth-provider"));
  if (Object.keys(provider).length > 0) {
    throw invalid(at(place, "auth-provider"), "was removed from Kubernetes; use a credential plugin (exec) instead");
  }
  const certificate = material(fields, "client-certificate", place);
  const key = material(fields, "client-key", place);
  const hasCertificate = (certificate.data ?? certificate.file) !== undefined;
  if (hasCertificate !== ((key.data ?? key.file) !== undefined)) {
    throw invalid(at(place, hasCertificate ? "client-key" : "client-certificate"), "is missing; a pair is needed");
  }
  return {
    place,
    certificate,
    key,
    token: text(fields, "token", place),
    tokenFile: located(text(fields, "tokenFile", place), place),
    username: text(fields, "username", place),
    password: text(fields, "password", place),
    exec: fields["exec"] ? readExec(asFields(fields["exec"], at(place, "exec")), at(place, "exec")) : undefined,
    impersonation: readImpersonation(fields, place),
  };
}

function readContext(fields: Fields, place: Place): ContextEntry {
  return {
    place,
    cluster: text(fields, "cluster", place),
    user: text(fields, "user", place),
    namespace: text(fields, "namespace", place),
  };
}

const EXEC_VERSIONS = ["client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1"];

function readExec(fields: Fields, place: Place): ExecEntry {
  const apiVersion = text(fields, "apiVersion", place);
  if (apiVersion === undefined || !EXEC_VERSIONS.includes(apiVersion)) {
    throw invalid(at(place, "apiVersion"), `must be one of ${EXEC_VERSIONS.join(", ")}; update the plugin's entry`);
  }
  const command = text(fields, "command", place);
  if (command === undefined) throw invalid(at(place, "command"), "is missing");
  const mode = text(fields, "interactiveMode", place) ?? "IfAvailable";
  if (mode !== "Never" && mode !== "IfAvailable" && mode !== "Always") {
    throw invalid(at(place, "interactiveMode"), "must be Never, IfAvailable or Always");
  }
  const env = asList(fields["env"], at(place, "env")).map((value, index) => {
    const here = at(place, `env[${index}]`);
    const entry = asFields(value, here);
    const name = text(entry, "name", here);
    if (name === undefined) throw invalid(at(here, "name"), "is missing");
    return { name, value: text(entry, "value", here) ?? "" };
  });
  return {
    apiVersion,
    // A bare name is looked up in PATH; a path is relative to the file, as everywhere in a kubeconfig.
    command: command.includes("/") ? (located(command, place) ?? command) : command,
    args: texts(fields, "args", place),
    env,
    installHint: text(fields, "installHint", place),
    provideClusterInfo: flag(fields, "provideClusterInfo", place),
    interactiveMode: mode,
  };
}

function readImpersonation(fields: Fields, place: Place): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {};
  const user = text(fields, "as", place);
  const uid = text(fields, "as-uid", place);
  const groups = texts(fields, "as-groups", place);
  if (user !== undefined) headers["impersonate-user"] = user;
  if (uid !== undefined) headers["impersonate-uid"] = uid;
  if (groups.length > 0) headers["impersonate-group"] = [...groups];
  const extra = asFields(fields["as-user-extra"], at(place, "as-user-extra"));
  for (const key of Object.keys(extra)) {
    headers[`impersonate-extra-${encodeURIComponent(key)}`] = [...texts(extra, key, at(place, "as-user-extra"))];
  }
  return headers;
}

function material(fields: Fields, name: string, place: Place): Material {
  return { data: bytes(fields, `${name}-data`, place), file: located(text(fields, name, place), place) };
}

function located(file: string | undefined, place: Place): string | undefined {
  return file === undefined ? undefined : path.resolve(path.dirname(place.file), file);
}
