/** How pods are reached: services, endpoints, ingresses, policies. */
import type { Json, JsonObject } from "../../json.ts";
import { at, count, items, object, optionalText, present, text, texts } from "../fields.ts";
import { AGE, ageOf, column, NAME, NAME_FORMAT, nameOf, type Printer, printer, WIDE } from "../printer.ts";
import { firstOf, hostPort, ingressPoints, labels, selectorCell } from "../texts.ts";

const SHOWN = 3;

export const services = printer([
  NAME,
  column("Type", (service) => text(service, "spec", "type")),
  column("Cluster-IP", (service) => clusterIp(service) || "<none>"),
  column("External-IP", externalIp),
  column("Port(s)", (service) => items(service, "spec", "ports").map(servicePort).join(",") || "<none>"),
  AGE,
  column("Selector", (service) => labels(object(service, "spec", "selector")), WIDE),
]);

/** The list of addresses leads; the single one stands in for objects that were written without the list. */
function clusterIp(service: JsonObject): string {
  return texts(service, "spec", "clusterIPs")[0] ?? text(service, "spec", "clusterIP");
}

function servicePort(port: Json): string {
  const nodePort = count(port, "nodePort");
  const number = nodePort > 0 ? `${count(port, "port")}:${nodePort}` : `${count(port, "port")}`;
  return `${number}/${text(port, "protocol")}`;
}

function externalIp(service: JsonObject): string {
  const external = texts(service, "spec", "externalIPs").join(",");
  switch (text(service, "spec", "type")) {
    case "ClusterIP":
    case "NodePort":
      return external || "<none>";
    case "LoadBalancer": {
      const points = ingressPoints(items(service, "status", "loadBalancer", "ingress"));
      return [points, external].filter((part) => part !== "").join(",") || "<pending>";
    }
    case "ExternalName":
      return text(service, "spec", "externalName");
    default:
      return "<unknown>";
  }
}

export const endpoints = printer([NAME, column("Endpoints", subsets), AGE]);

/** Each address with each port; a headless service may have no ports. */
function subsets(endpoints: JsonObject): string {
  const all = items(endpoints, "subsets");
  if (all.length === 0) return "<none>";
  return firstOf(
    all.flatMap((subset) => {
      const [addresses, ports] = [items(subset, "addresses").map((entry) => text(entry, "ip")), items(subset, "ports")];
      if (ports.length === 0) return addresses;
      return ports.flatMap((port) => addresses.map((address) => hostPort(address, count(port, "port"))));
    }),
    SHOWN,
  );
}

export const endpointSlices = printer([
  NAME,
  column("AddressType", (slice) => text(slice, "addressType")),
  column("Ports", (slice) => firstOf(items(slice, "ports").map(slicePort), SHOWN) || "<unset>"),
  column("Endpoints", (slice) => {
    const addresses = items(slice, "endpoints").flatMap((endpoint) => texts(endpoint, "addresses"));
    return firstOf(addresses, SHOWN) || "<unset>";
  }),
  AGE,
]);

/** Its number, else its name; without either it stands for all ports. */
function slicePort(port: Json): string {
  return present(port, "port") ? String(count(port, "port")) : (optionalText(port, "name") ?? "*");
}

export const ingresses = printer([
  NAME,
  column("Class", (ingress) => optionalText(ingress, "spec", "ingressClassName") ?? "<none>"),
  column("Hosts", hosts),
  column("Address", (ingress) => ingressPoints(items(ingress, "status", "loadBalancer", "ingress"))),
  column("Ports", (ingress) => (items(ingress, "spec", "tls").length > 0 ? "80, 443" : "80")),
  AGE,
]);

/** Rules for any host are not shown, but they do count among those that are left out. */
function hosts(ingress: JsonObject): string {
  const rules = items(ingress, "spec", "rules");
  const shown: string[] = [];
  for (const rule of rules) {
    if (shown.length === SHOWN) return `${shown.join(",")} + ${rules.length - SHOWN} more...`;
    if (text(rule, "host") !== "") shown.push(text(rule, "host"));
  }
  return shown.join(",") || "*";
}

export const ingressClasses = printer([
  column("Name", (ic) => (isDefault(ic) ? `${nameOf(ic)} (default)` : nameOf(ic)), NAME_FORMAT),
  column("Controller", (ic) => text(ic, "spec", "controller")),
  column("Parameters", parameters),
  AGE,
]);

function isDefault(ingressClass: JsonObject): boolean {
  return text(ingressClass, "metadata", "annotations", "ingressclass.kubernetes.io/is-default-class") === "true";
}

function parameters(ingressClass: JsonObject): string {
  const reference = at(ingressClass, "spec", "parameters") ?? null;
  if (reference === null) return "<none>";
  const group = optionalText(reference, "apiGroup");
  const kind = text(reference, "kind");
  return `${group === undefined ? kind : `${kind}.${group}`}/${text(reference, "name")}`;
}

export const networkPolicies = printer([
  NAME,
  column("Pod-Selector", (policy) => selectorCell(at(policy, "spec", "podSelector") ?? {})),
  AGE,
]);

const addressColumns = printer([NAME, column("ParentRef", parentOf)]);

/** Kubernetes puts the age into its rows and has no column for it, so that nobody sees it. */
export const ipAddresses: Printer = {
  columns: addressColumns.columns,
  cells: (address, now) => [...addressColumns.cells(address, now), ageOf(address, now)],
};

function parentOf(address: JsonObject): string {
  if (!present(address, "spec", "parentRef")) return "<none>";
  const parent = object(address, "spec", "parentRef");
  const [group, namespace] = [text(parent, "group"), text(parent, "namespace")];
  const resource = (group === "" ? text(parent, "resource") : `${text(parent, "resource")}.${group}`).toLowerCase();
  return [resource, ...(namespace === "" ? [] : [namespace]), text(parent, "name")].join("/");
}

export const serviceCidrs = printer([NAME, column("CIDRs", (each) => texts(each, "spec", "cidrs").join(",")), AGE]);
