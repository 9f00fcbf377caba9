/** Entries put into the text of a kubeconfig, as a person with an editor would: everything else stays, comments included. */
import { type Document, isMap, isSeq, parseDocument, type YAMLMap, type YAMLSeq } from "yaml";
import { OutgrowError } from "../../core/errors.ts";

/** One item for each of a kubeconfig's lists. */
export interface Entries {
  readonly clusters: { readonly name: string; readonly cluster: Readonly<Record<string, string>> };
  readonly users: { readonly name: string; readonly user: Readonly<Record<string, string>> };
  readonly contexts: { readonly name: string; readonly context: Readonly<Record<string, string>> };
}

/** The new text. `file` is for messages alone. Throws `INPUT_UNREADABLE` for a text that is no kubeconfig. */
export function mergeEntries(file: string, text: string, entries: Entries, makeCurrent: boolean): string {
  const document = parse(file, text);
  const clusters = entry(file, document, "clusters", entries.clusters.name);
  clusters.set("cluster", document.createNode(entries.clusters.cluster));
  const users = entry(file, document, "users", entries.users.name);
  users.set("user", document.createNode(entries.users.user));
  const contexts = entry(file, document, "contexts", entries.contexts.name);
  const context = contexts.get("context");
  // The context is the user's as well: the namespace that they chose in it stays.
  if (isMap(context)) {
    for (const [key, value] of Object.entries(entries.contexts.context)) context.set(key, value);
  } else contexts.set("context", document.createNode(entries.contexts.context));
  if (makeCurrent) document.set("current-context", entries.contexts.name);
  return document.toString({
    lineWidth: 0,
    // As the file has it: kubectl does not indent its lists, people often do.
    indentSeq: !/^- /m.test(text),
    flowCollectionPadding: !/[{[][^\s\]}]/.test(text),
  });
}

function parse(file: string, text: string): Document {
  const document: Document = parseDocument(text);
  const [error] = document.errors;
  if (error !== undefined) throw unreadable(file, error.message);
  // A file with nothing but comments.
  if (document.contents === null) document.set("kind", "Config");
  if (!isMap(document.contents)) throw unreadable(file, "it should be a map");
  const kind = document.get("kind") ?? "Config";
  if (kind !== "Config") throw unreadable(file, "its kind should be Config");
  return document;
}

/** The item of this name in a list, both made where they are missing. */
function entry(file: string, document: Document, key: keyof Entries, name: string): YAMLMap {
  const list = listAt(file, document, key);
  const found = list.items.filter((item) => isMap(item) && item.get("name") === name);
  if (found.length > 1) throw unreadable(file, `${key} has the name ${JSON.stringify(name)} twice`);
  const [item] = found;
  if (isMap(item)) return item;
  const made = document.createNode({ name }) as YAMLMap;
  list.add(made);
  return made;
}

function listAt(file: string, document: Document, key: keyof Entries): YAMLSeq {
  const list = document.get(key);
  if (isSeq(list)) {
    // `clusters: []`, as kubectl writes an empty list, would go on in one line for ever.
    if (list.items.length === 0) list.flow = false;
    return list;
  }
  if (list !== undefined && list !== null) throw unreadable(file, `${key} should be a list`);
  const made = document.createNode([]) as YAMLSeq;
  document.set(key, made);
  return made;
}

function unreadable(file: string, why: string): OutgrowError {
  return new OutgrowError(
    "INPUT_UNREADABLE",
    `${file} is no kubeconfig that can be added to: ${why}; it was left as it is`,
  );
}
