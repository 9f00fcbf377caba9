/** What the handlers of all verbs work with: the cluster that they serve, and the request at hand. */

import type { StorageClasses } from "../../../admission/storage-classes.ts";
import type { Clock } from "../../../core/clock.ts";
import type { Gates } from "../../../core/gates.ts";
import type { AdmissionPlugin } from "../admission/plugin.ts";
import type { ServiceAddresses } from "../admission/service-addresses.ts";
import type { Identity } from "../auth/identity.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { Resource } from "../catalog/resource.ts";
import type { Chance } from "../lifecycle/create.ts";
import type { ObjectStore } from "../objects/object-store.ts";

export interface ApiContext {
  readonly objects: ObjectStore;
  readonly catalog: Catalog;
  readonly gates: Gates;
  readonly clock: Clock;
  readonly chance: Chance;
  /** In their order. */
  readonly plugins: readonly AdmissionPlugin[];
  /** As they are whenever one is asked for. */
  readonly classes: StorageClasses;
  readonly services: ServiceAddresses;
}

/** What a request is about. */
export interface Target {
  readonly resource: Resource;
  /** Undefined: kinds of the whole cluster, and collections over all namespaces. */
  readonly namespace: string | undefined;
  /** Undefined: the collection. */
  readonly name: string | undefined;
  readonly subresource: string | undefined;
}

/** Who asks, and how. */
export interface Caller {
  readonly user: Identity;
  /** As the client names itself; the manager of the fields that it writes, when it names no other. */
  readonly userAgent: string;
  readonly query: URLSearchParams;
  /** Tells the client something, in a Warning header. */
  readonly warn: (text: string) => void;
  /** Lets others have their turn; awaited between the steps of a write. Undefined: it is done before anybody notices. */
  readonly turn?: () => Promise<void>;
}

/** A body as it came. */
export interface Body {
  readonly bytes: Buffer;
  readonly contentType: string | undefined;
}
