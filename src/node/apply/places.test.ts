import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { PersistentVolume } from "../../core/types.ts";
import { bindMount, unmount } from "../filesystem/index.ts";
import { kubeletLayout } from "./layout.ts";
import { kubeletPlaces } from "./places.ts";

function aVolume(volumeMode: "Filesystem" | "Block"): PersistentVolume {
  return {
    metadata: { name: "pv-1" },
    spec: { volumeMode, csi: { driver: "csi.example.com", volumeHandle: "vol-1" } },
  };
}

test("volumes are looked for where the kubelet puts them", () => {
  const layout = kubeletLayout("/var/lib/kubelet");
  const plugins = "/var/lib/kubelet/plugins/kubernetes.io/csi";
  const sha256 = "d2e8363faaac7ae76def3b14091d8eb5755f6b92e9531627aeec833a8731cc49";
  expect(layout.publishPath("u1", aVolume("Filesystem"))).toBe(
    "/var/lib/kubelet/pods/u1/volumes/kubernetes.io~csi/pv-1/mount",
  );
  expect(layout.stagingPath(aVolume("Filesystem"))).toBe(`${plugins}/csi.example.com/${sha256}/globalmount`);
  expect(layout.publishPath("u1", aVolume("Block"))).toBe(`${plugins}/volumeDevices/publish/pv-1/u1`);
  expect(layout.stagingPath(aVolume("Block"))).toBe(`${plugins}/volumeDevices/staging/pv-1`);
});

test("a volume is there when the kernel says that it is mounted, and a path alone is not enough", async ({ skip }) => {
  skip(process.getuid?.() !== 0, "only root may mount");
  const folder = mkdtempSync(join(tmpdir(), "kubelet-"));
  const places = kubeletPlaces(folder);
  const volume = aVolume("Filesystem");
  const path = kubeletLayout(folder).publishPath("u1", volume);
  mkdirSync(path, { recursive: true });
  try {
    expect(await places.find("u1", volume, false)).toBeUndefined();
    await bindMount(folder, path);
    expect(await places.find("u1", volume, false)).toMatchObject({ volumePath: path, readOnly: false });
    expect(await places.find("u1", volume, true)).toMatchObject({ readOnly: true });
    expect(await places.find("u2", volume, false)).toBeUndefined();
  } finally {
    await unmount(path);
    rmSync(folder, { recursive: true });
  }
});
