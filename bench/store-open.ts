/** `node store-open.ts FILE`: opens a store and closes it again, for what that costs by itself. */
import { openSqliteStore } from "../src/cluster/store/index.ts";

const [file = ""] = process.argv.slice(2);
await openSqliteStore(file).close();
