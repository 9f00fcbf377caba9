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

  const lacks = (shell: string): boolean => spawnSync(shell, ["--version"]).status !== 0;

  test("bash completes verbs, flags and names", async ({ skip }) => {
    skip(lacks("bash"), "bash is not installed");
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

  test("fish completes verbs, flags and names", async ({ skip }) => {
    skip(lacks("fish"), "fish is not installed");
    const script = join(folder, "outgrow.fish");
    writeFileSync(script, (await runOutgrow(["completion", "fish"])).out);
    const press = (typed: string): string[] => {
      const fake =
        'function outgrow; test "$argv[1] $argv[2]" = "__complete plan"; and printf "sts/db\\nsts/queue\\n"; end';
      const line = `${fake}; source ${script}; complete -C '${typed}'`;
      const env = { ...process.env, HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder };
      const { stdout, stderr } = spawnSync("fish", ["--no-config", "-c", line], { encoding: "utf8", env });
      expect(stderr).toBe("");
      return stdout.split("\n").flatMap((found) => found.split("\t")[0] || []);
    };
    expect(press("outgrow pl")).toEqual(["plan"]);
    expect(press("outgrow plan sts/q")).toEqual(["sts/queue"]);
    expect(press("outgrow plan --one")).toEqual(["--one-by-one"]);
    expect(press("outgrow recover pvc/x --go")).toEqual(["--go-on"]);
    expect(press("outgrow completion z")).toEqual(["zsh"]);
  });

  // Its completion is part of its line editor, so that somebody has to sit at a terminal: zsh brings one of its own.
  test("zsh completes verbs, flags and names", { timeout: 90_000 }, async ({ skip }) => {
    skip(lacks("zsh"), "zsh is not installed");
    const script = join(folder, "outgrow.zsh");
    writeFileSync(script, (await runOutgrow(["completion", "zsh"])).out);
    const rc = join(folder, ".zshrc");
    writeFileSync(
      rc,
      [
        "PROMPT='ready> '; unset zle_bracketed_paste; unsetopt beep; LISTMAX=1000",
        "autoload -Uz compinit && compinit -u -D",
        'outgrow() { if [[ "$1 $2" == "__complete plan" ]]; then print -l sts/db sts/queue; else print -r -- "typed[$*]"; fi }',
        `source ${script}`,
      ].join("\n"),
    );
    const typed = ["pl", "plan sts/q", "plan --one", "recover pvc/x --go", "completion f"];
    const talk = [
      "zmodload zsh/zpty",
      `zpty -b shell 'env HOME=${folder} ZDOTDIR=${folder} TERM=dumb zsh -i'`,
      "zpty -r shell seen '*ready> *'",
      ...typed.flatMap((line) => [
        `zpty -w -n shell $'outgrow ${line}\\t\\n'`,
        "zpty -r shell seen '*typed\\[*\\]*'",
        'print -r -- "$seen"',
      ]),
    ].join("\n");
    const { stdout } = spawnSync("zsh", ["-f", "-c", talk], { encoding: "utf8", timeout: 60_000 });
    expect([...stdout.matchAll(/typed\[(.*)\]/g)].map((match) => match[1])).toEqual([
      "plan",
      "plan sts/queue",
      "plan --one-by-one",
      "recover pvc/x --go-on",
      "completion fish",
    ]);
  });
});
