/** `outgrow resize`: asks for another size, where a person would write it. */
import type { Command } from "commander";
import { isTemplateImmutableError } from "../../admission/statefulset-update.ts";
import { OutgrowError } from "../../core/errors.ts";
import type { Quantity } from "../../core/quantity.ts";
import { CLAIMS, KubeError, type Ref, STATEFUL_SETS } from "../../kube/index.ts";
import { checkWish, parseWish, type Wish } from "../../statefulset/decide/wish.ts";
import { readClaimSize } from "../claim-size.ts";
import { addClusterFlags, type ClusterFlags, type Connection, withCluster } from "../cluster/connect.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { parseTarget } from "../plan/target.ts";
import type { Terminal } from "../terminal.ts";

export function completeResize(command: Command, terminal: Terminal, finish: (code: ExitCode) => void): void {
  addClusterFlags(command)
    .argument("<target>", "sts/NAME or pvc/NAME")
    .argument("<size...>", "TEMPLATE=SIZE for a StatefulSet, several separated by spaces or commas; SIZE for a claim")
    .addHelpText("after", "\nExamples:\n  outgrow resize sts/db data=200Gi\n  outgrow resize pvc/uploads 50Gi")
    .action(async (target: string, sizes: readonly string[], flags: ClusterFlags) => {
      const { kind, name } = parseTarget(target);
      const act =
        kind === "StatefulSet" ? resizeSet(name, parseWish(sizes.join(","))) : resizeClaim(name, readClaimSize(sizes));
      finish(await withCluster(flags, terminal, (connection) => act(connection, terminal)));
    });
}

type Act = (connection: Connection, terminal: Terminal) => Promise<ExitCode>;

function resizeClaim(name: string, size: Quantity | undefined): Act {
  return async ({ client, namespace }, terminal) => {
    const body = { spec: { resources: { requests: { storage: String(size) } } } };
    await client.patch(CLAIMS, { namespace, name }, { type: "merge", body });
    terminal.write(`pvc/${name} asks for ${size} now; see outgrow get pvc ${name} -n ${namespace}\n`);
    return EXIT.done;
  };
}

/** The template is where the size of a set is written; on a cluster that takes the edit, its claims follow. */
function resizeSet(name: string, wish: Wish): Act {
  return async ({ client, namespace }, terminal) => {
    const ref: Ref = { namespace, name };
    const set = await client.get(STATEFUL_SETS, ref);
    const [problem] = checkWish(wish, set);
    if (problem !== undefined) throw new OutgrowError("USAGE", `sts/${name}: ${problem.message}`);
    const templates = set.spec.volumeClaimTemplates ?? [];
    const body = templates.flatMap(({ metadata }, index) => {
      const size = wish.get(metadata.name);
      if (size === undefined) return [];
      const path = `/spec/volumeClaimTemplates/${index}`;
      return [
        { op: "test" as const, path: `${path}/metadata/name`, value: metadata.name },
        { op: "replace" as const, path: `${path}/spec/resources/requests/storage`, value: size.toString() },
      ];
    });
    try {
      await client.patch(STATEFUL_SETS, ref, { type: "json", body });
    } catch (error) {
      if (!(error instanceof KubeError) || !isTemplateImmutableError(error.message)) throw error;
      terminal.complain(
        `outgrow: this cluster does not take another size in the templates of sts/${name}; ask its claims one by one (outgrow plan says which)\n`,
      );
      return EXIT.refused;
    }
    const sizes = [...wish].map(([template, size]) => `${template}=${size}`).join(" ");
    terminal.write(`sts/${name} asks for ${sizes} now, and its claims follow; see outgrow get pvc -n ${namespace}\n`);
    return EXIT.done;
  };
}
