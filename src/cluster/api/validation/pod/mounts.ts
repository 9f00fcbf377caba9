/** Where volumes are in a container: as folders, or as devices (upstream ValidateVolumeMounts and ValidateVolumeDevices). */
import {
  type FieldError,
  forbidden,
  invalid,
  notFound,
  notSupported,
  required,
} from "../../../../admission/verdict.ts";
import { checkDescending } from "../local-paths.ts";
import { repeated } from "../repeated.ts";
import type { Volume } from "./volumes.ts";

export interface Mount {
  readonly name?: string;
  readonly mountPath?: string;
  readonly subPath?: string;
  readonly subPathExpr?: string;
  readonly readOnly?: boolean;
  readonly mountPropagation?: string;
  readonly recursiveReadOnly?: string;
}

export interface Device {
  readonly name?: string;
  readonly devicePath?: string;
}

export interface Mounting {
  readonly volumeMounts?: readonly Mount[];
  readonly volumeDevices?: readonly Device[];
  readonly securityContext?: { readonly privileged?: boolean };
}

const PROPAGATIONS = ["Bidirectional", "HostToContainer", "None"];
const RECURSIVE = ["Disabled", "Enabled", "IfPossible"];

/** What is wrong below a mount is told of at the list of them: so it is upstream. */
export function checkMounts(container: Mounting, volumes: ReadonlyMap<string, Volume>, path: string): FieldError[] {
  const { volumeMounts: mounts = [], volumeDevices: devices = [], securityContext } = container;
  const isPrivileged = securityContext?.privileged === true;
  const paths = repeated(mounts, ({ mountPath }) => mountPath ?? "");
  const deviceNames = new Set(devices.map((device) => device.name));
  const devicePaths = new Set(devices.map((device) => device.devicePath));
  return mounts.flatMap((mount, index) => {
    const { name = "", mountPath = "", subPath = "", subPathExpr = "" } = mount;
    const at = `${path}[${index}]`;
    const both = "subPathExpr and subPath are mutually exclusive";
    return [
      ...(name === "" ? [required(`${at}.name`)] : []),
      ...(volumes.has(name) ? [] : [notFound(`${at}.name`, name)]),
      ...(mountPath === "" ? [required(`${at}.mountPath`)] : []),
      ...(paths.has(index) ? [invalid(`${at}.mountPath`, mountPath, "must be unique")] : []),
      ...(deviceNames.has(name) ? [invalid(`${at}.name`, name, "must not already exist in volumeDevices")] : []),
      ...(devicePaths.has(mountPath)
        ? [invalid(`${at}.mountPath`, mountPath, "must not already exist as a path in volumeDevices")]
        : []),
      ...(subPath === "" ? [] : checkDescending(subPath, `${path}.subPath`)),
      ...(subPath !== "" && subPathExpr !== "" ? [invalid(`${at}.subPathExpr`, subPathExpr, both)] : []),
      ...(subPathExpr === "" ? [] : checkDescending(subPathExpr, `${path}.subPathExpr`)),
      ...checkPropagation(mount.mountPropagation, isPrivileged, `${path}.mountPropagation`),
      ...checkRecursive(mount, `${path}.recursiveReadOnly`),
    ];
  });
}

function checkPropagation(propagation: string | undefined, isPrivileged: boolean, path: string): FieldError[] {
  if (propagation === undefined) return [];
  const why = "Bidirectional mount propagation is available only to privileged containers";
  if (propagation === "Bidirectional") return isPrivileged ? [] : [forbidden(path, why)];
  return PROPAGATIONS.includes(propagation) ? [] : [notSupported(path, propagation, PROPAGATIONS)];
}

function checkRecursive({ recursiveReadOnly: mode, readOnly, mountPropagation }: Mount, path: string): FieldError[] {
  if (mode === undefined || mode === "Disabled") return [];
  if (!RECURSIVE.includes(mode)) return [notSupported(path, mode, RECURSIVE)];
  const alone = "may only be specified when mountPropagation is None or not specified";
  return [
    ...(readOnly === true ? [] : [forbidden(path, "may only be specified when readOnly is true")]),
    ...((mountPropagation ?? "None") === "None" ? [] : [forbidden(path, alone)]),
  ];
}

export function checkDevices(container: Mounting, volumes: ReadonlyMap<string, Volume>, path: string): FieldError[] {
  const { volumeMounts: mounts = [], volumeDevices: devices = [] } = container;
  const names = repeated(devices, ({ name = "" }) => (name === "" ? undefined : name));
  const paths = repeated(devices, ({ devicePath }) => devicePath ?? "");
  const mountNames = new Set(mounts.map((mount) => mount.name));
  const mountPaths = new Set(mounts.map((mount) => mount.mountPath));
  return devices.flatMap(({ name = "", devicePath = "" }, index) => {
    const at = `${path}[${index}]`;
    const volume = volumes.get(name);
    const isClaim = volume?.persistentVolumeClaim !== undefined || volume?.ephemeral !== undefined;
    const goesUp = devicePath.split("/").includes("..");
    const onlyClaims = "can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode";
    return [
      ...(name === "" ? [required(`${at}.name`)] : []),
      ...(names.has(index) ? [invalid(`${at}.name`, name, "must be unique")] : []),
      ...(volume !== undefined && !isClaim ? [invalid(`${at}.name`, name, onlyClaims)] : []),
      ...(volume === undefined ? [notFound(`${at}.name`, name)] : []),
      ...(devicePath === "" ? [required(`${at}.devicePath`)] : []),
      ...(paths.has(index) ? [invalid(`${at}.devicePath`, devicePath, "must be unique")] : []),
      ...(goesUp ? [invalid(`${at}.devicePath`, devicePath, "can not contain backsteps ('..')")] : []),
      ...(mountNames.has(name) ? [invalid(`${at}.name`, name, "must not already exist in volumeMounts")] : []),
      ...(mountPaths.has(devicePath)
        ? [invalid(`${at}.devicePath`, devicePath, "must not already exist as a path in volumeMounts")]
        : []),
    ];
  });
}
