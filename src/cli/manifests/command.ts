/** `outgrow manifests`: everything to `kubectl apply -f -`. Asks no cluster: the same words always print the same. */
import type { Command } from "commander";
import { OutgrowError } from "../../core/errors.ts";
import { semanticallyEqual } from "../../core/semantic-equal.ts";
import type { ExpansionSource } from "../../source/types.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { readSources } from "../sources/read-sources.ts";
import type { Terminal } from "../terminal.ts";
import { installation } from "./installation.ts";
import { admissionFor, DEFAULTS, type InstallOptions } from "./options.ts";
import { printParts } from "./print.ts";

interface Flags {
  readonly namespace: string;
  readonly keepNamespace?: boolean;
  readonly image: string;
  readonly watchNamespace?: readonly string[];
  readonly kubernetesVersion?: string;
  readonly policies: boolean;
  readonly podMonitor?: boolean;
  readonly source?: readonly string[];
}

export function completeManifests(command: Command, terminal: Terminal, finish: (code: ExitCode) => void): void {
  command
    .option("-n, --namespace <name>", "where the controller runs", DEFAULTS.namespace)
    .option("--keep-namespace", "leave the Namespace itself out: it is there already, and not for us alone")
    .option("--image <image>", "the controller's image, built from the Containerfile", DEFAULTS.image)
    .option("--watch-namespace <name>", "grow sets of this namespace only; may be given again (default: all)", several)
    .option(
      "--source <name>",
      "with what following an operator takes (outgrow sources list), or a file with a source; may be given again",
      several,
    )
    .option("--kubernetes-version <version>", "for an older cluster, as 1.34: a webhook in place of admission policies")
    .option("--no-policies", "neither policies nor webhook: sizes are asked for with the annotation outgrow.dev/claims")
    .option("--pod-monitor", "with a PodMonitor, where the Prometheus operator is")
    .addHelpText("after", "\nExample:\n  outgrow manifests --image registry.example/outgrow:0.1.0 | kubectl apply -f -")
    .action(async (flags: Flags) => {
      const sources = await Promise.all((flags.source ?? []).map((word) => readSources(word, terminal.input)));
      const parts = installation({ ...readFlags(flags), sources: onlyOnce(sources.flat()) });
      terminal.write(`${howToApply(flags.source ?? [])}${await printParts(parts)}`);
      finish(EXIT.done);
    });
}

/** kubectl asks for the kinds of all objects before it applies the first, and knows none that is among them. */
function howToApply(sources: readonly string[]): string {
  if (sources.length === 0) return "";
  const named = sources.map((word) => ` --source ${word}`).join("");
  return [
    "# A cluster without Outgrow does not know the kind ExpansionSource yet, and kubectl looks up every kind before it applies",
    "# anything. There it takes two commands, with the other flags in both:",
    "#   outgrow manifests | kubectl apply -f -",
    `#   outgrow manifests${named} | kubectl apply -f -`,
    "",
    "",
  ].join("\n");
}

const several = (word: string, others: readonly string[] | undefined) => [...(others ?? []), word];

/** A source that is named twice is meant once; two different ones cannot have one name. */
function onlyOnce(sources: readonly ExpansionSource[]): readonly ExpansionSource[] {
  const byName = new Map<string, ExpansionSource>();
  for (const source of sources) {
    const { name } = source.metadata;
    const other = byName.get(name);
    if (other !== undefined && !semanticallyEqual(other.spec, source.spec)) {
      throw new OutgrowError("USAGE", `there are two different sources ${JSON.stringify(name)}; give one another name`);
    }
    byName.set(name, source);
  }
  return [...byName.values()];
}

function readFlags(flags: Flags): Omit<InstallOptions, "sources"> {
  const {
    namespace,
    keepNamespace = false,
    image,
    watchNamespace = [],
    kubernetesVersion,
    policies,
    podMonitor = false,
  } = flags;
  for (const name of [namespace, ...watchNamespace]) {
    if (/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(name)) continue;
    throw new OutgrowError(
      "USAGE",
      `${JSON.stringify(name)} is no name of a namespace; write small letters, digits and hyphens, at most 63`,
    );
  }
  // Deleting what was installed would delete everything in there, and labelling it keeps out other pods.
  if (!keepNamespace && /^(default|kube-.*)$/.test(namespace)) {
    throw new OutgrowError(
      "USAGE",
      `namespace ${namespace} is not ours to make; add --keep-namespace to use it as it is`,
    );
  }
  if (image === "" || /\s/.test(image)) throw new OutgrowError("USAGE", `${JSON.stringify(image)} is no image`);
  const able = kubernetesVersion === undefined ? DEFAULTS.admission : admissionFor(kubernetesVersion);
  const watched = [...new Set(watchNamespace)].sort();
  return { namespace, ownNamespace: !keepNamespace, image, watched, admission: policies ? able : "none", podMonitor };
}
