/** What the expressions of policies and webhooks may use (upstream admission/plugin/cel/{compile,composition}.go). */
import {
  ADMISSION_REQUEST,
  AUTHORIZER,
  createEnvironment,
  DYN,
  type Environment,
  mutationTypes,
  NAMESPACE_OBJECT,
  RESOURCE_CHECK,
  type Type,
} from "../cel/index.ts";

export interface Declared {
  /** There are params: the policy has a paramKind. */
  readonly hasParams: boolean;
  /** All but messages may ask who may do what. */
  readonly hasAuthorizer: boolean;
  /** They build patches and objects. */
  readonly hasPatches?: boolean;
  /** The type of `variables`, where there are any. */
  readonly variables?: Type;
}

export function environmentOf({ hasParams, hasAuthorizer, hasPatches = false, variables }: Declared): Environment {
  return createEnvironment({
    variables: {
      object: DYN,
      oldObject: DYN,
      request: ADMISSION_REQUEST,
      namespaceObject: NAMESPACE_OBJECT,
      ...(hasParams ? { params: DYN } : {}),
      ...(hasAuthorizer ? { authorizer: AUTHORIZER, "authorizer.requestResource": RESOURCE_CHECK } : {}),
      ...(variables === undefined ? {} : { variables }),
    },
    ...(hasPatches ? { types: mutationTypes, hasPatches } : {}),
  });
}
