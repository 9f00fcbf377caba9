/** Which kind somebody means who types `sts`, `statefulset`, `StatefulSet` or `statefulsets.apps`. */
import { OutgrowError } from "../../core/errors.ts";
import type { KubeClient } from "../../kube/index.ts";

export interface FoundKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
}

interface DiscoveredResource {
  readonly resource: string;
  readonly responseKind?: { readonly kind?: string };
  readonly scope: string;
  readonly singularResource?: string;
  readonly shortNames?: readonly string[];
  readonly verbs?: readonly string[];
}

interface DiscoveryList {
  readonly items?: readonly {
    readonly metadata?: { readonly name?: string };
    readonly versions?: readonly { readonly version: string; readonly resources?: readonly DiscoveredResource[] }[];
  }[];
}

const AGGREGATED = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

/** Asks the server. Names count before short names, the core group before others. Throws `USAGE` for what it does not have. */
export async function findKind(client: Pick<KubeClient, "raw">, word: string): Promise<FoundKind> {
  const [name = "", ...group] = word.toLowerCase().split(".");
  const wanted = group.length === 0 ? undefined : group.join(".");
  const lists = await Promise.all(
    ["/api", "/apis"].map((path) => client.raw<DiscoveryList>({ method: "GET", path, accept: AGGREGATED })),
  );
  const all = lists.flatMap((list) => (list.items ?? []).flatMap(resourcesOf));
  const candidates = all.filter((each) => each.listable && (wanted === undefined || each.group === wanted));
  const found =
    candidates.find(({ names }) => names.includes(name)) ?? candidates.find(({ shorts }) => shorts.includes(name));
  if (found !== undefined) return found;
  throw new OutgrowError("USAGE", `the cluster has no kind called ${JSON.stringify(word)}`);
}

type Group = NonNullable<DiscoveryList["items"]>[number];

interface Candidate extends FoundKind {
  readonly names: readonly string[];
  readonly shorts: readonly string[];
  readonly listable: boolean;
}

/** Of several versions the first: the server's preferred one. */
function resourcesOf({ metadata = {}, versions = [] }: Group): Candidate[] {
  return versions.slice(0, 1).flatMap(({ version, resources = [] }) =>
    resources.map(({ resource, responseKind, scope, singularResource = "", shortNames = [], verbs = [] }) => ({
      group: metadata.name ?? "",
      version,
      kind: responseKind?.kind ?? "",
      plural: resource,
      namespaced: scope === "Namespaced",
      names: [resource, singularResource, responseKind?.kind?.toLowerCase() ?? ""],
      shorts: shortNames,
      listable: verbs.includes("list"),
    })),
  );
}

/** Where its objects are. */
export function pathOf(
  { group, version, plural, namespaced }: Omit<FoundKind, "kind">,
  namespace: string | undefined,
  name: string | undefined,
): string {
  const root = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
  const scope = namespaced && namespace !== undefined ? `/namespaces/${encodeURIComponent(namespace)}` : "";
  return `${root}${scope}/${plural}${name === undefined ? "" : `/${encodeURIComponent(name)}`}`;
}
