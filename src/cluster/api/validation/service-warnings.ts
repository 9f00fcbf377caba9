/** What is taken of a Service and yet has no effect, or will have none one day (upstream pkg/api/service/warnings.go). */

export interface ServiceToWarn {
  readonly metadata: { readonly annotations?: Readonly<Record<string, string>> };
  readonly spec: {
    readonly type?: string;
    readonly clusterIP?: string;
    readonly loadBalancerIP?: string;
    readonly externalIPs?: readonly string[];
    readonly externalName?: string;
    readonly sessionAffinity?: string;
    readonly trafficDistribution?: string;
  };
}

const HINTS = "service.kubernetes.io/topology-aware-hints";
const MODE = "service.kubernetes.io/topology-mode";

export function warningsOfService({ metadata: { annotations = {} }, spec }: ServiceToWarn): string[] {
  const { externalIPs = [], externalName = "", loadBalancerIP = "", sessionAffinity, trafficDistribution } = spec;
  const isName = spec.type === "ExternalName";
  const isHeadless = spec.type === "ClusterIP" && spec.clusterIP === "None";
  const hasExternal = externalIPs.length > 0;
  const rules: readonly (readonly [boolean, string])[] = [
    [Object.hasOwn(annotations, HINTS), `annotation ${HINTS} is deprecated, please use ${MODE} instead`],
    [isHeadless && loadBalancerIP !== "", "spec.loadBalancerIP is ignored for headless services"],
    [isHeadless && hasExternal, "spec.externalIPs is ignored for headless services"],
    [isHeadless && sessionAffinity !== "None", "spec.SessionAffinity is ignored for headless services"],
    [
      hasExternal && !isHeadless && !isName,
      "spec.externalIPs is deprecated and may no longer be implemented in some clusters",
    ],
    [isName && hasExternal, 'spec.externalIPs is ignored when spec.type is "ExternalName"'],
    [!isName && externalName !== "", 'spec.externalName is ignored when spec.type is not "ExternalName"'],
    [
      trafficDistribution === "PreferClose",
      'spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"',
    ],
  ];
  return rules.flatMap(([holds, text]) => (holds ? [text] : []));
}
