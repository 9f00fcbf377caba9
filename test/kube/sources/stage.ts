/**
 * The stage of growth, with MOCO on it: the kind `MySQLCluster`, its source, the role that the source needs, and a stand-in
 * for the operator in each namespace.
 */
import {
  MYSQL_CLUSTER_DEFINITION,
  type MySqlOperatorOptions,
  setNameOf,
  startMySqlOperator,
} from "../../../src/cluster/sample/mysql/index.ts";
import { createClient, createTransport, type KubeClient, loadConfig } from "../../../src/kube/index.ts";
import {
  EXPANSION_SOURCE_DEFINITION,
  EXPANSION_SOURCES,
  type ExpansionSource,
  type ExpansionSourceSpec,
  rulesForSource,
} from "../../../src/source/index.ts";
import { MOCO } from "../../../src/source/presets/moco.ts";
import { type Definition, defineKind } from "../custom-kinds.ts";
import { CONTROLLER_NAMESPACE } from "../growth/controller.ts";
import { openScene } from "../growth/scene.ts";
import type { Stage } from "../growth/stage.ts";
import { waitFor } from "../wait.ts";
import { openCluster, type SourceScene } from "./scene.ts";

export interface SourceStage {
  readonly stage: Stage;
  readonly client: KubeClient;
  /** A namespace with an operator in it. */
  scene(namespace: string, operator?: Pick<MySqlOperatorOptions, "recreates">): Promise<SourceScene>;
  /** Adds a definition and waits until its kind is served. */
  define(definition: Definition): Promise<void>;
  /** Creates a source; with the role that it needs, unless that is to be left out. */
  addSource(name: string, spec: ExpansionSourceSpec, role?: "no role"): Promise<void>;
  /** Gives the controller the rights that a source needs. */
  grant(name: string, spec: ExpansionSourceSpec): Promise<void>;
  /** Waits until a source says this of itself: `Reason: message`. */
  untilSourceSays(name: string, text: string): Promise<ExpansionSource>;
}

const PATIENCE = { timeoutMs: 120_000, everyMs: 200 };

/** On a stage that is open. What is started belongs to the stack. */
export async function openSourceStage(stage: Stage, stack: AsyncDisposableStack): Promise<SourceStage> {
  const { plane } = stage;
  const { api } = plane;
  const config = await loadConfig({ env: {}, kubeconfig: plane.admin.kubeconfig });
  const client = stack.adopt(createClient(createTransport(config)), (each) => each.close());

  const found: SourceStage = {
    stage,
    client,
    async scene(namespace, operator = {}) {
      const { takesEdits } = await stage.scene(namespace);
      const scene = openScene(plane, namespace, { takesEdits, set: setNameOf("shop") });
      const running = startMySqlOperator({ client, namespaces: [namespace], ...operator });
      stack.defer(() => running.stop());
      return openCluster(client, scene, running);
    },
    async define(definition) {
      await defineKind(api, definition);
    },
    async addSource(name, spec, role) {
      if (role === undefined) await found.grant(name, spec);
      await client.create(EXPANSION_SOURCES, { metadata: { name }, spec });
    },
    async grant(name, spec) {
      await plane.kubectl(["apply", "-f", "-"], { input: JSON.stringify(roleFor(name, spec)) });
    },
    async untilSourceSays(name, text) {
      let said = "";
      const probe = async () => {
        const source = await client.get(EXPANSION_SOURCES, { name });
        const ready = source.status?.conditions?.find(({ type }) => type === "Ready");
        said = `${ready?.reason}: ${ready?.message}`;
        return said.includes(text) && source;
      };
      return waitFor(`source ${name} to say "${text}"`, probe, PATIENCE).catch((error: unknown) => {
        throw new Error(`${String(error)}; it says "${said}"`, { cause: error });
      });
    },
  };
  await found.define(EXPANSION_SOURCE_DEFINITION);
  await found.define(MYSQL_CLUSTER_DEFINITION);
  await found.addSource("moco", MOCO.spec);
  return found;
}

/** The rights of one source, given to the controller. */
function roleFor(name: string, spec: ExpansionSourceSpec): object {
  const apiVersion = "rbac.authorization.k8s.io/v1";
  const metadata = { name: `outgrow-source-${name}` };
  const subjects = [{ kind: "ServiceAccount", namespace: CONTROLLER_NAMESPACE, name: "outgrow-controller" }];
  const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: metadata.name };
  return {
    apiVersion: "v1",
    kind: "List",
    items: [
      { apiVersion, kind: "ClusterRole", metadata, rules: rulesForSource(spec) },
      { apiVersion, kind: "ClusterRoleBinding", metadata, subjects, roleRef },
    ],
  };
}
