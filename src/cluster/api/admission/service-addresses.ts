/**
 * Cluster addresses and node ports of services: each is given to one service, and belongs to it until it is deleted (upstream
 * pkg/registry/core/service/storage). What is given out is known from the services that are stored; nothing else keeps it.
 */
import type { FieldError } from "../../../admission/verdict.ts";
import { refuseInvalid } from "../handlers/refusal.ts";
import type { JsonObject } from "../json.ts";
import type { Kind } from "../kinds/kind.ts";
import type { Chance } from "../lifecycle/create.ts";
import { type KnownKind, read, write } from "./known-kind.ts";
import { openDesk } from "./number-desk.ts";
import { createNumberPool } from "./number-pool.ts";
import { ADDRESS_WORDS, ADDRESSES, addressesOf, withAddress } from "./service-address.ts";
import { meantByCreate, meantByUpdate } from "./service-change.ts";
import { withFamilies } from "./service-families.ts";
import { NODE_PORTS, PORT_WORDS, withNodePorts } from "./service-ports.ts";
import { hasHealthPort, nodePortsOf, type Service, type ServiceSpec } from "./service-spec.ts";

const SERVICE: KnownKind<Service> = { apiVersion: "v1", kind: "Service" };

export interface ServiceAddresses {
  /**
   * The service as it is to be checked and stored, with its addresses and ports. `old` is what it replaces; undefined for a new
   * one. What is given out is held until `commit` or `revert`, one of which must follow; a dry run holds nothing. Throws 422
   * for what cannot be had. Whether an address may change is asked in validation, which comes behind.
   */
  reserve(next: JsonObject, old: JsonObject | undefined, dryRun: boolean): Reservation;
  /** The service is gone: what it had may go to others. */
  release(service: JsonObject): void;
}

export interface Reservation {
  readonly service: JsonObject;
  /** It is stored: what the one before it had and it has not is free again. */
  commit(): void;
  /** It is not stored: what it was given is free again. */
  revert(): void;
}

/** `existing`: the services that are stored. `kind`: the row of Service, for messages. */
export function createServiceAddresses(
  existing: Iterable<JsonObject>,
  kind: Kind,
  chance: Pick<Chance, "below">,
): ServiceAddresses {
  const addresses = createNumberPool(ADDRESSES, (limit) => chance.below(limit));
  const ports = createNumberPool(NODE_PORTS, (limit) => chance.below(limit));
  for (const service of existing) {
    const { spec } = read(SERVICE, service);
    for (const address of addressesOf(spec)) addresses.take(address);
    for (const port of portsOf(spec)) ports.take(port);
  }

  function free(spec: ServiceSpec, except: ServiceSpec): void {
    const [keptAddresses, keptPorts] = [new Set(addressesOf(except)), new Set(portsOf(except))];
    for (const address of addressesOf(spec)) if (!keptAddresses.has(address)) addresses.free(address);
    for (const port of portsOf(spec)) if (!keptPorts.has(port)) ports.free(port);
  }

  return {
    reserve(next, old, dryRun) {
      const service = read(SERVICE, next);
      const { name } = service.metadata;
      const before = old === undefined ? undefined : read(SERVICE, old).spec;
      const addressDesk = openDesk(addresses, addressesOf(before ?? {}), ADDRESS_WORDS);
      const portDesk = openDesk(ports, portsOf(before ?? {}), PORT_WORDS);
      const revert = () => {
        addressDesk.revert();
        portDesk.revert();
      };
      try {
        const spec = assign(service.spec, before, (step) => {
          refuseInvalid(kind, name, step.errors);
          return step.spec;
        });
        if (dryRun) revert();
        return {
          service: write({ ...service, spec }),
          commit: () => before !== undefined && !dryRun && free(before, spec),
          revert,
        };
      } catch (error) {
        revert();
        throw error;
      }

      function assign(sent: ServiceSpec, stored: ServiceSpec | undefined, accept: (step: Step) => ServiceSpec) {
        const meant = stored === undefined ? meantByCreate(sent) : meantByUpdate(stored, sent);
        const settled = accept(withFamilies(meant, stored));
        return accept(withNodePorts(accept(withAddress(settled, stored, name, addressDesk)), portDesk));
      }
    },

    release: (service) => free(read(SERVICE, service).spec, {}),
  };
}

interface Step {
  readonly spec: ServiceSpec;
  readonly errors: readonly FieldError[];
}

function portsOf(spec: ServiceSpec): number[] {
  const health = hasHealthPort(spec) ? (spec.healthCheckNodePort ?? 0) : 0;
  return [...nodePortsOf(spec), ...(health === 0 ? [] : [health])];
}
