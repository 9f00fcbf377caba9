import { beforeEach, describe, expect, test } from "vitest";
import type { JsonObject } from "../json.ts";
import { BUILT_IN } from "../kinds/built-in.ts";
import type { Kind } from "../kinds/kind.ts";
import { createServiceAddresses, type ServiceAddresses } from "./service-addresses.ts";
import type { ServiceSpec } from "./service-spec.ts";
import { answerOf, object } from "./testing/cluster.ts";

const SERVICES = BUILT_IN.find(({ kind }) => kind === "Service") as Kind;
const ports = [{ port: 80 }];
const selector = { app: "db" };
const service = (spec: JsonObject, name = "s") =>
  object("v1", "Service", name, { spec: { type: "ClusterIP", ports, selector, ...spec } });
const specOf = (stored: JsonObject) => stored["spec"] as unknown as ServiceSpec;

let addresses: ServiceAddresses;
beforeEach(() => {
  addresses = createServiceAddresses([], SERVICES, { below: () => 0 });
});

/** Reserves, and stores. */
function made(sent: JsonObject, old?: JsonObject): JsonObject {
  const reservation = addresses.reserve(sent, old, false);
  reservation.commit();
  return reservation.service;
}

function refusal(sent: JsonObject, old?: JsonObject): string {
  try {
    addresses.reserve(sent, old, false).revert();
    return "accepted";
  } catch (error) {
    return answerOf(error);
  }
}

const TAKEN =
  '422 Invalid: Service "s" is invalid: spec.clusterIPs: Invalid value: ["10.96.0.5"]: failed to allocate IP 10.96.0.5: provided IP is already allocated';

describe("addresses", () => {
  test("are given out, in both fields, with their family", () => {
    expect(specOf(made(service({})))).toMatchObject({
      clusterIP: "10.96.1.0",
      clusterIPs: ["10.96.1.0"],
      ipFamilies: ["IPv4"],
      ipFamilyPolicy: "SingleStack",
    });
    expect(specOf(made(service({}))).clusterIP).toBe("10.96.1.1");
  });

  test("may be asked for, by one", () => {
    made(service({ clusterIP: "10.96.0.5" }));
    expect(refusal(service({ clusterIP: "10.96.0.5" }))).toBe(TAKEN);
  });

  test("of services that are there are known from the start", () => {
    const stored = service({ clusterIP: "10.96.0.5", clusterIPs: ["10.96.0.5"] });
    addresses = createServiceAddresses([stored], SERVICES, { below: () => 0 });
    expect(refusal(service({ clusterIP: "10.96.0.5" }))).toBe(TAKEN);
  });

  test("go to others when the service is gone, or did not come about", () => {
    const asked = service({ clusterIP: "10.96.0.5" });
    const stored = made(asked);
    addresses.release(stored);
    addresses.reserve(asked, undefined, false).revert();
    addresses.reserve(asked, undefined, true);
    expect(refusal(asked)).toBe("accepted");
  });

  test("are not for services that lead elsewhere or want none", () => {
    expect(specOf(made(service({ clusterIP: "None" })))).toMatchObject({ clusterIP: "None", clusterIPs: ["None"] });
    expect(specOf(made(service({ type: "ExternalName" })))).toEqual({ type: "ExternalName", ports, selector });
  });

  test("of a service without selector may be of both families when it has none itself", () => {
    expect(specOf(made(service({ clusterIP: "None", selector: {} })))).toMatchObject({
      ipFamilies: ["IPv4", "IPv6"],
      ipFamilyPolicy: "RequireDualStack",
    });
  });

  test("a thousand at once are a thousand different ones", () => {
    let drawn = 0;
    addresses = createServiceAddresses([], SERVICES, { below: (limit) => (drawn += 7919) % limit });
    const given = Array.from({ length: 1000 }, () => specOf(made(service({}))).clusterIP);
    expect(new Set(given).size).toBe(1000);
  });
});

describe("an update", () => {
  test("that leaves the address out keeps it", () => {
    const stored = made(service({}));
    expect(made(service({}), stored)).toEqual(stored);
  });

  test("from elsewhere to here gets an address, and the way back frees it", () => {
    const elsewhere = made(service({ type: "ExternalName" }));
    const here = made(service({}), elsewhere);
    expect(specOf(here).clusterIP).toBe("10.96.1.0");
    const away = made({ ...here, spec: { ...(here["spec"] as JsonObject), type: "ExternalName" } }, here);
    expect(away).toEqual(elsewhere);
    expect(specOf(made(service({ clusterIP: "10.96.1.0" }))).clusterIP).toBe("10.96.1.0");
  });

  test("that is not stored frees nothing", () => {
    const stored = made(service({ clusterIP: "10.96.0.5" }));
    const spec = { ...(stored["spec"] as JsonObject), type: "ExternalName" };
    addresses.reserve({ ...stored, spec }, stored, false).revert();
    expect(refusal(service({ clusterIP: "10.96.0.5" }))).toBe(TAKEN);
  });
});

describe("node ports", () => {
  const onNodes = (spec: JsonObject = {}) => service({ type: "NodePort", ...spec });
  const nodePorts = (stored: JsonObject) => specOf(stored).ports?.map(({ nodePort }) => nodePort);

  test("are given out, above those that people choose", () => {
    expect(nodePorts(made(onNodes()))).toEqual([30_086]);
    expect(nodePorts(made(onNodes()))).toEqual([30_087]);
  });

  test("may be asked for, by one, and in range", () => {
    const asked = (nodePort: number) => onNodes({ ports: [{ port: 80, nodePort }] });
    made(asked(30_005));
    const refused = (number: number, why: string) =>
      `422 Invalid: Service "s" is invalid: spec.ports[0].nodePort: Invalid value: ${number}: ${why}`;
    expect(refusal(asked(30_005))).toBe(refused(30_005, "provided port is already allocated"));
    expect(refusal(asked(80))).toBe(
      refused(80, "provided port is not in the valid range. The range of valid ports is 30000-32767"),
    );
  });

  test("serve one port of several protocols", () => {
    const both = [
      { name: "a", port: 53, protocol: "TCP" },
      { name: "b", port: 53, protocol: "UDP", nodePort: 30_005 },
    ];
    expect(nodePorts(made(onNodes({ ports: both })))).toEqual([30_005, 30_005]);
  });

  test("stay when an update leaves them out, by the port's name", () => {
    const named = (port: number) => onNodes({ ports: [{ name: "http", port }] });
    const stored = made(named(80));
    expect(nodePorts(made(named(8080), stored))).toEqual([30_086]);
  });

  test("are free again when the service needs them no more", () => {
    const stored = made(onNodes());
    const inside = made(service({ ports: [{ port: 80, nodePort: 30_086 }] }), stored);
    expect(nodePorts(inside)).toEqual([undefined]);
    expect(nodePorts(made(onNodes()))).toEqual([30_086]);
  });

  test("are not given to a balancer that needs none", () => {
    const balanced = service({ type: "LoadBalancer", allocateLoadBalancerNodePorts: false });
    expect(nodePorts(made(balanced))).toEqual([undefined]);
  });

  test("there is one for a balancer that asks nodes for their health", () => {
    const local = service({ type: "LoadBalancer", externalTrafficPolicy: "Local" });
    const stored = made(local);
    expect(specOf(stored)).toMatchObject({ ports: [{ nodePort: 30_086 }], healthCheckNodePort: 30_087 });
    expect(made(local, stored)).toEqual(stored);
    const cluster = made(
      { ...stored, spec: { ...(stored["spec"] as JsonObject), externalTrafficPolicy: "Cluster" } },
      stored,
    );
    expect(specOf(cluster)).not.toHaveProperty("healthCheckNodePort");
    expect(nodePorts(made(onNodes()))).toEqual([30_087]);
  });
});
