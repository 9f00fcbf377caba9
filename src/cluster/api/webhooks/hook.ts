/** A webhook of a configuration, read once and kept for as long as the configuration stays as it is. */
import type { LabelSelector as LabelSelectorObject } from "../../../core/types.ts";
import type { NamedExpression } from "../expressions/expression.ts";
import type { JsonObject } from "../json.ts";
import { textOf } from "../lifecycle/metadata.ts";
import { selectorFromObject } from "../selectors/label-selector.ts";
import type { RequestMatch } from "./match.ts";

export interface HookRule {
  readonly apiGroups?: readonly string[];
  readonly apiVersions?: readonly string[];
  /** `pods`, `pods/status`, a star for every resource, a star behind the slash for every subresource. */
  readonly resources?: readonly string[];
  readonly operations?: readonly string[];
  readonly scope?: string;
  /** Only objects of these names; empty: of all. Rules of webhooks do not have it. */
  readonly resourceNames?: readonly string[];
}

/** One entry of `webhooks`, as the API has it. */
export interface WebhookSpec {
  readonly name: string;
  readonly clientConfig: {
    readonly url?: string;
    readonly service?: {
      readonly namespace: string;
      readonly name: string;
      readonly path?: string;
      readonly port?: number;
    };
    /** Base64 of PEM. */
    readonly caBundle?: string;
  };
  readonly rules?: readonly HookRule[];
  readonly failurePolicy?: string;
  readonly matchPolicy?: string;
  readonly namespaceSelector?: LabelSelectorObject;
  readonly objectSelector?: LabelSelectorObject;
  /** Null where somebody left it out: it must be told, and so it is shown. */
  readonly sideEffects?: string | null;
  readonly timeoutSeconds?: number;
  readonly admissionReviewVersions?: readonly string[];
  readonly matchConditions?: readonly NamedExpression[];
  readonly reinvocationPolicy?: string;
}

export interface Hook extends RequestMatch {
  /** Tells it from every other webhook, of any configuration. */
  readonly id: string;
  readonly name: string;
  /** A call that fails counts as allowed. */
  readonly failsOpen: boolean;
  /** May be called for a request that must leave no trace. */
  readonly dryRun: boolean;
  /** Wants to be asked again when a later one changed the object. */
  readonly reinvoked: boolean;
  readonly timeoutSeconds: number;
  /** The first that it takes and that we speak. */
  readonly reviewVersion: "v1" | "v1beta1" | undefined;
  readonly client: WebhookSpec["clientConfig"];
  /** All must be met for it to be called. */
  readonly conditions: readonly NamedExpression[];
}

const DEFAULT_TIMEOUT = 10;

/** The webhooks of a stored configuration, in their order. It was validated and has its defaults. */
export function hooksOf(configuration: JsonObject): readonly Hook[] {
  const { webhooks = [] } = configuration as { webhooks?: readonly WebhookSpec[] | null };
  const owner = textOf(configuration, "name");
  return (webhooks ?? []).map((spec, index) => readHook(spec, `${owner}/${spec.name}/${index}`));
}

function readHook(spec: WebhookSpec, id: string): Hook {
  return {
    id,
    name: spec.name,
    rules: spec.rules ?? [],
    equivalent: spec.matchPolicy !== "Exact",
    failsOpen: spec.failurePolicy === "Ignore",
    dryRun: spec.sideEffects === "None" || spec.sideEffects === "NoneOnDryRun",
    reinvoked: spec.reinvocationPolicy === "IfNeeded",
    timeoutSeconds: spec.timeoutSeconds ?? DEFAULT_TIMEOUT,
    reviewVersion: (spec.admissionReviewVersions ?? []).find((version) => version === "v1" || version === "v1beta1"),
    namespaces: selectorFromObject(spec.namespaceSelector ?? {}),
    objects: selectorFromObject(spec.objectSelector ?? {}),
    client: spec.clientConfig,
    conditions: spec.matchConditions ?? [],
  };
}
