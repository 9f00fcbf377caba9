/** The command lines of a control plane, and why each option is there. */
import { join } from "node:path";
import type { ControlPlaneOptions } from "./options.ts";

/** Files and sockets of one control plane, all under one folder. */
export function layout(folder: string) {
  return {
    folder,
    etcdData: join(folder, "etcd"),
    etcdSocket: join(folder, "etcd.sock"),
    certificates: join(folder, "certificates"),
    /** Made by kube-apiserver at its start: its own certificate, followed by that of its authority. */
    certificate: join(folder, "certificates", "apiserver.crt"),
    signingKey: join(folder, "service-account.key"),
    verifyingKey: join(folder, "service-account.pub"),
    tokens: join(folder, "tokens.csv"),
    auditPolicy: join(folder, "audit-policy.yaml"),
    auditLog: join(folder, "audit.log"),
    flexVolumes: join(folder, "flex-volumes"),
    kubeconfig: (name: string) => join(folder, `${name.replaceAll(":", "-")}.kubeconfig`),
    log: (program: string) => join(folder, `${program}.log`),
  };
}

export type Layout = ReturnType<typeof layout>;

export function etcdArgs(files: Layout, options: ControlPlaneOptions): string[] {
  return [
    `--data-dir=${files.etcdData}`,
    // A socket in a folder of our own: nobody else can reach it, and there is no port to lose to somebody.
    `--listen-client-urls=unix://${files.etcdSocket}`,
    // Asked for by etcd, told to other members; there are none.
    "--advertise-client-urls=http://127.0.0.1:0",
    "--listen-peer-urls=http://127.0.0.1:0",
    "--quota-backend-bytes=8589934592",
    "--log-level=warn",
    ...(options.durable === true ? [] : ["--unsafe-no-fsync"]),
  ];
}

export function apiserverArgs(files: Layout, port: number, options: ControlPlaneOptions): string[] {
  const { admission, featureGates, runtimeConfig, audit = true, apiserverFlags = [] } = options;
  // It refuses pods until a controller has made the ServiceAccount "default" of their namespace: soon, or never.
  const disabled = ["ServiceAccount", ...(admission?.disable ?? [])].filter((it) => !admission?.enable?.includes(it));
  return [
    `--etcd-servers=unix://${files.etcdSocket}`,
    "--bind-address=127.0.0.1",
    "--advertise-address=127.0.0.1",
    `--secure-port=${port}`,
    // The Service "kubernetes" may not point to a loopback address, and nothing here would use it.
    "--endpoint-reconciler-type=none",
    "--service-cluster-ip-range=10.0.0.0/24",
    `--cert-dir=${files.certificates}`,
    "--service-account-issuer=https://kubernetes.default.svc",
    `--service-account-signing-key-file=${files.signingKey}`,
    `--service-account-key-file=${files.verifyingKey}`,
    `--token-auth-file=${files.tokens}`,
    "--authorization-mode=RBAC",
    "--allow-privileged=true",
    ...(disabled.length === 0 ? [] : [`--disable-admission-plugins=${disabled.join(",")}`]),
    ...(admission?.enable === undefined ? [] : [`--enable-admission-plugins=${admission.enable.join(",")}`]),
    ...switches("--feature-gates", featureGates),
    ...switches("--runtime-config", runtimeConfig),
    ...(audit ? auditArgs(files) : []),
    ...apiserverFlags,
  ];
}

function auditArgs(files: Layout): string[] {
  return [
    `--audit-policy-file=${files.auditPolicy}`,
    `--audit-log-path=${files.auditLog}`,
    "--audit-log-mode=blocking",
    // In megabytes: never rotated, so that counting reads one file.
    "--audit-log-maxsize=100000",
  ];
}

export function controllerManagerArgs(
  files: Layout,
  kubeconfig: string,
  controllers: readonly string[],
  options: ControlPlaneOptions,
): string[] {
  return [
    `--kubeconfig=${kubeconfig}`,
    `--controllers=${controllers.join(",")}`,
    "--leader-elect=false",
    // It serves nothing that a test asks for.
    "--secure-port=0",
    // At the default of 20 requests a second, binding a thousand claims takes minutes.
    "--kube-api-qps=2000",
    "--kube-api-burst=4000",
    // After a lost race, a claim is bound at the next period; the default of 15 s is a long time in a test.
    "--pvclaimbinder-sync-period=2s",
    // No kubelet reports here: a Node object is alive for as long as it exists.
    "--node-monitor-grace-period=24h",
    // It makes this folder; the default one is the machine's.
    `--flex-volume-plugin-dir=${files.flexVolumes}`,
    `--service-account-private-key-file=${files.signingKey}`,
    ...switches("--feature-gates", options.featureGates),
    ...(options.managerFlags ?? []),
  ];
}

function switches(flag: string, values: Readonly<Record<string, boolean>> = {}): string[] {
  const pairs = Object.entries(values).map(([name, on]) => `${name}=${on}`);
  return pairs.length === 0 ? [] : [`${flag}=${pairs.join(",")}`];
}
