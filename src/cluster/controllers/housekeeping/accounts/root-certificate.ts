/**
 * Every namespace has a ConfigMap `kube-root-ca.crt`, by which programs in it know the API server (upstream
 * rootcacertpublisher/publisher.go).
 */
import type { Controller, ControllerOptions } from "../../shared/run-controller.ts";
import { keepInEveryNamespace } from "./per-namespace.ts";
import { MAPS } from "./types.ts";

export interface RootCertificateOptions extends ControllerOptions {
  /** Certificate of the authority that vouches for the API server, in PEM. */
  readonly ca: string;
}

const NAME = "kube-root-ca.crt";
const DESCRIPTION = "kubernetes.io/description";
const TEXT =
  "Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.";

/** Starts at once. */
export function startRootCertificatePublisher({ ca, ...options }: RootCertificateOptions): Controller {
  return keepInEveryNamespace(options, {
    name: "root_ca_cert_publisher",
    resource: MAPS,
    objectName: NAME,
    wanted(namespace, found) {
      const { metadata = { name: NAME, namespace } } = found ?? {};
      const annotations = { ...metadata.annotations };
      annotations[DESCRIPTION] ||= TEXT;
      return { ...found, metadata: { ...metadata, annotations }, data: { "ca.crt": ca } };
    },
  });
}
