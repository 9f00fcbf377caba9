/** Who may talk to the controller, and to whom it may talk. */
import type { InstallOptions } from "./options.ts";
import { type Explained, NAME, named, POD_LABELS } from "./part.ts";

/**
 * Where API servers listen. A policy cannot name the API server itself, and most network plugins look at the port behind
 * the Service, which is the distribution's choice.
 */
export const API_SERVER_PORTS: readonly number[] = [443, 6443, 8443, 16443];

export function networkPolicy({ namespace, admission }: InstallOptions): Explained {
  const open = ["http", ...(admission === "webhook" ? ["webhook"] : [])];
  return {
    why: "It is asked for metrics, and talks to the API server, by its address: not even names are looked up.",
    object: {
      apiVersion: "networking.k8s.io/v1",
      kind: "NetworkPolicy",
      metadata: named(NAME, namespace),
      spec: {
        podSelector: { matchLabels: { ...POD_LABELS } },
        policyTypes: ["Ingress", "Egress"],
        ingress: [{ ports: open.map(tcp) }],
        egress: [{ ports: API_SERVER_PORTS.map(tcp) }],
      },
    },
  };
}

function tcp(port: string | number): object {
  return { port, protocol: "TCP" };
}
