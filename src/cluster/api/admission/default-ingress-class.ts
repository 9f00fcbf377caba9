/** An Ingress that names no class gets the default one (upstream plugin/pkg/admission/network/defaultingressclass). */
import { fromTimestamp } from "../../../core/clock.ts";
import type { KubeObject } from "../../../core/types.ts";
import { type KnownKind, read, write } from "./known-kind.ts";
import type { Lookup } from "./lookup.ts";
import type { AdmissionPlugin } from "./plugin.ts";
import { isNew } from "./request.ts";

const IS_DEFAULT = "ingressclass.kubernetes.io/is-default-class";
/** The old place of the class. */
const CLASS_ANNOTATION = "kubernetes.io/ingress.class";

interface Ingress extends KubeObject {
  readonly spec?: { readonly ingressClassName?: string };
}

const INGRESS: KnownKind<Ingress> = { apiVersion: "networking.k8s.io/v1", kind: "Ingress" };
const INGRESS_CLASS: KnownKind<KubeObject> = { apiVersion: "networking.k8s.io/v1", kind: "IngressClass" };

export function defaultIngressClass(lookup: Lookup): AdmissionPlugin {
  return {
    name: "DefaultIngressClass",
    mutate(request) {
      if (!isNew(request, INGRESS)) return request.object;
      const ingress = read(INGRESS, request.object);
      const named = ingress.spec?.ingressClassName ?? ingress.metadata.annotations?.[CLASS_ANNOTATION];
      const chosen = named === undefined ? newestDefault(lookup) : undefined;
      if (chosen === undefined) return request.object;
      return write({ ...ingress, spec: { ...ingress.spec, ingressClassName: chosen } });
    },
  };
}

/** The newest one that is marked, then the first by name; undefined when none is. */
function newestDefault(lookup: Lookup): string | undefined {
  const marked = lookup.all(INGRESS_CLASS).filter(({ metadata }) => metadata.annotations?.[IS_DEFAULT] === "true");
  const made = ({ metadata }: KubeObject) => fromTimestamp(metadata.creationTimestamp) ?? 0;
  // They come by name, and sorting keeps that order among those of one moment.
  return [...marked].sort((a, b) => made(b) - made(a))[0]?.metadata.name;
}
