/**
 * No plugin of Kubernetes: what sources say about custom resources, by the rule core. On other servers policies in CEL and our
 * webhook do this; here policies are not carried out, so that sources themselves are checked as well.
 */
import { aggregate, type FieldError, fieldErrorText } from "../../../admission/verdict.ts";
import { OutgrowError } from "../../../core/errors.ts";
import type { KubeObject, StatefulSet } from "../../../core/types.ts";
import { checkSource } from "../../../source/decide/check-source.ts";
import { namedFollowers, validateResourceUpdate } from "../../../source/decide/validate-resource.ts";
import type { ExpansionSource } from "../../../source/types.ts";
import { refuseInvalid } from "../handlers/refusal.ts";
import { type KnownKind, read } from "./known-kind.ts";
import { type Lookup, storedClasses } from "./lookup.ts";
import type { AdmissionPlugin, AdmissionRequest } from "./plugin.ts";
import { forbid, isAbout } from "./request.ts";

const SOURCE: KnownKind<ExpansionSource> = { apiVersion: "outgrow.dev/v1alpha1", kind: "ExpansionSource" };
const STATEFUL_SET: KnownKind<StatefulSet> = { apiVersion: "apps/v1", kind: "StatefulSet" };

export function expansionSources(lookup: Lookup): AdmissionPlugin {
  const classes = storedClasses(lookup);
  return {
    name: "ExpansionSource",

    validate(request) {
      const { resource, subresource, name, object } = request;
      if (resource.custom === undefined || subresource !== undefined || object === undefined) return;
      if (isAbout(request, SOURCE)) refuseInvalid(resource.kind, name, checkSource(read(SOURCE, object).spec));
      else judge(request, object as unknown as KubeObject);
    },
  };

  function judge(request: AdmissionRequest, next: KubeObject): void {
    const { kind } = request.resource;
    const old = request.old as KubeObject | undefined;
    if (old === undefined || !lookup.serves(SOURCE)) return;
    const errors = lookup
      .all(SOURCE)
      .filter(({ spec }) => spec.resource.group === kind.group && spec.resource.plural === kind.plural)
      .flatMap(({ spec }) => errorsBy(spec, old, next, request.namespace));
    if (errors.length > 0) throw forbid(request, aggregate(errors.map(fieldErrorText)));
  }

  /** A source or a resource that cannot be read is in nobody's way: the controller says so. */
  function errorsBy(
    spec: ExpansionSource["spec"],
    old: KubeObject,
    next: KubeObject,
    namespace: string | undefined,
  ): readonly FieldError[] {
    if (checkSource(spec).length > 0) return [];
    try {
      const names = namedFollowers(spec, old, next);
      const sets =
        names === undefined
          ? lookup.all(STATEFUL_SET, namespace)
          : [...names].flatMap((name) => lookup.one(STATEFUL_SET, namespace, name) ?? []);
      return validateResourceUpdate({ spec, old, next, sets, classes });
    } catch (error) {
      if (error instanceof OutgrowError) return [];
      throw error;
    }
  }
}
