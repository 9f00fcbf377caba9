/** `outgrow recover --go-on`: the others grow although some have failed. Those are named in the record, and stop nobody any more. */
import { withPrecondition } from "../../kube/index.ts";
import { VOLUME_EXPANSIONS } from "../../statefulset/resource.ts";
import { againOnConflict } from "../cluster/again.ts";
import type { Connection } from "../cluster/connect.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { oneLine } from "../output/one-line.ts";
import type { Growth } from "../status/report.ts";
import type { Terminal } from "../terminal.ts";

/** `growths` are the sets in question. Failures that stop nobody are left out: there is nothing to say about them. */
export async function goOn(connection: Connection, growths: readonly Growth[], terminal: Terminal): Promise<ExitCode> {
  const stopped = growths.filter(({ stoppedBy }) => stoppedBy !== undefined);
  if (stopped.length === 0) {
    terminal.write("nothing is kept back by a failure\n");
    return EXIT.done;
  }
  for (const { namespace, name, stoppedBy = [] } of stopped) {
    await forgive(connection, { namespace, name }, stoppedBy);
    terminal.write(
      `${oneLine(`sts/${name} goes on despite ${stoppedBy.join(", ")}`)}; see outgrow watch sts/${name} -n ${namespace}\n`,
    );
  }
  return EXIT.done;
}

async function forgive(
  { client }: Connection,
  ref: { readonly namespace: string; readonly name: string },
  failed: readonly string[],
): Promise<void> {
  await againOnConflict(async () => {
    const record = await client.get(VOLUME_EXPANSIONS, ref);
    const goOnDespite = [...new Set([...(record.spec.rollout?.goOnDespite ?? []), ...failed])];
    const body = withPrecondition({ spec: { rollout: { goOnDespite } } }, record);
    await client.patch(VOLUME_EXPANSIONS, ref, { type: "merge", body });
  });
}
