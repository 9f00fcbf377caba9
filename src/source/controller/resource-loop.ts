/**
 * The loop over custom resources: what each asks for is written into the records of its sets, or asked of its claims; and how far
 * that is, is reported on the resource. Looks at everything anew each time; what is remembered spares requests.
 */

import { messageOf, OutgrowError } from "../../core/errors.ts";
import type { Gates } from "../../core/gates.ts";
import type { KubeObject } from "../../core/types.ts";
import { type KubeClient, type Logger, type Outcome, type Ref, refOfKey, type Timers } from "../../kube/index.ts";
import { askClaim } from "../../statefulset/apply/ask-claim.ts";
import type { Startable } from "../../statefulset/decide/rollout.ts";
import type { SharedView } from "../../statefulset/index.ts";
import { askSet } from "../apply/ask-set.ts";
import type { SourceEvents } from "../apply/events.ts";
import { type Conflict, conflictsBetween } from "../decide/claimed-twice.ts";
import type { WishedBy } from "../decide/follow-set.ts";
import { outcomeOf } from "../decide/outcome.ts";
import { isPaused } from "../decide/paused.ts";
import { type Target, targetsOf } from "../decide/targets.ts";
import type { Followers } from "./followers.ts";
import { type FollowingSet, gather, keysOf, setsFollowing } from "./gather.ts";
import type { Reporter } from "./reporter.ts";
import type { SelectedClaims } from "./selected-claims.ts";
import type { FollowedSource, Sources } from "./sources.ts";

export interface ResourceLoopOptions {
  readonly client: KubeClient;
  /** Ends the calls that are under way. */
  readonly giveUp: AbortSignal;
  readonly view: SharedView;
  readonly sources: Sources;
  readonly followers: Followers;
  readonly claims: SelectedClaims;
  readonly reporter: Reporter;
  readonly events: SourceEvents;
  readonly gates: Gates;
  readonly timers: Timers;
  readonly logger: Logger;
  /** These resources may stand differently now. */
  readonly onResources: (keys: Iterable<string>) => void;
  /** The wishes in these records may have lost who stood behind them. */
  readonly onRecords: (keys: Iterable<string>) => void;
  readonly onSource: (name: string) => void;
}

/** Somebody else was faster, or a cache is being filled. In milliseconds, as all of these. */
const SOON = 200;
/** What the API server refused is tried again after this time. */
const REFUSED_FOR = 60_000;

export function createResourceLoop(options: ResourceLoopOptions) {
  const { client, giveUp, view, sources, followers, claims, reporter, events, gates, timers, logger } = options;
  const { onResources, onRecords, onSource } = options;

  return async function follow(key: string): Promise<Outcome> {
    const { source: name, place } = partsOf(key);
    const followed = sources.get(name);
    const resource = followed?.watch?.get(refOfKey(place));
    if (followed === undefined || resource === undefined || resource.metadata.deletionTimestamp !== undefined) {
      letGo(key, followed, place);
      return undefined;
    }
    const { spec } = followed.source;
    const by = { source: name, kind: spec.resource.kind, name: resource.metadata.name };
    const targets = readTargets(followed, resource);
    if (typeof targets === "string") {
      followed.states.set(place, "invalid");
      return reporter.report(followed, resource, { kind: "invalid", message: `Validation failed: ${targets}` });
    }
    const sets = note(key, followed, resource, targets);
    if (isPaused(spec, resource)) {
      followed.states.set(place, "paused");
      onRecords(sets.map((each) => each.key));
      return undefined;
    }
    const refused = refusedClaims(followed, resource.metadata.namespace);
    const gathered = gather(resource, by, targets, sets, { view, claims, gates, refused });
    if (gathered === undefined) return { after: SOON };
    const { growth, errors, refusals } = gathered;
    if (growth.length === 0 && errors.length === 0) {
      followed.states.set(place, "waiting");
      return undefined;
    }
    const outcome = outcomeOf({ growth, errors, refusals });
    followed.states.set(place, outcome.kind);
    const isOurs = spec.grownBy !== "Operator";
    const asked = isOurs ? await askAll(followed, by, gathered.asks) : undefined;
    const grown = isOurs ? await growAll(followed, resource, gathered.start) : undefined;
    const reported = await reporter.report(followed, resource, outcome);
    return [asked, grown, reported].reduce(earlier);
  };

  /** The resource is gone, or is going: nobody is asked for anything in its name any more. */
  function letGo(key: string, followed: FollowedSource | undefined, place: string): void {
    const sets = followers.setsOf(key);
    onResources(followers.forget(key));
    followed?.states.delete(place);
    followed?.told.delete(place);
    if (followed?.conflicts.delete(place) === true) onSource(followed.source.metadata.name);
    onRecords(sets);
  }

  /** What the resource asks for; or why that cannot be told, in a sentence. */
  function readTargets({ source }: FollowedSource, resource: KubeObject): readonly Target[] | string {
    try {
      return targetsOf(source.spec, resource);
    } catch (error) {
      if (error instanceof OutgrowError) return messageOf(error);
      throw error;
    }
  }

  /** Remembers who follows the resource. Gives back the sets that do, without those that follow another one. */
  function note(
    key: string,
    followed: FollowedSource,
    resource: KubeObject,
    targets: readonly Target[],
  ): readonly FollowingSet[] {
    const { namespace = "default" } = resource.metadata;
    const { place } = partsOf(key);
    const before = followers.setsOf(key);
    const sets = [...new Set(targets.flatMap((target) => keysOf(target, namespace, view)))];
    const concerned = followers.note(key, {
      namespace,
      sets,
      setSelectors: targets.flatMap(({ statefulSet }) =>
        statefulSet !== undefined && "selector" in statefulSet ? [statefulSet.selector] : [],
      ),
      claimSelectors: targets.flatMap(({ claimSelector }) => claimSelector ?? []),
    });
    onResources(concerned);
    if (!followed.states.has(place)) followed.states.set(place, "waiting");

    const conflicts = sets.flatMap((set) => conflictsOver(set, key));
    const known = followed.conflicts.get(place) ?? [];
    if (conflicts.length > 0) followed.conflicts.set(place, conflicts);
    else followed.conflicts.delete(place);
    if (conflicts.length > 0 || known.length > 0) onSource(followed.source.metadata.name);
    onRecords([...before, ...sets]);
    const lost = new Set(conflicts.map(({ follower }) => follower));
    return setsFollowing(targets, namespace, view).filter((each) => !lost.has(nameOfSet(each.key)));
  }

  /** Those that this resource has lost over a set. */
  function conflictsOver(set: string, key: string): readonly Conflict[] {
    const claimants = followers.ofSet(set).flatMap((each) => {
      const { source, place } = partsOf(each);
      const followed = sources.get(source);
      const resource = followed?.watch?.get(refOfKey(place));
      if (followed === undefined || resource === undefined) return [];
      return [{ key: each, source: followed.source, resource, follower: nameOfSet(set) }];
    });
    const mine = claimants.find((each) => each.key === key);
    return conflictsBetween(claimants).filter(({ loser }) => loser === mine);
  }

  async function askAll(
    { source }: FollowedSource,
    by: WishedBy,
    asks: NonNullable<ReturnType<typeof gather>>["asks"],
  ): Promise<Outcome> {
    let outcome: Outcome;
    for (const { key, record, wish } of asks) {
      const written = await askSet(client, refOfKey(key), record, { by, wish, source: source.spec }, giveUp);
      if (written === "lost") outcome = { after: SOON };
      else if (written !== record) {
        logger.info({ set: key, by }, "asks a set for the sizes of a custom resource");
        if (record !== undefined) view.observeRecord(written, record.metadata.resourceVersion ?? "");
      }
    }
    return outcome;
  }

  /** Each claim by itself: neither waits for another, and a failure of one is not the others'. */
  async function growAll(
    followed: FollowedSource,
    resource: KubeObject,
    start: readonly Startable[],
  ): Promise<Outcome> {
    const { namespace } = resource.metadata;
    const answers = await Promise.all(
      start.map((plan) => grow(followed, { namespace, name: plan.name }, resource, plan)),
    );
    return answers.reduce(earlier, undefined);
  }

  async function grow(
    { refused }: FollowedSource,
    { namespace, name }: Ref,
    resource: KubeObject,
    plan: Startable,
  ): Promise<Outcome> {
    const answer = await askClaim(client, namespace, plan, giveUp);
    switch (answer.kind) {
      case "lost":
        return { after: SOON };
      case "asked":
        claims.observe(answer.claim, plan.resourceVersion);
        events.asked(answer.claim, plan, resource);
        return undefined;
      case "refused":
        refused.set(`${namespace}/${name}`, { message: answer.message, until: timers.now() + REFUSED_FOR });
        // What it says to that is reported at once, and tried again later.
        return { after: SOON };
    }
  }

  function refusedClaims({ refused }: FollowedSource, namespace: string | undefined): ReadonlyMap<string, string> {
    const found = new Map<string, string>();
    for (const [key, { message, until }] of refused) {
      const ref = refOfKey(key);
      if (until <= timers.now()) refused.delete(key);
      else if (ref.namespace === namespace) found.set(ref.name, message);
    }
    return found;
  }
}

/** `moco/prod/shop` into the source and the resource's key. */
export function partsOf(key: string): { readonly source: string; readonly place: string } {
  const slash = key.indexOf("/");
  return { source: key.slice(0, slash), place: key.slice(slash + 1) };
}

function nameOfSet(key: string): string {
  return `StatefulSet ${key}`;
}

/** The one that looks again first. */
function earlier(a: Outcome, b: Outcome): Outcome {
  if (a === undefined || b === undefined) return a ?? b;
  return a.after <= b.after ? a : b;
}
