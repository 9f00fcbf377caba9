/** As whom a pod runs (upstream plugin/pkg/admission/serviceaccount). */
import type { KubeObject } from "../../../core/types.ts";
import { type KnownKind, read, write } from "./known-kind.ts";
import type { Lookup } from "./lookup.ts";
import type { AdmissionPlugin } from "./plugin.ts";
import { forbid, isNew } from "./request.ts";

const DEFAULT = "default";
/** A pod that a kubelet shows of its own accord; its spec is not ours to change. */
const MIRROR = "kubernetes.io/config.mirror";

interface References {
  readonly imagePullSecrets?: readonly { readonly name: string }[];
}

interface Pod extends KubeObject {
  readonly spec: References & { readonly serviceAccountName?: string };
}

const POD: KnownKind<Pod> = { apiVersion: "v1", kind: "Pod" };
const ACCOUNT: KnownKind<KubeObject & References> = { apiVersion: "v1", kind: "ServiceAccount" };

/**
 * A new pod runs as `default` unless it says otherwise, and gets the pull secrets of its account when it has none. An
 * account that it names must be there; `default` is forgiven, since a namespace is usable here before a controller has made
 * it. No volume with a token is added: no container runs that could read it.
 */
export function serviceAccount(lookup: Lookup): AdmissionPlugin {
  return {
    name: "ServiceAccount",
    mutate(request) {
      if (!isNew(request, POD)) return request.object;
      const pod = read(POD, request.object);
      if (pod.metadata.annotations?.[MIRROR] !== undefined) return request.object;
      const name = pod.spec.serviceAccountName || DEFAULT;
      const account = lookup.one(ACCOUNT, request.namespace, name);
      if (account === undefined && name !== DEFAULT) {
        const where = `${request.namespace ?? ""}/${name}`;
        throw forbid(
          request,
          `error looking up service account ${where}: serviceaccount ${JSON.stringify(name)} not found`,
        );
      }
      const own = pod.spec.imagePullSecrets ?? [];
      const secrets = own.length > 0 ? own : (account?.imagePullSecrets ?? []).map((each) => ({ name: each.name }));
      const spec = {
        ...pod.spec,
        serviceAccountName: name,
        // The old name of the field; Kubernetes shows both.
        serviceAccount: name,
        ...(secrets.length > 0 && { imagePullSecrets: secrets }),
      };
      return write({ ...pod, spec });
    },
  };
}
