/**
 * A client of a process that dies: up to one of its writes all goes well, after that nothing comes through any more.
 */
import { EVENTS, type KubeClient, type Resource } from "../../../../kube/index.ts";

export interface Mortality {
  /** Counted from 1; events do not count. */
  readonly lastWrite: number;
  /** Whether the last write reaches the server. Its answer is lost in any case. */
  readonly arrives: boolean;
}

export interface MortalClient extends KubeClient {
  isDead(): boolean;
}

/** Reading goes on in peace: what a dead process still hears does no harm. */
export function mortalClient(client: KubeClient, { lastWrite, arrives }: Mortality): MortalClient {
  let writes = 0;
  const write = async <T>(resource: Resource, send: () => Promise<T>): Promise<T> => {
    if (resource !== EVENTS) writes++;
    if (writes < lastWrite) return send();
    if (writes === lastWrite && arrives) await send();
    throw new Error("this process is dead");
  };
  return {
    ...client,
    isDead: () => writes >= lastWrite,
    create: (resource, object, options, signal) =>
      write(resource, () => client.create(resource, object, options, signal)),
    patch: (resource, ref, patch, options, signal) =>
      write(resource, () => client.patch(resource, ref, patch, options, signal)),
    delete: (resource, ref, options, signal) => write(resource, () => client.delete(resource, ref, options, signal)),
  };
}
