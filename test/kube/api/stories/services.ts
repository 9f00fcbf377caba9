/** Services, their addresses and ports. */
import { type Stage, story } from "../story.ts";

const services = ({ ns }: Stage): string => `/api/v1/namespaces/${ns}/services`;
const service = (name: string, spec: object): object => ({ metadata: { name }, spec });
const PORTS = [{ port: 80 }];

export const SERVICES = [
  story("services", async (stage) => {
    const { tell } = stage;
    const path = services(stage);
    const create = (title: string, body: object) => tell(title, { method: "POST", path, body });
    await create("with an address", service("plain", { ports: PORTS, selector: { app: "x" } }));
    await create("without one", service("headless", { ports: PORTS, selector: { app: "x" }, clusterIP: "None" }));
    await create("a name elsewhere", service("elsewhere", { type: "ExternalName", externalName: "example.com" }));
    await create("with a node port", service("node", { type: "NodePort", ports: [{ port: 80, nodePort: 30_123 }] }));
    await create("with the same", service("again", { type: "NodePort", ports: [{ port: 81, nodePort: 30_123 }] }));
    await create("out of range", service("again", { type: "NodePort", ports: [{ port: 81, nodePort: 123 }] }));
    await create("no address", service("again", { ports: PORTS, clusterIP: "nonsense" }));
    await create("no ports", service("again", { selector: { app: "x" } }));
    await create("balanced", service("balanced", { type: "LoadBalancer", ports: [{ port: 80, nodePort: 30_125 }] }));
    await tell("a table", { path, accept: "application/json;as=Table;v=v1;g=meta.k8s.io" });
    const patch = (title: string, name: string, spec: object) =>
      tell(title, { method: "PATCH", path: `${path}/${name}`, type: "merge", body: { spec } });
    await patch("another port", "plain", { ports: [{ port: 90 }] });
    await patch("becomes a node port", "plain", { type: "NodePort", ports: [{ port: 90, nodePort: 30_124 }] });
    await patch("and back", "plain", { type: "ClusterIP" });
    await patch("another address", "plain", { clusterIP: "10.0.0.250", clusterIPs: ["10.0.0.250"] });
    await patch("becomes a name", "plain", { type: "ExternalName", externalName: "example.com" });
    await tell("delete", { method: "DELETE", path: `${path}/node` });
    await create("free again", service("again", { type: "NodePort", ports: [{ port: 81, nodePort: 30_123 }] }));
    await tell("by put", {
      method: "PUT",
      path: `${path}/put`,
      body: service("put", { ports: PORTS, clusterIP: "None" }),
    });
  }),
];
