/**
 * Every version that a claim ever had, from a watch, and what the driver did in between: enough to say afterwards whether
 * quota counted at every moment what the storage really held.
 */
import { readClaim } from "../../../src/core/claim.ts";
import type { ResizeState } from "../../../src/core/dialect.ts";
import { Quantity } from "../../../src/core/quantity.ts";
import type { PersistentVolumeClaim } from "../../../src/core/types.ts";
import { CLAIMS, startInformer } from "../../../src/kube/index.ts";
import type { ControlPlane } from "../control-plane.ts";
import { waitFor } from "../wait.ts";
import { connectAsAdmin } from "./connect.ts";

export interface ClaimVersion {
  readonly name: string;
  readonly resourceVersion: string;
  readonly state: ResizeState;
  /** What quota counts of it: max(request, allocatedResources). */
  readonly countedBytes: bigint;
}

/** The storage held this much when the claim had this version. */
export interface Holding {
  readonly name: string;
  readonly resourceVersion: string;
  readonly bytes: bigint;
}

export interface ClaimHistory extends AsyncDisposable {
  /** The claim as it is now. */
  now(name: string): Promise<ClaimVersion>;
  /** Reads the claim now, and notes that the storage holds at least this much from here on. */
  holds(name: string, bytes: bigint): Promise<void>;
  /** Versions that counted less than what the storage was known to hold by then; empty when all is well. */
  undercounted(name: string): Promise<readonly string[]>;
}

export async function recordHistory(plane: ControlPlane, namespace: string): Promise<ClaimHistory> {
  const client = await connectAsAdmin(plane);
  const versions: ClaimVersion[] = [];
  const holdings: Holding[] = [];
  const note = (claim: PersistentVolumeClaim): unknown => versions.push(versionOf(claim));
  const informer = startInformer({ client, resource: CLAIMS, namespace, trim: (claim) => claim });
  informer.addHandler({ added: note, updated: (_, claim) => note(claim) });
  await informer.synced;
  const of = (name: string): ClaimVersion[] => versions.filter((version) => version.name === name);

  const now = async (name: string): Promise<ClaimVersion> => versionOf(await client.get(CLAIMS, { namespace, name }));

  return {
    now,
    async holds(name, bytes) {
      const { resourceVersion } = await now(name);
      holdings.push({ name, bytes, resourceVersion });
    },
    async undercounted(name) {
      const { resourceVersion } = await now(name);
      const seen = await waitFor("the watch to catch up", () => {
        const all = of(name);
        return all.at(-1)?.resourceVersion === resourceVersion && all;
      });
      return holdings
        .filter((holding) => holding.name === name)
        .flatMap((holding) => {
          const from = seen.findIndex((version) => version.resourceVersion === holding.resourceVersion);
          if (from < 0) throw new Error(`version ${holding.resourceVersion} of claim ${name} was not watched`);
          return seen
            .slice(from)
            .filter(({ countedBytes }) => countedBytes < holding.bytes)
            .map(
              (version) =>
                `${version.countedBytes} counted of ${holding.bytes} bytes: ${JSON.stringify(version.state)}`,
            );
        });
    },
    async [Symbol.asyncDispose]() {
      await informer.stop();
      await client.close();
    },
  };
}

function versionOf(claim: PersistentVolumeClaim): ClaimVersion {
  const { name, request, allocated, state } = readClaim(claim);
  return {
    name,
    resourceVersion: claim.metadata.resourceVersion ?? "",
    state,
    countedBytes: Quantity.max(request, allocated ?? request).toBytes(),
  };
}
