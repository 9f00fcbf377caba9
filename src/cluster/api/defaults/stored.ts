/** Defaults of kinds that are only stored: the `defaults.go` of flowcontrol, resource and apiregistration. */
import { always, each, fields, inOrder, type Rule, whenEmpty, whenMissing, where } from "./rule.ts";

export const FLOW_SCHEMA = fields({ spec: always({ matchingPrecedence: whenEmpty(1000) }) });

export const PRIORITY_LEVEL = fields({
  spec: fields({
    limited: fields({
      nominalConcurrencyShares: whenMissing(30),
      lendablePercent: whenMissing(0),
      limitResponse: fields({
        queuing: fields({ handSize: whenEmpty(8), queues: whenEmpty(64), queueLengthLimit: whenEmpty(50) }),
      }),
    }),
    exempt: fields({ nominalConcurrencyShares: whenMissing(0), lendablePercent: whenMissing(0) }),
  }),
});

const DEVICE_REQUEST = fields({
  allocationMode: whenEmpty("ExactCount"),
  count: where(({ allocationMode }) => allocationMode === "ExactCount", whenEmpty(1)),
  tolerations: each(fields({ operator: whenEmpty("Equal") })),
});

const CLAIM_SPEC: Rule = fields({
  devices: fields({ requests: each(fields({ exactly: DEVICE_REQUEST, firstAvailable: each(DEVICE_REQUEST) })) }),
});

export const RESOURCE_CLAIM: Rule = inOrder(
  fields({ spec: CLAIM_SPEC }),
  fields({
    status: fields({
      allocation: fields({
        devices: fields({ results: each(fields({ tolerations: each(fields({ operator: whenEmpty("Equal") })) })) }),
      }),
    }),
  }),
);

export const RESOURCE_CLAIM_TEMPLATE = fields({ spec: fields({ spec: CLAIM_SPEC }) });

/** Over TLS, unless told otherwise. */
export const API_SERVICE = fields({ spec: fields({ service: fields({ port: whenMissing(443) }) }) });
