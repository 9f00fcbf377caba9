/** Who a container is, and what it may do to its node (upstream ValidateSecurityContext and validatePodSpecSecurityContext). */
import { duplicate, type FieldError, invalid, notSupported, required, tooLong } from "../../../../admission/verdict.ts";
import { checkId } from "../checks.ts";
import { checkDescending } from "../local-paths.ts";
import { repeated } from "../repeated.ts";

interface Profile {
  readonly type?: string;
  readonly localhostProfile?: string;
}

export interface ContainerSecurity {
  readonly privileged?: boolean;
  readonly runAsUser?: number;
  readonly runAsGroup?: number;
  readonly procMount?: string;
  readonly seccompProfile?: Profile;
  readonly appArmorProfile?: Profile;
  readonly allowPrivilegeEscalation?: boolean;
  readonly capabilities?: { readonly add?: readonly string[] };
}

export interface PodSecurity {
  readonly fsGroup?: number;
  readonly runAsUser?: number;
  readonly runAsGroup?: number;
  readonly supplementalGroups?: readonly number[];
  readonly supplementalGroupsPolicy?: string;
  readonly sysctls?: readonly { readonly name?: string }[];
  readonly fsGroupChangePolicy?: string;
  readonly seccompProfile?: Profile;
  readonly appArmorProfile?: Profile;
  readonly seLinuxChangePolicy?: string;
}

const PROC_MOUNTS = ["Default", "Unmasked"];
const PROFILES = ["Localhost", "RuntimeDefault", "Unconfined"];
const SYSCTL = "^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$";
const SYSCTL_SHAPE = /^(?:[a-z0-9](?:[-_a-z0-9]*[a-z0-9])?[./])*[a-z0-9](?:[-_a-z0-9]*[a-z0-9])?$/;
const SYSCTL_LENGTH = 253;

/** `sharesUsers`: users of the container are those of the node. */
export function checkContainerSecurity(context: ContainerSecurity, sharesUsers: boolean, path: string): FieldError[] {
  const { runAsUser, runAsGroup, procMount, allowPrivilegeEscalation, privileged, capabilities } = context;
  const rises = "cannot set `allowPrivilegeEscalation` to false and";
  return [
    ...checkId(runAsUser, `${path}.runAsUser`),
    ...checkId(runAsGroup, `${path}.runAsGroup`),
    ...(procMount === undefined || PROC_MOUNTS.includes(procMount)
      ? []
      : [notSupported(`${path}.procMount`, procMount, PROC_MOUNTS)]),
    ...(procMount === "Unmasked" && sharesUsers
      ? [invalid(`${path}.procMount`, procMount, "`hostUsers` must be false to use `Unmasked`")]
      : []),
    ...checkSeccomp(context.seccompProfile, `${path}.seccompProfile`),
    ...(allowPrivilegeEscalation === false && privileged === true
      ? [invalid(path, context, `${rises} \`privileged\` to true`)]
      : []),
    ...(allowPrivilegeEscalation === false && (capabilities?.add ?? []).includes("CAP_SYS_ADMIN")
      ? [invalid(path, context, `${rises} \`capabilities.Add\` CAP_SYS_ADMIN`)]
      : []),
    ...checkAppArmor(context.appArmorProfile, `${path}.appArmorProfile`),
  ];
}

const CHANGE_POLICIES = ["Always", "OnRootMismatch"];
const GROUP_POLICIES = ["Merge", "Strict"];
/** The other, by an option of the mount, is behind a gate. */
const SELINUX_POLICIES = ["Recursive"];

export function checkPodSecurity(context: PodSecurity, path: string): FieldError[] {
  const policy = (name: "fsGroupChangePolicy" | "supplementalGroupsPolicy" | "seLinuxChangePolicy", all: string[]) => {
    const value = context[name];
    return value === undefined || all.includes(value) ? [] : [notSupported(`${path}.${name}`, value, all)];
  };
  return [
    ...checkId(context.fsGroup, `${path}.fsGroup`),
    ...checkId(context.runAsUser, `${path}.runAsUser`),
    ...checkId(context.runAsGroup, `${path}.runAsGroup`),
    ...(context.supplementalGroups ?? []).flatMap((id, index) => checkId(id, `${path}.supplementalGroups[${index}]`)),
    ...checkSysctls(context.sysctls ?? [], `${path}.sysctls`),
    ...policy("fsGroupChangePolicy", CHANGE_POLICIES),
    ...checkSeccomp(context.seccompProfile, `${path}.seccompProfile`),
    ...checkAppArmor(context.appArmorProfile, `${path}.appArmorProfile`),
    ...policy("supplementalGroupsPolicy", GROUP_POLICIES),
    ...policy("seLinuxChangePolicy", SELINUX_POLICIES),
  ];
}

function checkSysctls(sysctls: readonly { readonly name?: string }[], path: string): FieldError[] {
  const why = `must have at most ${SYSCTL_LENGTH} characters and match regex ${SYSCTL}`;
  const again = repeated(sysctls, ({ name }) => name ?? "");
  return sysctls.flatMap(({ name = "" }, index) => {
    const at = `${path}[${index}].name`;
    if (name === "") return [required(at)];
    if (name.length > SYSCTL_LENGTH || !SYSCTL_SHAPE.test(name)) return [invalid(at, name, why)];
    return again.has(index) ? [duplicate(at, name)] : [];
  });
}

function checkSeccomp(profile: Profile | undefined, path: string): FieldError[] {
  if (profile === undefined) return [];
  const { type = "", localhostProfile: file } = profile;
  const errors =
    type === ""
      ? [required(`${path}.type`, "type is required when seccompProfile is set")]
      : PROFILES.includes(type)
        ? []
        : [notSupported(`${path}.type`, type, PROFILES)];
  if (type !== "Localhost") {
    if (file === undefined) return errors;
    const shown = { Type: type, LocalhostProfile: file };
    return [...errors, invalid(`${path}.localhostProfile`, shown, "can only be set when seccomp type is Localhost")];
  }
  if (file === undefined)
    return [...errors, required(`${path}.localhostProfile`, "must be set when seccomp type is Localhost")];
  return [...errors, ...checkDescending(file, `${path}.localhostProfile`)];
}

const PATH_BYTES = 4095;

function checkAppArmor(profile: Profile | undefined, path: string): FieldError[] {
  if (profile === undefined) return [];
  const { type = "", localhostProfile: file } = profile;
  const at = `${path}.localhostProfile`;
  if (type === "") return [required(`${path}.type`, "type is required when appArmorProfile is set")];
  if (!PROFILES.includes(type)) return [notSupported(`${path}.type`, type, PROFILES)];
  if (type !== "Localhost") {
    return file === undefined ? [] : [invalid(at, file, "can only be set when AppArmor type is Localhost")];
  }
  if (file === undefined || file === "") return [required(at, "must be set when AppArmor type is Localhost")];
  return [
    ...(file === file.trim() ? [] : [invalid(at, file, "must not be padded with whitespace")]),
    ...(Buffer.byteLength(file) > PATH_BYTES ? [tooLong(at, PATH_BYTES)] : []),
  ];
}
