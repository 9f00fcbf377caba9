/** What expressions see of a request. */
import type { AdmissionRequest } from "../admission/plugin.ts";
import type { Authorizer } from "../auth/authorizer.ts";
import { celAuthorize } from "../auth/cel-authorizer.ts";
import { authorizerValue, requestResourceValue } from "../cel/index.ts";
import { get, type JsonObject } from "../json.ts";
import type { Kind } from "../kinds/kind.ts";
import { metadataOf } from "../lifecycle/metadata.ts";
import { once } from "../once-per.ts";
import { isNamespace, type Matching } from "../webhooks/match.ts";
import { inVersion, requestInVersion } from "../webhooks/review.ts";
import type { Scene } from "./evaluation.ts";

export interface Surroundings extends Matching {
  readonly authorizer: Authorizer;
}

/** In the version of this kind; without params, and without its namespace. */
export function sceneOf(
  request: AdmissionRequest,
  kind: Kind,
  { authorizer }: Pick<Surroundings, "authorizer">,
): Scene {
  const { resource } = request;
  return {
    object: inVersion(request.object, resource.kind, kind),
    old: inVersion(request.old, resource.kind, kind),
    request: once(() => requestInVersion(request, kind)),
    namespace: undefined,
    params: undefined,
    authorizer: once(() => {
      const authorize = celAuthorize(authorizer, request.user);
      const { namespace = "", name, subresource = "" } = request;
      const { group, plural } = resource.kind;
      const about = { group, resource: plural, subresource, namespace, name };
      return { itself: authorizerValue(authorize), requestResource: requestResourceValue(authorize, about) };
    }),
  };
}

/** Only what has a type in expressions. */
const SHOWN = [
  "name",
  "generateName",
  "namespace",
  "uid",
  "resourceVersion",
  "generation",
  "creationTimestamp",
  "deletionTimestamp",
  "deletionGracePeriodSeconds",
  "labels",
  "annotations",
  "finalizers",
];

/** The namespace that the request is in; a namespace itself is in none. Throws 404 when it is not there. */
export function namespaceOf(
  { resource, namespace }: AdmissionRequest,
  { objects, catalog }: Matching,
): JsonObject | undefined {
  const kind = catalog.find("", "v1", "namespaces")?.kind;
  if (namespace === undefined || kind === undefined || isNamespace(resource.kind)) return undefined;
  const found = objects.get(kind, undefined, namespace);
  const metadata = Object.entries(metadataOf(found)).filter(([key]) => SHOWN.includes(key));
  return {
    metadata: Object.fromEntries(metadata),
    spec: get(found, "spec") ?? {},
    status: get(found, "status") ?? {},
  };
}
