/** `outgrow resize mysqlcluster/shop --cancel`: there is nothing to take back but the size itself, and this is how. */
import { STATEFUL_SETS } from "../../kube/index.ts";
import { sizeInSet } from "../../source/decide/validate.ts";
import { followersAmong } from "../../source/decide/validate-resource.ts";
import type { Connection } from "../cluster/connect.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { oneLine } from "../output/one-line.ts";
import { type CustomName, wordFor } from "../plan/target.ts";
import type { Terminal } from "../terminal.ts";
import { type Custom, readCustom, sizesOf } from "./read-custom.ts";

export async function explainCancel(connection: Connection, name: CustomName, terminal: Terminal): Promise<ExitCode> {
  const custom = await readCustom(connection, name);
  const words = await formerSizes(connection, custom);
  const what = wordFor(custom.target);
  if (words === "") {
    terminal.write(`${what} asks for nothing that its StatefulSets do not have\n`);
    return EXIT.done;
  }
  const command = `outgrow resize ${what} ${words} -n ${custom.target.namespace}`;
  terminal.complain(
    `outgrow: ${oneLine(`${what} has its size written in itself, and asks for it as long as it stands there; go back with: ${command} (what has grown stays as it is)`)}\n`,
  );
  return EXIT.refused;
}

/** The sizes that the sets have, where the resource asks for more. */
async function formerSizes({ client, namespace }: Connection, custom: Custom): Promise<string> {
  const sets = await client.listAll(STATEFUL_SETS, { namespace });
  const names = new Map(sizesOf(custom).map(({ path, name }) => [path, name]));
  return custom.targets
    .flatMap((target) =>
      target.templates.flatMap(({ template, size, path }) => {
        const [has] = followersAmong(target, sets).flatMap((set) => sizeInSet(template, set) ?? []);
        return has !== undefined && size?.moreThan(has) === true ? [`${names.get(path)}=${has}`] : [];
      }),
    )
    .join(" ");
}
