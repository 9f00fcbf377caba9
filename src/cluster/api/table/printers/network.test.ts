import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../json.ts";
import { cellsByName, made } from "../fixtures.ts";
import { endpointSlices, endpoints, ingressClasses, ingresses, networkPolicies, services } from "./network.ts";

describe("a service", () => {
  const balancer: JsonObject = {
    loadBalancer: { ingress: [{ ip: "192.0.2.8" }, { hostname: "lb.example.com" }, { ip: "192.0.2.1" }] },
  };
  test.each([
    [{ type: "ClusterIP" }, {}, "<none>"],
    [{ type: "NodePort", externalIPs: ["192.0.2.1", "192.0.2.2"] }, {}, "192.0.2.1,192.0.2.2"],
    [{ type: "LoadBalancer" }, {}, "<pending>"],
    [{ type: "LoadBalancer" }, balancer, "192.0.2.1,192.0.2.8,lb.example.com"],
    [{ type: "LoadBalancer", externalIPs: ["192.0.2.9"] }, balancer, "192.0.2.1,192.0.2.8,lb.example.com,192.0.2.9"],
    [{ type: "ExternalName", externalName: "db.example.com" }, {}, "db.example.com"],
    [{}, {}, "<unknown>"],
  ])("%j %j is reached from outside at %s", (spec, status, shown) => {
    expect(cellsByName(services, made({ spec, status }))["External-IP"]).toBe(shown);
  });

  test("tells its address, ports and selector", () => {
    const ports = [
      { port: 80, protocol: "TCP" },
      { port: 53, nodePort: 30053, protocol: "UDP" },
    ];
    const spec = { clusterIPs: ["10.0.0.1", "fd00::1"], clusterIP: "10.0.0.1", ports, selector: { b: "2", a: "1" } };
    const shown = { "Cluster-IP": "10.0.0.1", "Port(s)": "80/TCP,53:30053/UDP", Selector: "a=1,b=2" };
    expect(cellsByName(services, made({ spec }))).toMatchObject(shown);
    expect(cellsByName(services, made({ spec: { clusterIP: "None" } }))).toMatchObject({
      "Cluster-IP": "None",
      "Port(s)": "<none>",
      Selector: "<none>",
    });
  });
});

describe("endpoints", () => {
  const ips = (...all: string[]) => all.map((ip) => ({ ip }));
  const one = { addresses: ips("10.0.0.1", "fd00::1"), ports: [{ port: 80 }, { port: 443 }] };
  test.each([
    [[], "<none>"],
    [[{ notReadyAddresses: ips("10.0.0.1"), ports: [{ port: 80 }] }], ""],
    [[{ addresses: ips("10.0.0.1", "10.0.0.2") }], "10.0.0.1,10.0.0.2"],
    [[one], "10.0.0.1:80,[fd00::1]:80,10.0.0.1:443 + 1 more..."],
  ])("%j are %s", (subsets, shown) => {
    expect(cellsByName(endpoints, made({ subsets }))["Endpoints"]).toBe(shown);
  });

  test("in slices", () => {
    const slice = made({
      addressType: "IPv4",
      ports: [{ port: 80 }, { name: "web" }, {}],
      endpoints: [{ addresses: ["10.0.0.1"] }, { addresses: ["10.0.0.2", "10.0.0.3", "10.0.0.4"] }],
    });
    const shown = { AddressType: "IPv4", Ports: "80,web,*", Endpoints: "10.0.0.1,10.0.0.2,10.0.0.3 + 1 more..." };
    expect(cellsByName(endpointSlices, slice)).toMatchObject(shown);
    expect(cellsByName(endpointSlices, made({}))).toMatchObject({ Ports: "<unset>", Endpoints: "<unset>" });
  });
});

describe("an ingress", () => {
  const rules = (...hosts: string[]) => hosts.map((host) => (host === "" ? {} : { host }));
  test.each([
    [rules(), "*"],
    [rules(""), "*"],
    [rules("a", "b", "c"), "a,b,c"],
    [rules("", "a", "b", "c"), "a,b,c"],
    [rules("a", "b", "c", ""), "a,b,c + 1 more..."],
    [rules("a", "b", "c", "d", "e"), "a,b,c + 2 more..."],
  ])("with %j has the hosts %s", (given, shown) => {
    expect(cellsByName(ingresses, made({ spec: { rules: given } }))["Hosts"]).toBe(shown);
  });

  test("tells its class, address and ports", () => {
    const status = { loadBalancer: { ingress: [{ hostname: "lb.example.com" }] } };
    const shown = { Class: "nginx", Address: "lb.example.com", Ports: "80, 443" };
    const ingress = made({ spec: { ingressClassName: "nginx", tls: [{}] }, status });
    expect(cellsByName(ingresses, ingress)).toMatchObject(shown);
    expect(cellsByName(ingresses, made({}))).toMatchObject({ Class: "<none>", Address: "", Ports: "80" });
  });

  test.each([
    [{ kind: "Settings", apiGroup: "example.com", name: "x" }, "Settings.example.com/x"],
    [{ kind: "ConfigMap", name: "x" }, "ConfigMap/x"],
    [null, "<none>"],
  ])("class with %j has the parameters %s", (parameters, shown) => {
    expect(cellsByName(ingressClasses, made({ spec: { parameters } }))["Parameters"]).toBe(shown);
  });

  test("class that is the default says so", () => {
    const annotations = { "ingressclass.kubernetes.io/is-default-class": "true" };
    expect(cellsByName(ingressClasses, made({}, { annotations }))["Name"]).toBe("it (default)");
  });
});

describe("a network policy selects", () => {
  const expression = (operator: string, values: string[] = []): JsonObject => ({ key: "k", operator, values });
  test.each([
    [{}, "<none>"],
    [{ matchLabels: { z: "1", a: "2" } }, "a=2,z=1"],
    [{ matchLabels: { z: "1" }, matchExpressions: [expression("In", ["y", "x"])] }, "k in (x,y),z=1"],
    [{ matchExpressions: [expression("NotIn", ["x"])] }, "k notin (x)"],
    [{ matchExpressions: [expression("Exists")] }, "k"],
    [{ matchExpressions: [expression("DoesNotExist")] }, "!k"],
    [{ matchExpressions: [expression("In")] }, "<error>"],
    [{ matchExpressions: [expression("Exists", ["x"])] }, "<error>"],
  ])("%j as %s", (podSelector, shown) => {
    expect(cellsByName(networkPolicies, made({ spec: { podSelector } }))["Pod-Selector"]).toBe(shown);
  });
});
