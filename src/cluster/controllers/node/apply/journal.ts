/**
 * Which volumes were staged and published for which pod: one small file each, written before the driver is asked, so that
 * after a crash all of it is found again and given back when its pod is gone.
 */
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { messageOf, OutgrowError } from "../../../../core/errors.ts";

export interface Publication {
  readonly podUid: string;
  /** The PersistentVolume's name. */
  readonly volume: string;
  /** `namespace/name` of the claim. */
  readonly claim: string;
  readonly driver: string;
  readonly volumeHandle: string;
  readonly volumePath: string;
  readonly stagingPath: string;
  readonly readOnly: boolean;
}

export interface Journal {
  of(podUid: string): readonly Publication[];
  all(): Iterable<Publication>;
  put(publication: Publication): Promise<void>;
  remove(publication: Publication): Promise<void>;
}

/** Reads what is there. Throws `FILE_UNUSABLE` for an entry that cannot be read: something may be mounted that it tells of. */
export async function openJournal(folder: string): Promise<Journal> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const entries = new Map<string, Publication>();
  for (const name of await readdir(folder)) {
    const file = join(folder, name);
    if (!name.endsWith(".json")) {
      await rm(file, { force: true }); // a draft that a crash left behind
      continue;
    }
    try {
      entries.set(name, JSON.parse(await readFile(file, "utf8")) as Publication);
    } catch (error) {
      const wayOut = "unmount what was mounted for it and remove the file";
      throw new OutgrowError("FILE_UNUSABLE", `${file} cannot be read: ${messageOf(error)}; ${wayOut}`, {
        cause: error,
      });
    }
  }
  return {
    of: (podUid) => [...entries.values()].filter((entry) => entry.podUid === podUid),
    all: () => entries.values(),
    async put(publication) {
      const name = nameOf(publication);
      if (JSON.stringify(entries.get(name)) === JSON.stringify(publication)) return;
      const draft = join(folder, `${name}.new`);
      await writeFile(draft, JSON.stringify(publication), { mode: 0o600 });
      await rename(draft, join(folder, name));
      entries.set(name, publication);
    },
    async remove(publication) {
      const name = nameOf(publication);
      await rm(join(folder, name), { force: true });
      entries.delete(name);
    },
  };
}

function nameOf({ podUid, volume }: Publication): string {
  return `${podUid}.${volume}.json`;
}
