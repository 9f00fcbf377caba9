/** Kinds that tests define themselves. */
import { type Api, ApiRefusal } from "./api.ts";
import { waitFor } from "./wait.ts";

const DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

interface Fields {
  readonly [name: string]: unknown;
}

/** A CustomResourceDefinition, of which only these fields are read here. */
export interface Definition extends Fields {
  readonly metadata: { readonly name: string };
  readonly spec: Fields & {
    readonly group: string;
    readonly names: Fields & { readonly plural: string };
    readonly versions: readonly (Fields & { readonly name: string })[];
  };
}

/** Creates the definition (one that is there already is fine), and resolves when its objects are served. */
export async function defineKind(api: Api, definition: Definition): Promise<void> {
  await api.create(DEFINITIONS, definition).catch((error: unknown) => {
    if (!(error instanceof ApiRefusal && error.reason === "AlreadyExists")) throw error;
  });
  await untilServed(api, definition);
}

/**
 * Resolves when the objects of the first version can be listed, and discovery tells of them: Kubernetes lists a group before its version, and
 * says that a kind is established before its storage is ready.
 */
export async function untilServed(api: Api, { spec: { group, names, versions } }: Definition): Promise<void> {
  const version = `/apis/${group}/${versions[0]?.name}`;
  const served = async () => {
    await api.get(`${version}/${names.plural}`);
    const { resources } = await api.get<{ resources: { name: string }[] }>(version);
    return resources.some(({ name }) => name === names.plural);
  };
  await waitFor(`${names.plural} to be served`, () => served().catch(notYet), { timeoutMs: 60_000 });
}

/** A path that is not served yet is refused, in one way or another. */
function notYet(error: unknown): false {
  if (error instanceof ApiRefusal) return false;
  throw error;
}
