/** Volumes of a pod, as far as this cluster, or a node of any, can have them (upstream ValidateVolumes). */
import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  required,
} from "../../../../admission/verdict.ts";
import { Quantity } from "../../../../core/quantity.ts";
import { checkName, checkRequiredName } from "../checks.ts";
import { type ClaimTemplateToCheck, validateClaimTemplate } from "../claim.ts";
import { checkDriverName } from "../csi.ts";
import { checkFileMode, checkFileOfVolume, checkNoBacksteps } from "../local-paths.ts";
import { dnsLabel, dnsSubdomain } from "../names.ts";
import {
  checkFieldReference,
  checkResourceReference,
  type FieldReference,
  type ResourceReference,
} from "./environment.ts";

interface Item {
  readonly key?: string;
  readonly path?: string;
  readonly mode?: number;
}

interface DownwardFile {
  readonly path?: string;
  readonly mode?: number;
  readonly fieldRef?: FieldReference;
  readonly resourceFieldRef?: ResourceReference;
}

interface Projection {
  readonly secret?: { readonly name?: string; readonly items?: readonly Item[] };
  readonly configMap?: { readonly name?: string; readonly items?: readonly Item[] };
  readonly downwardAPI?: { readonly items?: readonly DownwardFile[] };
  readonly serviceAccountToken?: { readonly path?: string; readonly expirationSeconds?: number };
}

export interface Volume {
  readonly name?: string;
  readonly emptyDir?: { readonly sizeLimit?: string };
  readonly hostPath?: { readonly path?: string; readonly type?: string };
  readonly secret?: { readonly secretName?: string; readonly defaultMode?: number; readonly items?: readonly Item[] };
  readonly configMap?: { readonly name?: string; readonly defaultMode?: number; readonly items?: readonly Item[] };
  readonly nfs?: { readonly server?: string; readonly path?: string };
  readonly persistentVolumeClaim?: { readonly claimName?: string };
  readonly downwardAPI?: { readonly defaultMode?: number; readonly items?: readonly DownwardFile[] };
  readonly projected?: { readonly defaultMode?: number; readonly sources?: readonly Projection[] };
  readonly csi?: { readonly driver?: string; readonly nodePublishSecretRef?: { readonly name?: string } };
  readonly ephemeral?: { readonly volumeClaimTemplate?: ClaimTemplateToCheck };
}

type Source = Exclude<keyof Volume, "name">;

/** In the order in which a second one is found to be too many. Those without rules here are disks of clouds that are gone. */
const SOURCES: readonly string[] = [
  "emptyDir hostPath gitRepo gcePersistentDisk awsElasticBlockStore secret nfs iscsi glusterfs flocker persistentVolumeClaim rbd",
  "cinder cephfs quobyte downwardAPI fc flexVolume configMap azureFile vsphereVolume photonPersistentDisk portworxVolume azureDisk",
  "storageos projected scaleIO csi ephemeral image",
].flatMap((line) => line.split(" "));

export interface CheckedVolumes {
  readonly errors: readonly FieldError[];
  /** Those that containers can mount: the ones with nothing wrong. */
  readonly usable: ReadonlyMap<string, Volume>;
}

/** `pod`: the name of the pod, where it has one yet. */
export function checkVolumes(volumes: readonly Volume[], pod: string | undefined, path: string): CheckedVolumes {
  const usable = new Map<string, Volume>();
  const ephemeral = pod === undefined ? [] : volumes.filter((volume) => volume.ephemeral !== undefined);
  const made = new Set(ephemeral.map(({ name = "" }) => `${pod}-${name}`));
  const errors = volumes.flatMap((volume, index) => {
    const { name = "" } = volume;
    const at = `${path}[${index}]`;
    const found = [
      ...checkSource(volume, at),
      ...checkRequiredName(name, dnsLabel, `${at}.name`),
      ...(usable.has(name) ? [duplicate(`${at}.name`, name)] : []),
    ];
    if (found.length === 0) usable.set(name, volume);
    const claim = volume.persistentVolumeClaim?.claimName ?? "";
    const why = "must not reference a PVC that gets created for an ephemeral volume";
    return [...found, ...(made.has(claim) ? [invalid(`${at}.persistentVolumeClaim.claimName`, claim, why)] : [])];
  });
  return { errors, usable };
}

function checkSource(volume: Volume, path: string): FieldError[] {
  const given = SOURCES.filter((source) => isGiven((volume as Readonly<Record<string, unknown>>)[source]));
  const [first, ...others] = given;
  if (first === undefined) return [required(path, "must specify a volume type")];
  const check = CHECKS[first as Source];
  return [
    ...(check === undefined ? [] : check(volume, `${path}.${first}`)),
    ...others.map((source) =>
      forbidden(`${path}.${SPELLED[source] ?? source}`, "may not specify more than 1 volume type"),
    ),
  ];
}

/** Where upstream calls a field otherwise, or by a slip. */
const SPELLED: Readonly<Record<string, string>> = { downwardAPI: "downwarAPI", cephfs: "cephFS" };

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

const HOST_PATHS = [
  "",
  "BlockDevice",
  "CharDevice",
  "Directory",
  "DirectoryOrCreate",
  "File",
  "FileOrCreate",
  "Socket",
];

const CHECKS: Readonly<Partial<Record<Source, (volume: Volume, path: string) => FieldError[]>>> = {
  emptyDir: ({ emptyDir }, path) =>
    Quantity.tryParse(emptyDir?.sizeLimit ?? "0")?.lessThan(Quantity.zero) === true
      ? [forbidden(`${path}.sizeLimit`, "SizeLimit field must be a valid resource quantity")]
      : [],
  hostPath: ({ hostPath = {} }, path) => checkHostPath(hostPath, path),
  secret: ({ secret = {} }, path) => [
    ...(given(secret.secretName) ? [] : [required(`${path}.secretName`)]),
    ...checkFileMode(secret.defaultMode, `${path}.defaultMode`),
    ...checkItems(secret.items ?? [], `${path}.items`),
  ],
  configMap: ({ configMap = {} }, path) => [
    ...(given(configMap.name) ? [] : [required(`${path}.name`)]),
    ...checkFileMode(configMap.defaultMode, `${path}.defaultMode`),
    ...checkItems(configMap.items ?? [], `${path}.items`),
  ],
  nfs: ({ nfs = {} }, path) => checkNfs(nfs, path),
  persistentVolumeClaim: ({ persistentVolumeClaim }, path) =>
    given(persistentVolumeClaim?.claimName) ? [] : [required(`${path}.claimName`)],
  downwardAPI: ({ downwardAPI = {} }, path) => [
    ...checkFileMode(downwardAPI.defaultMode, `${path}.defaultMode`),
    ...(downwardAPI.items ?? []).flatMap((file) => checkDownwardFile(file, path)),
  ],
  projected: ({ projected = {} }, path) => [
    ...checkFileMode(projected.defaultMode, `${path}.defaultMode`),
    ...checkProjections(projected.sources ?? [], path),
  ],
  csi: ({ csi = {} }, path) => [
    ...checkDriverName(csi.driver, `${path}.driver`),
    ...(csi.nodePublishSecretRef === undefined
      ? []
      : given(csi.nodePublishSecretRef.name)
        ? checkName(csi.nodePublishSecretRef.name, dnsSubdomain, `${path}.name`)
        : [required(`${path}.nodePublishSecretRef.name`)]),
  ],
  ephemeral: ({ ephemeral = {} }, path) =>
    ephemeral.volumeClaimTemplate === undefined
      ? [required(`${path}.volumeClaimTemplate`)]
      : validateClaimTemplate(ephemeral.volumeClaimTemplate, `${path}.volumeClaimTemplate`),
};

function given(text: string | undefined): boolean {
  return (text ?? "") !== "";
}

/** A folder or file of the node; of volumes of the cluster, too. */
export function checkHostPath(host: NonNullable<Volume["hostPath"]>, path: string): FieldError[] {
  if (!given(host.path)) return [required(`${path}.path`)];
  return [
    ...checkNoBacksteps(host.path ?? "", `${path}.path`),
    ...(HOST_PATHS.includes(host.type ?? "") ? [] : [notSupported(`${path}.type`, host.type, HOST_PATHS)]),
  ];
}

export function checkNfs({ server, path: folder = "" }: NonNullable<Volume["nfs"]>, path: string): FieldError[] {
  return [
    ...(given(server) ? [] : [required(`${path}.server`)]),
    ...(folder === "" ? [required(`${path}.path`)] : []),
    ...(folder.startsWith("/") ? [] : [invalid(`${path}.path`, folder, "must be an absolute path")]),
  ];
}

function checkItems(items: readonly Item[], path: string): FieldError[] {
  return items.flatMap((item, index) => checkItem(item, `${path}[${index}]`));
}

function checkItem({ key, path: file = "", mode }: Item, path: string): FieldError[] {
  return [
    ...(given(key) ? [] : [required(`${path}.key`)]),
    ...(file === "" ? [required(`${path}.path`)] : []),
    ...checkFileOfVolume(file, `${path}.path`),
    ...checkFileMode(mode, `${path}.mode`),
  ];
}

/** Told of at the volume, whichever of its files it is: so it is upstream. */
function checkDownwardFile(file: DownwardFile, path: string): FieldError[] {
  const { path: name = "", fieldRef, resourceFieldRef, mode } = file;
  return [
    ...(name === "" ? [required(`${path}.path`)] : []),
    ...checkFileOfVolume(name, `${path}.path`),
    ...(fieldRef === undefined
      ? resourceFieldRef === undefined
        ? [required(path, "one of fieldRef and resourceFieldRef is required")]
        : checkResourceReference(resourceFieldRef, true, `${path}.resourceFieldRef`)
      : [
          ...checkFieldReference(fieldRef, "file", `${path}.fieldRef`),
          ...(resourceFieldRef === undefined
            ? []
            : [invalid(path, "resource", "fieldRef and resourceFieldRef can not be specified simultaneously")]),
        ]),
    ...checkFileMode(mode, `${path}.mode`),
  ];
}

/** There are more, behind gates. */
const PROJECTED = ["secret", "configMap", "downwardAPI", "serviceAccountToken"] as const;

function checkProjections(sources: readonly Projection[], path: string): FieldError[] {
  const taken = new Set<string>();
  /** Files of all sources are in one folder. */
  const claim = (file: string | undefined, shown: string | undefined): FieldError[] => {
    if (!given(file)) return [];
    const isTaken = taken.has(file ?? "");
    taken.add(file ?? "");
    return isTaken ? [invalid(path, shown ?? "", "conflicting duplicate paths")] : [];
  };
  return sources.flatMap((source, index) => {
    const at = `${path}.sources[${index}]`;
    const named = (["secret", "configMap"] as const).flatMap((kind) => {
      const from = source[kind];
      if (from === undefined) return [];
      return [
        ...(given(from.name) ? [] : [required(`${at}.${kind}.name`)]),
        ...(from.items ?? []).flatMap((item, place) => [
          ...checkItem(item, `${at}.${kind}.items[${place}]`),
          ...claim(item.path, from.name),
        ]),
      ];
    });
    const count = PROJECTED.filter((kind) => isGiven(source[kind])).length;
    return [
      ...named,
      ...(source.downwardAPI?.items ?? []).flatMap((file) => [
        ...checkDownwardFile(file, `${at}.downwardAPI`),
        ...claim(file.path, file.path),
      ]),
      ...(source.serviceAccountToken === undefined ? [] : checkToken(source.serviceAccountToken, at, path)),
      ...(count > 1 ? [forbidden(at, "may not specify more than 1 volume type per source")] : []),
    ];
  });
}

type Token = NonNullable<Projection["serviceAccountToken"]>;

/** A path that is wrong is told of at the volume: so it is upstream. */
function checkToken({ path: file = "", expirationSeconds = 3600 }: Token, at: string, volume: string): FieldError[] {
  const refuse = (why: string): FieldError[] => [
    invalid(`${at}.serviceAccountToken.expirationSeconds`, expirationSeconds, why),
  ];
  return [
    ...(expirationSeconds < 600 ? refuse("may not specify a duration less than 10 minutes") : []),
    ...(expirationSeconds > 2 ** 32 ? refuse("may not specify a duration larger than 2^32 seconds") : []),
    ...(file === "" ? [required(`${volume}.path`)] : checkFileOfVolume(file, `${volume}.path`)),
  ];
}
