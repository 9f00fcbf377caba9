/** The front door: what `outgrow up` says, that its lines work when they are pasted, and how it ends. */
import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { CONTROLLERS } from "../../../src/cluster/index.ts";
import { CLAIMS, type KubeClient, STORAGE_CLASSES } from "../../../src/kube/index.ts";
import { aPlace, runLine, runProgram, startUp } from "./program.ts";

const DATA = ["data-db-0", "data-db-1", "data-db-2"];
const MYSQL_DATA = ["mysql-data-moco-shop-0", "mysql-data-moco-shop-1", "mysql-data-moco-shop-2"];

async function capacityIs(client: KubeClient, name: string, wanted: string): Promise<void> {
  await expect
    .poll(
      async () => {
        const { items } = await client.list(CLAIMS, { namespace: "demo", fieldSelector: `metadata.name=${name}` });
        return items[0]?.status?.capacity?.["storage"];
      },
      { interval: 100 },
    )
    .toBe(wanted);
}

test("the lines of the banner work when they are pasted, and the next start goes on from there", async () => {
  using place = aPlace();
  await using program = await startUp(place, "--sample", "--driver", "memory");
  const { banner, client } = program;
  const lines = banner
    .split("\n")
    .filter((line) => line.startsWith("  "))
    .map((line) => line.trim());
  const [config = "", ...toTry] = lines;
  expect(config).toMatch(/^export KUBECONFIG=/);
  expect(toTry).toHaveLength(5);
  for (const claim of [...DATA, ...MYSQL_DATA]) await capacityIs(client, claim, "1Gi");
  await capacityIs(client, "fragile", "1Gi");
  const codes = [];
  for (const line of toTry) codes.push((await runLine(`${config}\n${line}`)).code);
  // Who asks for more than there can ever be is told so by the exit code too.
  expect(codes).toEqual([0, 0, 0, 1, 0]);
  for (const claim of [...DATA, ...MYSQL_DATA]) await capacityIs(client, claim, "2Gi");
  await capacityIs(client, "fragile", "5Gi");

  expect(await program.end("SIGINT")).toBe(0);
  expect(await place.left()).toEqual([]);
  await using again = await startUp(place, "--sample", "--driver", "memory");
  for (const claim of [...DATA, ...MYSQL_DATA]) await capacityIs(again.client, claim, "2Gi");
});

test("it can be stopped at any moment, and leaves nothing behind", async () => {
  using place = aPlace();
  for (const pause of [0, 50, 200, 800]) {
    await using program = await startUp(place, "--sample");
    // The moment is what is tried here; nothing is waited for.
    await setTimeout(pause);
    const signal = pause % 100 === 0 ? "SIGTERM" : "SIGINT";
    expect({ pause, end: await program.end(signal) }).toEqual({ pause, end: 0 });
    expect(await place.left()).toEqual([]);
  }
});

test("it stops while an expansion takes its time", async () => {
  using place = aPlace();
  await using program = await startUp(place, "--sample", "--driver", "memory");
  const { client } = program;
  await client.create(STORAGE_CLASSES, {
    metadata: { name: "endless" },
    provisioner: "memory.csi.outgrow.dev",
    allowVolumeExpansion: true,
    parameters: { delay: "10m" },
  });
  const spec = { accessModes: ["ReadWriteOnce"], storageClassName: "endless" };
  const resources = { requests: { storage: "1Gi" } };
  await client.create(CLAIMS, { metadata: { name: "slow", namespace: "demo" }, spec: { ...spec, resources } });
  await capacityIs(client, "slow", "1Gi");
  const body = { spec: { resources: { requests: { storage: "2Gi" } } } };
  await client.patch(CLAIMS, { namespace: "demo", name: "slow" }, { type: "merge", body });
  await expect
    .poll(async () => {
      const { status } = await client.get(CLAIMS, { namespace: "demo", name: "slow" });
      return status?.allocatedResourceStatuses?.["storage"];
    })
    .toBe("ControllerResizeInProgress");
  // Whoever waited for the ten minutes that the class takes would not be back in time for this test.
  expect(await program.end("SIGINT")).toBe(0);
});

test("any controller can be left to somebody else", async () => {
  using place = aPlace();
  const flags = CONTROLLERS.flatMap((name) => ["--disable-controller", name]);
  await using program = await startUp(place, "--sample", "--driver", "memory", ...flags);
  const { items } = await program.client.list(CLAIMS, { namespace: "demo" });
  expect(items.map(({ metadata, status }) => [metadata.name, status?.phase])).toEqual([["fragile", "Pending"]]);
});

test.for([
  [["--disable-controller", "nobody"], "there is statefulset, binder"],
  [["--driver", "tape"], "choose loop or memory"],
  [["--port", "70000"], "a port is a number from 0 to 65535"],
  [["--feature-gates", "Nothing=true"], "Nothing"],
  [["--log-level", "loud"], "choose one of debug"],
] as const)("%j is refused, saying what there is", async ([words, message]) => {
  const { code, err } = await runProgram("up", ...words);
  expect(code).toBe(2);
  expect(err).toContain(message);
});

test("a folder is one program's alone, and whoever comes second is told so", async () => {
  using place = aPlace();
  await using first = await startUp(place, "--driver", "memory");
  await expect(startUp(place, "--driver", "memory")).rejects.toThrow(/it ended: .*another/s);
  expect(first.banner).toContain("is ready at");
});
