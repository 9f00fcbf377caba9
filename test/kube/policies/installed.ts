/** Policies or webhook configurations, created and seen to act: an API server learns of them by watching. */
import { WISH_ANNOTATION } from "../../../src/core/names.ts";
import type { StatefulSet } from "../../../src/core/types.ts";
import { ApiRefusal } from "../api.ts";
import type { Server } from "../clients/server.ts";
import { waitFor } from "../wait.ts";
import { aSet, type Traits } from "./set.ts";

const GROUP = "/apis/admissionregistration.k8s.io/v1";
const SETS = "/apis/apps/v1/namespaces/default/statefulsets";

export async function install({ api }: Pick<Server, "api">, objects: readonly object[]): Promise<void> {
  for (const object of objects) {
    const { kind } = object as { kind: string };
    await api.create(`${GROUP}/${`${kind.toLowerCase()}s`.replace(/ys$/, "ies")}`, object);
  }
}

/** Resolves when sizes are taken for wishes, and bad wishes and rigid classes refused. Call it once. */
export async function acts({ api }: Pick<Server, "api">): Promise<void> {
  const probes: readonly (readonly [string, Traits, Traits, (answer: StatefulSet | ApiRefusal) => boolean])[] = [
    ["takes", {}, { data: "20Gi" }, (answer) => !refused(answer) && wishOf(answer) === "data=20Gi"],
    ["reads", {}, { wish: "data" }, refused],
    ["asks", { className: "rigid" }, { className: "rigid", wish: "data=20Gi" }, refused],
  ];
  for (const [name, before, after, holds] of probes) {
    const named = (traits: Traits): StatefulSet => {
      const set = aSet(traits);
      return { ...set, metadata: { ...set.metadata, name: `probe-${name}` } };
    };
    await api.create(SETS, named(before));
    await waitFor(`the rule that ${name}`, async () => {
      const answer = await api
        .replace<StatefulSet>(`${SETS}/probe-${name}?dryRun=All`, named(after))
        .catch((error: unknown) => {
          if (error instanceof ApiRefusal) return error;
          throw error;
        });
      return holds(answer);
    });
  }
}

function refused(answer: StatefulSet | ApiRefusal): answer is ApiRefusal {
  return answer instanceof ApiRefusal && answer.status === 403;
}

function wishOf(answer: StatefulSet | ApiRefusal): string | undefined {
  return answer instanceof ApiRefusal ? undefined : answer.metadata.annotations?.[WISH_ANNOTATION];
}
