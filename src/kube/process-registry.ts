/** What Prometheus clients of every language tell about their process (`process_*`, `nodejs_*`), and where. */
import { collectDefaultMetrics, Registry } from "@prometheus-io/client";

let observed: Registry | undefined;

/**
 * A registry for one program, with what there is to know about the process in it already. The process is observed once,
 * however many registries are made: the timer and the observers that this takes can never be ended.
 */
export function createProcessRegistry(): Registry {
  observed ??= observeProcess();
  return Registry.merge([observed]);
}

function observeProcess(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry;
}
