/** `npm run kube:assets`: makes the programs of a control plane and prints the folder that has them. See test/kube/. */
import { prepareAssets } from "../test/kube/prepare-assets.ts";

const folder = await prepareAssets();
if (folder === undefined) process.exitCode = 1;
else console.log(folder);
