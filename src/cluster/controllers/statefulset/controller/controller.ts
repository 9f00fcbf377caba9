/**
 * The StatefulSet controller: brings the pods and claims of every set to what the set says, and its status to what they
 * are. Speaks the Kubernetes API alone, so it can take over from kube-controller-manager's, and the other way round.
 */
import { DEFAULT_GATES, type Gates } from "../../../../core/gates.ts";
import type { KubeObject, PersistentVolumeClaim, StatefulSet } from "../../../../core/types.ts";
import { type Handler, keyOf, type Outcome, refOfKey } from "../../../../kube/index.ts";
import { controllerOf } from "../../../../statefulset/decide/references.ts";
import { selects } from "../../../../statefulset/decide/selector.ts";
import {
  type Behaviour,
  type Controller,
  type ControllerOptions,
  runController,
  type Surroundings,
} from "../../shared/run-controller.ts";
import { setEvents } from "../apply/events.ts";
import { createWriter, type WriteNews } from "../apply/writer.ts";
import { createAwaited } from "./awaited.ts";
import { isNewsOfClaim } from "./claim-news.ts";
import { reconcileSet } from "./reconcile.ts";
import { startView } from "./view.ts";

export interface StatefulSetControllerOptions extends ControllerOptions {
  /** With `StatefulSetVolumeExpansion`, claims below their template are raised. @default both on */
  readonly gates?: Gates;
  /** Kubernetes' gate MaxUnavailableStatefulSet. @default false, as in 1.36 */
  readonly honoursMaxUnavailable?: boolean;
}

/** Starts at once; the caller stops it, and closes the client. */
export function startStatefulSetController(options: StatefulSetControllerOptions): Controller {
  const run = { ...options, name: "statefulset", component: "statefulset-controller", tellsLast: true };
  return runController(run, (surroundings) => begin(surroundings, options));
}

function begin(surroundings: Surroundings, options: StatefulSetControllerOptions): Behaviour {
  const { client, queue, recorder, timers, signal } = surroundings;
  const { gates = DEFAULT_GATES, honoursMaxUnavailable = false } = options;
  const view = startView(surroundings);
  const events = setEvents(recorder);
  const awaited = createAwaited(timers);

  const enqueue = (sets: Iterable<StatefulSet>): void => {
    for (const set of sets) queue.add(keyOf(set.metadata));
  };
  const setsOf = (member: KubeObject): readonly StatefulSet[] => {
    const owner = controllerOf(member);
    const { namespace } = member.metadata;
    if (owner === undefined) return matching(view.sets.values(), member);
    const set = owner.kind === "StatefulSet" ? view.sets.get({ namespace, name: owner.name }) : undefined;
    return set?.metadata.uid === owner.uid ? [set] : [];
  };
  const hear = <T extends KubeObject>(
    setsFor: (object: T) => readonly StatefulSet[],
    isNews: (before: T, after: T) => boolean = () => true,
  ): Handler<T> => ({
    added(object) {
      awaited.saw(object);
      enqueue(setsFor(object));
    },
    updated(before, after) {
      awaited.saw(after);
      if (!isNews(before, after)) return;
      // It may have been taken away from one set, and given to another.
      enqueue(setsFor(before));
      enqueue(setsFor(after));
    },
    deleted(object) {
      awaited.saw(object, true);
      enqueue(setsFor(object));
    },
  });
  view.sets.addHandler(hear<StatefulSet>((set) => [set]));
  view.pods.addHandler(hear(setsOf));
  view.revisions.addHandler(hear(setsOf));
  view.claims.addHandler(hear<PersistentVolumeClaim>((claim) => view.setsOfClaim(claim), isNewsOfClaim));
  // A class that has become expandable, or is there at last.
  view.classes.addHandler({
    added: (_, source) => source === "list" || enqueue(view.sets.values()),
    updated: () => enqueue(view.sets.values()),
  });

  async function reconcile(key: string): Promise<Outcome> {
    const set = view.sets.get(refOfKey(key));
    if (set === undefined) {
      awaited.forget(key);
      return undefined;
    }
    const wait = awaited.waitFor(key);
    if (wait > 0) return { after: wait };
    const writer = createWriter(client, newsFor(key), signal);
    return reconcileSet({ view, gates, honoursMaxUnavailable, now: () => timers.now() }, { writer, events }, set);
  }

  /** The watch may have brought the news already, while the answer was still on its way. */
  const newsFor = (key: string): WriteNews => ({
    wrote(resource, written, before) {
      const held = view.held(resource, written)?.metadata;
      const { uid, resourceVersion } = written.metadata;
      const isKnown = resourceVersion === before || (held?.uid === uid && held?.resourceVersion !== before);
      if (!isKnown) awaited.expect(key, written.metadata.uid ?? "", "any-news");
    },
    deleted(resource, object) {
      const held = view.held(resource, object)?.metadata;
      const isKnown = held?.uid !== object.metadata.uid || held?.deletionTimestamp !== undefined;
      if (!isKnown) awaited.expect(key, object.metadata.uid ?? "", "its-going");
    },
    claim: (written, before) => void view.claims.observe(written, before),
    set: (written, before) => void view.sets.observe(written, before),
  });

  return { informers: [view], reconcile };
}

/** The sets whose selector fits an orphan: one of them may want to have it. */
function matching(sets: Iterable<StatefulSet>, { metadata }: KubeObject): readonly StatefulSet[] {
  return [...sets].filter(
    (set) => set.metadata.namespace === metadata.namespace && selects(set.spec.selector, metadata.labels),
  );
}
