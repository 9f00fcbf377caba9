import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Cluster, startCluster } from "../../cluster/index.ts";
import { DEFAULT_GATES } from "../../core/gates.ts";
import { CLAIMS, createClient, createTransport, loadConfig, STATEFUL_SETS } from "../../kube/index.ts";
import { silentLogger } from "../../kube/logger.ts";
import { runOutgrow } from "../fake-terminal.ts";
import { readTyped } from "./candidates.ts";

let folder: string;
let cluster: Cluster;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "outgrow-completion-"));
  cluster = await startCluster({ folder, port: 0, gates: DEFAULT_GATES, logger: silentLogger });
  const client = createClient(createTransport(await loadConfig({ env: {}, kubeconfig: cluster.kubeconfig })));
  const spec = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } };
  for (const name of ["db", "queue"]) {
    const labels = { app: name };
    const template = { metadata: { labels }, spec: { containers: [{ name: "main", image: "database" }] } };
    const volumeClaimTemplates = ["data", "wal"].map((each) => ({ metadata: { name: each }, spec }));
    const set = { serviceName: name, selector: { matchLabels: labels }, template, volumeClaimTemplates };
    await client.create(STATEFUL_SETS, { metadata: { name, namespace: "default" }, spec: set });
  }
  await client.create(CLAIMS, { metadata: { name: "uploads", namespace: "default" }, spec });
  await client.close();
});
afterAll(async () => {
  await cluster?.stop();
  rmSync(folder, { recursive: true });
});

describe("names from the cluster", () => {
  const complete = async (...words: string[]) =>
    (await runOutgrow(["__complete", words[0] ?? "", "--kubeconfig", cluster.kubeconfig, ...words.slice(1)])).out;

  test.each([
    [["plan", ""], "sts/db\nsts/queue\npvc/uploads\n"],
    [["status", "sts/d"], "sts/db\n"],
    [["recover", "p"], "pvc/uploads\n"],
    [["watch", "deploy/"], ""],
    [["resize", "sts/db", ""], "data=\nwal=\n"],
    [["resize", "sts/db", "data=2Gi", ""], "wal=\n"],
    [["plan", "sts/db", "w"], "wal=\n"],
    [["watch", "sts/db", ""], ""],
    [["plan", "pvc/uploads", ""], ""],
    [["plan", "-n", "elsewhere", ""], ""],
    [["plan", "-n", ""], ""],
    [["plan", "sts/none", ""], ""],
    [["nonsense", ""], ""],
  ])("%j", async (words, out) => {
    expect(await complete(...words)).toBe(out);
  });

  test("without a cluster there is silence", async () => {
    const words = ["__complete", "plan", "--kubeconfig", join(folder, "none"), ""];
    expect(await runOutgrow(words)).toEqual({ code: 0, out: "", err: "" });
  });
});

test("flags say where the cluster is, wherever they stand; the word being typed is the last", () => {
  const known = [
    { long: "--namespace", short: "-n", summary: "", takesValue: true },
    { long: "--watch", short: "", summary: "", takesValue: false },
  ];
  expect(readTyped(["-n", "prod", "sts/db", "--watch", "d"], known)).toEqual({
    words: ["sts/db", "d"],
    flags: { namespace: "prod" },
  });
  expect(readTyped(["--namespace=prod", ""], known)).toEqual({ words: [""], flags: { namespace: "prod" } });
  expect(readTyped(["sts/db", "--wa"], known).words).toEqual(["sts/db", "-"]);
});

describe("scripts", () => {
  test.each(["bash", "zsh", "fish"])("%s knows every verb and its flags", async (shell) => {
    const { code, out } = await runOutgrow(["completion", shell]);
    expect(code).toBe(0);
    for (const word of ["resize", "recover", "one-by-one", "all-namespaces"]) expect(out).toContain(word);
    expect(out).not.toMatch(/ __complete[^ ]*\|/);
  });

  test("another shell is named with those that there are", async () => {
    expect(await runOutgrow(["completion", "tcsh"])).toMatchObject({
      code: 2,
      err: 'outgrow: there is no completion for "tcsh"; choose bash, zsh, fish\n',
    });
  });

  const hasBash = spawnSync("bash", ["--version"]).status === 0;
  test.skipIf(!hasBash)("bash completes verbs, flags and names", async () => {
    const script = join(folder, "outgrow.bash");
    writeFileSync(script, (await runOutgrow(["completion", "bash"])).out);
    const press = (...typed: string[]): string => {
      // In the place of the program: whatever it is asked, there are two sets.
      const fake = 'outgrow() { [ "$1 $2" = "__complete plan" ] && printf "sts/db\\nsts/queue\\n"; }';
      const line = `${fake}; source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _outgrow; echo "\${COMPREPLY[*]}"`;
      const { stdout, stderr } = spawnSync("bash", ["-c", line, script, "outgrow", ...typed], { encoding: "utf8" });
      expect(stderr).toBe("");
      return stdout.trim();
    };
    expect(press("pl")).toBe("plan");
    expect(press("plan", "sts/q")).toBe("sts/queue");
    expect(press("plan", "--one")).toBe("--one-by-one");
    expect(press("recover", "pvc/x", "--y")).toBe("--yes");
    expect(press("completion", "f")).toBe("fish");
    expect(press("get", "p")).toBe("");
  });
});
